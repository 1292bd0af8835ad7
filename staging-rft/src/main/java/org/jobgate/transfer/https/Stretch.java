// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.IOException;
import java.io.InputStream;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.TransferException;

/** The next so many bytes of a source, read while they are sent, and counted. Closing it leaves the source open. */
final class Stretch extends InputStream {

    private final InputStream source;
    private final Progress progress;
    private volatile long left;

    Stretch(InputStream source, long length, Progress progress) {
        this.source = source;
        this.progress = progress;
        this.left = length;
    }

    /** How many bytes of it were not read yet. */
    long left() {
        return left;
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
        long most = left;
        if (most == 0) {
            return -1;
        }
        int got = sourceBytes(into, from, (int) Math.min(length, most));
        left = most - got;
        progress.moved(got);
        return got;
    }

    /** Fails with what says that it was the source: else the server would be blamed, to which they are sent. */
    private int sourceBytes(byte[] into, int from, int length) throws IOException {
        TransferException failed;
        try {
            int got = source.read(into, from, length);
            if (got >= 0) {
                return got;
            }
            failed = new TransferException(
                    TransferException.Kind.TRANSIENT,
                    "the source ended before its announced end",
                    "Try again later; let nothing change the source until it is fetched.");
        } catch (IOException e) {
            failed = TransferException.of(e, "reading the source");
        }
        throw new IOException(failed.sentence(), failed);
    }
}
