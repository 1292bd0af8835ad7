// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data connection: authenticated if asked for, then in the clear or in records. Who connects initiates the security context, and ends
 * it with a byte that says that nothing is delegated (GFD.020, "Data Channel Authentication").
 */
final class DataSocket implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(DataSocket.class);
    private static final int RECORD_HEADER = 5;
    private static final int MAX_RECORD = 16 * 1024 + 2048;
    private static final int WRAPPED_AT_ONCE = 128 * 1024;

    private final Socket socket;
    private final InputStream rawIn;
    private final OutputStream rawOut;
    private @Nullable GsiContext records;
    private byte[] plain = new byte[0];
    private int plainAt;

    private DataSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.rawIn = socket.getInputStream();
        this.rawOut = socket.getOutputStream();
    }

    /** Over an open connection; authenticates first. The caller closes the socket if this fails. */
    static DataSocket over(Socket socket, GsiSecurity security, TransferOptions options, boolean initiator)
            throws IOException {
        DataSocket data = new DataSocket(socket);
        if (options.authentication().kind() != DataAuthentication.Kind.NONE) {
            GsiContext context = GsiContext.of(security, initiator, PeerNames.user(security, options.authentication()));
            data.authenticate(context, initiator);
            if (options.protection() == Protection.CLEAR) {
                data.delegateNothing(context, initiator);
            } else {
                data.records = context;
            }
        }
        return data;
    }

    private void authenticate(GsiContext context, boolean initiator) throws IOException {
        byte[] token = new byte[0];
        if (!initiator) {
            token = record();
        }
        while (!context.isEstablished()) {
            byte[] ours = context.step(token);
            rawOut.write(ours);
            token = context.isEstablished() ? new byte[0] : record();
        }
    }

    /** As globus-gridftp-server has it: the byte is there on a channel that goes on in the clear, and not on one that goes on in records. */
    private void delegateNothing(GsiContext context, boolean initiator) throws IOException {
        if (initiator) {
            rawOut.write(context.wrap(new byte[] {'0'}, 0, 1));
            return;
        }
        byte[] flag = context.unwrap(record());
        if (flag.length != 1 || flag[0] != '0') {
            throw new IOException("the peer of the data channel wants to delegate a credential, which nobody needs");
        }
    }

    private byte[] record() throws IOException {
        byte[] record = recordOrEnd();
        if (record.length == 0) {
            throw new EOFException("the peer closed the data connection while it was being authenticated");
        }
        return record;
    }

    /** One TLS record, empty at the end. No byte behind it is taken: it may be data in the clear. */
    private byte[] recordOrEnd() throws IOException {
        byte[] header = rawIn.readNBytes(RECORD_HEADER);
        if (header.length == 0) {
            return header;
        }
        int length = header.length < RECORD_HEADER ? 0 : ((header[3] & 0xff) << 8) | (header[4] & 0xff);
        if (length > MAX_RECORD) {
            throw new IOException("a record of " + length + " bytes; at most " + MAX_RECORD);
        }
        byte[] record = Arrays.copyOf(header, RECORD_HEADER + length);
        if (header.length < RECORD_HEADER || rawIn.readNBytes(record, RECORD_HEADER, length) < length) {
            throw new EOFException("the data connection ended in a record");
        }
        return record;
    }

    /**
     * Reads some bytes, at least one; -1 at the end. An end between two records is one, as it is in the clear: the control channel says
     * whether all is there.
     */
    int read(byte[] buffer, int offset, int length) throws IOException {
        if (records == null) {
            return rawIn.read(buffer, offset, length);
        }
        while (plainAt == plain.length) {
            byte[] record = recordOrEnd();
            plain = records.unwrap(record);
            plainAt = 0;
            if (record.length == 0 || records.isInboundDone()) {
                return -1;
            }
        }
        int count = Math.min(length, plain.length - plainAt);
        System.arraycopy(plain, plainAt, buffer, offset, count);
        plainAt += count;
        return count;
    }

    /** Whether the connection is still open: the other end has sent nothing, not even an end. */
    boolean isQuiet() {
        try {
            return plainAt == plain.length && Sockets.isQuiet(socket);
        } catch (IOException e) {
            LOG.debug("a data connection that was kept is broken", e);
            return false;
        }
    }

    /** Reads exactly so many bytes. */
    void readFully(byte[] buffer, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int count = read(buffer, done, length - done);
            if (count < 0) {
                throw new EOFException("the data connection ended after " + done + " of " + length + " bytes");
            }
            done += count;
        }
    }

    void write(byte[] buffer, int offset, int length) throws IOException {
        if (records == null) {
            rawOut.write(buffer, offset, length);
            return;
        }
        for (int done = 0; done < length; done += WRAPPED_AT_ONCE) {
            rawOut.write(records.wrap(buffer, offset + done, Math.min(WRAPPED_AT_ONCE, length - done)));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
