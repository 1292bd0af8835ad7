// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jobgate.transfer.protocol.Progress;

/** What is sent, counted. */
final class SentBytes extends FilterInputStream {

    private final Progress progress;

    SentBytes(InputStream bytes, Progress progress) {
        super(bytes);
        this.progress = progress;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        if (one >= 0) {
            progress.moved(1);
        }
        return one;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        if (count > 0) {
            progress.moved(count);
        }
        return count;
    }
}
