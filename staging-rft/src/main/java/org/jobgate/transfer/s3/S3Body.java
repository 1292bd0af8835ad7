// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.io.IOException;
import java.io.InputStream;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.jobgate.transfer.protocol.Progress;

/** So many of a source's bytes, as they are sent. To close it does nothing: the next part may follow. */
final class S3Body extends BlockInputStream {

    private final InputStream bytes;
    private final Progress progress;
    private long left;

    S3Body(InputStream bytes, long length, Progress progress) {
        this.bytes = bytes;
        this.left = length;
        this.progress = progress;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = bytes.read(into, from, (int) Math.min(length, left));
        if (count > 0) {
            left -= count;
            progress.moved(count);
        }
        return count;
    }
}
