// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jobgate.limits.Limit;

/** Ends in a {@link org.jobgate.job.FaultException} where more bytes come than are allowed. */
final class BoundedInputStream extends FilterInputStream {

    private final Limit limit;
    private long count;

    BoundedInputStream(InputStream in, Limit limit) {
        super(in);
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            counted(1);
        }
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        if (read > 0) {
            counted(read);
        }
        return read;
    }

    private void counted(int read) {
        count += read;
        limit.check(count, "Bytes of the request's body");
    }
}
