// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Cuts a source into the blocks that are still to be sent, in order. For any number of senders. */
final class Cutter {

    private final DataSource source;
    private final ByteRanges arrived;
    private final long end;
    private final long shift;
    private long position;

    /** All of the source, or its part; a part is sent with offsets from 0 on. */
    Cutter(DataSource source, TransferOptions options) {
        TransferOptions.Part part = options.part();
        this.source = source;
        this.arrived = options.mode() == Mode.EXTENDED
                ? options.restartFrom()
                : ByteRanges.upTo(options.restartFrom().prefix());
        this.position = part == null ? 0 : part.offset();
        this.end = part == null ? Long.MAX_VALUE : part.offset() + part.length();
        this.shift = position;
    }

    /**
     * Fills the buffer with the next block.
     *
     * @return its offset; -1 if there is none
     */
    synchronized long next(ByteBuffer buffer) throws LocalDataException {
        position = arrived.firstMissing(position);
        long most = Math.min(Math.min(buffer.capacity(), arrived.gapAt(position)), end - position);
        buffer.clear().limit((int) most);
        long begin = position;
        try {
            while (buffer.hasRemaining()) {
                int count = source.read(position, buffer);
                if (count < 0) {
                    break;
                }
                position += count;
            }
        } catch (IOException e) {
            throw new LocalDataException(e);
        }
        buffer.flip();
        return buffer.hasRemaining() ? begin - shift : -1;
    }
}
