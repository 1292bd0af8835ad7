// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Where a GET puts what arrives. With parallel streams called by several threads at once, in any order, never for the same bytes. */
@FunctionalInterface
public interface DataSink {

    /**
     * Writes all of the buffer at the position of the file.
     *
     * @throws IOException given on, as it is, to who asked for the transfer
     */
    void write(long position, ByteBuffer bytes) throws IOException;

    /** A file; the channel stays open. */
    static DataSink of(FileChannel file) {
        return (position, bytes) -> {
            long at = position;
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
        };
    }

    /** A stream, for {@link Mode#STREAM}: bytes that are not in order are refused. It stays open. */
    static DataSink of(OutputStream stream, long from) {
        return new DataSink() {
            private long at = from;

            @Override
            public synchronized void write(long position, ByteBuffer bytes) throws IOException {
                if (position != at) {
                    throw new IOException("bytes for " + position + " came when those for " + at
                            + " were due: only stream mode keeps the order");
                }
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                stream.write(copy);
                at += copy.length;
            }
        };
    }
}
