// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Extended block mode, towards us: who sends connects (GFD.020), so we listen. Ended by as many EODs as the EOF block says. Connections
 * that nobody authenticates are taken from the server's own address only.
 */
final class BlockGet extends DataTask {

    private static final int ACCEPT_SLICE_MILLIS = 200;
    private static final int CHUNK = 256 * 1024;

    private final ServerSocket listening;
    private final InetAddress server;
    private final DataSink sink;
    private long expected = -1;
    private long ended;

    BlockGet(DataPlan plan, InetAddress local, InetAddress server, DataSink sink) throws IOException {
        super(plan);
        this.listening = listen(new InetSocketAddress(local, 0), plan.settings().maxParallel());
        this.server = server;
        this.sink = sink;
    }

    /** Where the server shall connect to. */
    DataAddress address() {
        return new DataAddress(listening.getInetAddress(), listening.getLocalPort());
    }

    @Override
    void run() throws IOException {
        Together receivers = new Together(this);
        try {
            acceptAll(receivers);
        } catch (IOException e) {
            close();
            receivers.join(); // a receiver's failure comes first: it closed what this waited for
            throw e;
        }
        receivers.join();
    }

    private void acceptAll(Together receivers) throws IOException {
        listening.setSoTimeout(ACCEPT_SLICE_MILLIS);
        int most = plan().settings().maxParallel();
        int connections = 0;
        while (!isComplete()) {
            Socket socket = acceptOne();
            if (socket != null) {
                if (++connections > most) {
                    throw new IOException("the server opens more than " + most + " data connections (maxParallel)");
                }
                receivers.start(() -> receive(secured(socket, false)));
            }
        }
    }

    private @Nullable Socket acceptOne() throws IOException {
        try {
            Socket socket = keep(listening.accept());
            boolean anybody = plan().options().authentication().kind() == DataAuthentication.Kind.NONE;
            if (anybody && !socket.getInetAddress().equals(server)) {
                socket.close();
                throw new IOException(
                        "a data connection came from " + socket.getInetAddress().getHostAddress()
                                + " and not from the server; use DCAU A if its data comes from other hosts");
            }
            return socket;
        } catch (SocketTimeoutException nobodyYet) {
            return null; // the control channel's patience ends this
        }
    }

    private synchronized boolean isComplete() {
        return expected >= 0 && ended >= expected;
    }

    private synchronized void note(BlockHeader header) throws IOException {
        if (header.has(BlockHeader.EOF)) {
            if (header.offset() > plan().settings().maxParallel()) {
                throw new MalformedReplyException("the server wants to end " + header.offset() + " data connections; "
                        + plan().settings().maxParallel() + " are allowed (maxParallel)");
            }
            expected = header.offset();
        }
        if (header.has(BlockHeader.EOD)) {
            ended++;
        }
    }

    private void receive(DataSocket data) throws IOException {
        byte[] bytes = new byte[BlockHeader.LENGTH];
        byte[] buffer = new byte[CHUNK];
        boolean goesOn = true;
        while (goesOn) {
            data.readFully(bytes, BlockHeader.LENGTH);
            BlockHeader header = BlockHeader.of(bytes);
            take(data, header, buffer);
            note(header);
            goesOn = !header.has(BlockHeader.EOD);
        }
    }

    private void take(DataSocket data, BlockHeader header, byte[] buffer) throws IOException {
        long position = header.offset();
        long left = header.count();
        while (left > 0) {
            int count = data.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw new EOFException("a data connection ended " + left + " bytes before the end of a block");
            }
            try {
                sink.write(position, ByteBuffer.wrap(buffer, 0, count));
            } catch (IOException e) {
                throw new LocalDataException(e);
            }
            plan().meter().received(position, count);
            position += count;
            left -= count;
        }
    }
}
