// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jobgate.gridftp.DataSource;
import org.jobgate.gridftp.TransferListener;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;

/**
 * A file of any protocol as a source of a GridFTP transfer: its bytes are read once and in order, from where the source starts. Tells the
 * engine how many the server has got.
 */
final class RelayedSource implements DataSource, TransferListener {

    private final Source source;
    private final Told told;
    private long end;

    RelayedSource(Source source, TransferContext context) {
        this.source = source;
        this.told = new Told(context.progress(), "");
        this.end = source.start();
    }

    /** Offset in the file of the first byte that was not read. */
    long end() {
        return end;
    }

    /** The next bytes, whatever the position: who asks does so in order. */
    @Override
    public int read(long position, ByteBuffer buffer) throws IOException {
        int count = source.bytes().read(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
        if (count > 0) {
            buffer.position(buffer.position() + count);
            end += count;
        }
        return count;
    }

    @Override
    public void moved(long bytes) {
        told.moved(bytes);
    }
}
