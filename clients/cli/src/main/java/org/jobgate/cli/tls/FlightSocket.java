// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A socket that, during a TLS handshake, sends what is written before the next read in one piece.
 *
 * <p>A server that refuses our certificate says so in an alert and closes, while the rest of our handshake is still to be written. JSSE
 * writes each message of it alone; the second write would fail with "Broken pipe", and JSSE then gives up the connection on which the
 * alert waits to be read. Sent in one piece nothing is written to a closed connection, and the next thing is a read, which gets the alert.
 *
 * <p>After {@link #handshakeDone} it is a socket like any other: what is written is sent at once.
 *
 * <p>For one thread, as the connections of this program are.
 */
final class FlightSocket extends Socket {
    /** More is written at once; a handshake, with the longest chain that a gateway reads, is smaller. */
    private static final int GATHERED_BYTES_MAX = 64 * 1024;

    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private boolean isHandshakeDone;

    /** Sends the end of the handshake, and from now on all that is written when it is written. */
    void handshakeDone() throws IOException {
        isHandshakeDone = true;
        send();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                send();
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                send();
                return super.read(bytes, offset, length);
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream out = super.getOutputStream();
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (!isHandshakeDone && gathered.size() + length <= GATHERED_BYTES_MAX) {
                    gathered.write(bytes, offset, length);
                    return;
                }
                send();
                out.write(bytes, offset, length);
            }
        };
    }

    private void send() throws IOException {
        if (gathered.size() > 0) {
            byte[] flight = gathered.toByteArray();
            gathered.reset();
            super.getOutputStream().write(flight);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        send();
        super.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        try {
            if (!isClosed() && isConnected()) {
                send();
            }
        } catch (IOException e) {
            // the last thing written is a farewell: who hung up before misses nothing
            gathered.reset();
        } finally {
            super.close();
        }
    }
}
