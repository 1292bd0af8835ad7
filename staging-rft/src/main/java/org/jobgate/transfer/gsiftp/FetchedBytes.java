// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jobgate.gridftp.DataSink;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What a GET in a thread of its own fetches, as a stream: at most some blocks are held. The end comes when the server has said that all
 * was sent; where it broke off there is an exception in its place.
 */
final class FetchedBytes extends InputStream {

    /** Moves the file, into the sink. */
    interface Fetch {
        void into(DataSink sink) throws IOException;
    }

    private static final int MAX_BLOCKS = 8;
    private static final int SLICE_MILLIS = 200;
    /** Behind the last block: who waits for one need not wait longer. */
    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(MAX_BLOCKS);
    private final Thread fetcher;
    private volatile @Nullable IOException failure;
    private volatile boolean done;
    private volatile boolean closed;
    private byte[] block = new byte[0];
    private int at;
    private long expected;

    /** @param start offset at which the first byte must be */
    FetchedBytes(long start, Fetch fetch, Runnable end) {
        expected = start;
        fetcher = Thread.ofVirtual().name("gsiftp-get").start(() -> {
            try {
                fetch.into(this::add);
            } catch (IOException e) {
                failure = told(e);
            } catch (RuntimeException e) {
                failure = new IOException("the file could not be fetched: " + Reason.of(e), e);
            } finally {
                done = true;
                end.run();
                wakeReader();
            }
        });
    }

    private void wakeReader() {
        try {
            while (!closed && !blocks.offer(END, SLICE_MILLIS, TimeUnit.MILLISECONDS)) {}
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the reader finds out by itself
        }
    }

    /** As the engine knows it; it finds it among the causes. */
    private static IOException told(IOException e) {
        try {
            return new IOException(e.getMessage(), Refusals.of(e));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return e;
        }
    }

    private void add(long position, ByteBuffer bytes) throws IOException {
        if (position != expected) {
            throw new IOException("bytes from " + position + " on came in the place of those from " + expected + " on");
        }
        expected += bytes.remaining();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        try {
            while (!blocks.offer(copy, SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
                if (closed) {
                    throw new IOException("the reader has closed the stream");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private boolean isAtEnd() throws IOException {
        try {
            while (at == block.length) {
                boolean last = done; // before the queue is asked: what was added before it is then seen
                byte[] next = blocks.poll(last ? 0 : SLICE_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null && next != END) {
                    block = next;
                    at = 0;
                } else if (next == END || last) {
                    fail();
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void fail() throws IOException {
        IOException broken = failure;
        if (broken != null) {
            throw broken;
        }
    }

    @Override
    public int read() throws IOException {
        return isAtEnd() ? -1 : block[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int count = Math.min(length, block.length - at);
        System.arraycopy(block, at, into, from, count);
        at += count;
        return count;
    }

    /** Ends the fetching, if it still goes on. */
    @Override
    public void close() {
        closed = true;
        if (!done) {
            fetcher.interrupt();
        }
    }
}
