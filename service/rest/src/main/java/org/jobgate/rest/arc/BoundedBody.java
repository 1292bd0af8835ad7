// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jobgate.limits.Limit;

/** A request's body, of which no more than a limit is read. */
final class BoundedBody extends FilterInputStream {

    private final Limit limit;
    private long left;

    BoundedBody(InputStream in, Limit limit) {
        super(in);
        this.limit = limit;
        this.left = limit.value();
    }

    /** The body is longer. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        TooLongException(Limit limit) {
            super("The body of the request has more bytes than " + limit.name() + " = " + limit.value() + " allows.");
        }
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    private void count(int bytes) throws TooLongException {
        left -= bytes;
        if (left < 0) {
            throw new TooLongException(limit);
        }
    }

    /** All of it as UTF-8. */
    String text() throws IOException {
        return new String(readAllBytes(), StandardCharsets.UTF_8);
    }
}
