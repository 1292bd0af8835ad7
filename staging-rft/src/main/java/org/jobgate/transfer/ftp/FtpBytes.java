// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of a file that is being read. Their end is one only when the server has said that all was sent. */
final class FtpBytes extends FilterInputStream {

    private final FtpSession session;
    private final String what;
    private boolean isOver;

    FtpBytes(InputStream bytes, FtpSession session, String what) {
        super(bytes);
        this.session = session;
        this.what = what;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (isOver) {
            return -1;
        }
        try {
            int count = in.read(into, from, length);
            if (count < 0) {
                in.close();
                session.complete("RETR");
                isOver = true;
            }
            return count;
        } catch (IOException e) {
            throw new IOException(FtpRefusals.told(e, what));
        }
    }

    @Override
    public void close() throws IOException {
        session.close();
        in.close();
    }
}
