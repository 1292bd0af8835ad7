// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** What a PUT sends. Asked by one thread at a time, at positions that never fall. */
@FunctionalInterface
public interface DataSource {

    /**
     * Reads bytes at the position of the file into the buffer; fewer than fit are allowed.
     *
     * @return how many; -1 behind the end
     * @throws IOException given on, as it is, to who asked for the transfer
     */
    int read(long position, ByteBuffer buffer) throws IOException;

    /** A file; the channel stays open. */
    static DataSource of(FileChannel file) {
        return (position, buffer) -> file.read(buffer, position);
    }

    /** A stream that cannot go back; it skips what need not be sent. It stays open. */
    static DataSource of(InputStream stream) {
        return new DataSource() {
            private long at;

            @Override
            public int read(long position, ByteBuffer buffer) throws IOException {
                stream.skipNBytes(position - at);
                at = position;
                byte[] bytes = new byte[Math.min(buffer.remaining(), 64 * 1024)];
                int count = stream.read(bytes);
                if (count > 0) {
                    buffer.put(bytes, 0, count);
                    at += count;
                }
                return count;
            }
        };
    }
}
