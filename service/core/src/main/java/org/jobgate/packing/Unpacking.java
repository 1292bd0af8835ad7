// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** What is in a packed body, within the bounds that {@link Codec#unpacking} names. What the body is wrong in is told apart from a body that breaks off. */
final class Unpacking extends InputStream {

    private final Body body;
    private final InputStream decoder;
    private long left;

    Unpacking(Codec codec, InputStream in, long length) throws IOException {
        this.body = new Body(in, length);
        this.left = length;
        try {
            this.decoder = codec.decoder(body);
        } catch (IOException | RuntimeException e) {
            throw told(e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            if (left == 0) {
                if (decoder.read(new byte[1], 0, 1) >= 0) {
                    throw new ZipException("it holds more bytes than were announced");
                }
                return -1;
            }
            int got = decoder.read(into, from, (int) Math.min(length, left));
            left -= Math.max(0, got);
            return got;
        } catch (IOException | RuntimeException e) {
            throw told(e);
        } catch (StackOverflowError e) {
            // the JDK's reader of gzip calls itself for each member that holds nothing
            throw (ZipException) new ZipException("it has too many parts that hold nothing").initCause(e);
        }
    }

    /** Libraries meet damaged bytes with exceptions of many kinds; a body that cannot be read is none of them. */
    private IOException told(Exception e) {
        IOException broken = body.broken;
        if (broken != null) {
            return broken;
        }
        if (e instanceof ZipException || e instanceof EOFException) {
            return (IOException) e;
        }
        return (ZipException) new ZipException("it cannot be unpacked: " + e.getMessage()).initCause(e);
    }

    @Override
    public void close() throws IOException {
        decoder.close();
    }

    /** Stays open, and is never longer than what can be in it needs: without that, a body of nothing but empty frames had no end. */
    private static final class Body extends FilterInputStream {

        private static final long FRAME = 4096;

        private long left;
        private @Nullable IOException broken;

        Body(InputStream in, long length) {
            super(in);
            this.left = length > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : length + length / 8 + FRAME;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int got;
            try {
                got = in.read(into, from, (int) Math.min(length, Math.max(1, left)));
            } catch (IOException e) {
                broken = e;
                throw e;
            }
            if (got > left) {
                throw new ZipException("it is longer than what was announced needs");
            }
            left -= Math.max(0, got);
            return got;
        }

        @Override
        public void close() {}
    }
}
