// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.InputStream;
import org.jobgate.transfer.protocol.BlockInputStream;

/** So many bytes of another stream; what is behind them is not there. The other stream is not closed. */
final class FirstBytes extends BlockInputStream {

    private final InputStream bytes;
    private long left;

    FirstBytes(InputStream bytes, long count) {
        this.bytes = bytes;
        this.left = count;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = left == 0 ? -1 : bytes.read(into, from, (int) Math.min(length, left));
        left -= Math.max(count, 0);
        return count;
    }
}
