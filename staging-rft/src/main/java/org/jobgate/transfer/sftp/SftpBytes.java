// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.function.Consumer;

/** The bytes of a file that is being read. A failure is reported by the engine's own exceptions; the login goes back when it was read whole. */
final class SftpBytes extends FilterInputStream {

    private final SftpConnection connection;
    private final Consumer<SftpConnection> whole;
    private final String what;
    private boolean isWhole;
    private boolean isClosed;

    SftpBytes(InputStream bytes, SftpConnection connection, Consumer<SftpConnection> whole, String what) {
        super(bytes);
        this.connection = connection;
        this.whole = whole;
        this.what = what;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            int count = in.read(into, from, length);
            isWhole |= count < 0;
            return count;
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt(); // its waiting has cleared the flag
            throw e;
        } catch (IOException e) {
            throw new IOException(SftpRefusals.told(e, what));
        }
    }

    /** Read to its end: closes the file. Else ends the login, which costs less than to wait for what is on its way. */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (isWhole) {
            try {
                in.close();
                whole.accept(connection);
                return;
            } finally {
                isWhole = false;
            }
        }
        connection.end();
    }
}
