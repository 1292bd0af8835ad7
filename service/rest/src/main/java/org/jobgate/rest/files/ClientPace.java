// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/**
 * How long one client may keep a place that others want, too: the time that was spent waiting for it is counted, not that of the gateway's own work.
 * It has {@value #GRACE_SECONDS} seconds in all, and one more for each {@value #BYTES_PER_SECOND} bytes. Without that, a client that takes a byte now and then
 * would keep its place for days. For one request, which is of one thread.
 */
final class ClientPace {

    static final int GRACE_SECONDS = 60;
    static final int BYTES_PER_SECOND = 16 * 1024;

    private static final long SECOND = 1_000_000_000L;

    private final LongSupplier nanoTime;
    private long waited;
    private long bytes;

    /** @param nanoTime a clock as {@link System#nanoTime} */
    ClientPace(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    private void moved(long begin, int count) throws IOException {
        waited += nanoTime.getAsLong() - begin;
        bytes += count;
        if (waited / SECOND > GRACE_SECONDS + bytes / BYTES_PER_SECOND) {
            throw new IOException("the client was waited for for " + waited / SECOND + " s, and " + bytes
                    + " bytes went: others want the place that it has");
        }
    }

    /** Writes to a client, which ends with an exception where that is too slow. Closing it leaves the other one open. */
    OutputStream to(OutputStream out) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                long begin = nanoTime.getAsLong();
                out.write(from, offset, length);
                moved(begin, length);
            }

            @Override
            public void flush() throws IOException {
                long begin = nanoTime.getAsLong();
                out.flush();
                moved(begin, 0);
            }
        };
    }

    /** Reads from a client in the same way. */
    InputStream from(InputStream in) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                long begin = nanoTime.getAsLong();
                int got = in.read(into, offset, length);
                moved(begin, Math.max(0, got));
                return got;
            }
        };
    }
}
