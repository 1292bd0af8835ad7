// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extended block mode, towards us: who sends connects (GFD.020), so we listen. Ended by as many EODs as the EOF block says. Connections
 * that nobody authenticates are taken from the server's own address only. A single one that the server does not close stays open for the
 * next file.
 */
final class BlockGet extends DataTask {

    private static final Logger LOG = LoggerFactory.getLogger(BlockGet.class);
    private static final int ACCEPT_SLICE_MILLIS = 200;
    private static final int CHUNK = 256 * 1024;

    private final @Nullable ServerSocket listening;
    private final @Nullable InetAddress server;
    private final DataSink sink;
    private @Nullable DataSocket single;
    private int connections;
    private long expected = -1;
    private long ended;
    private boolean isClosing;

    /** Connections that have come and not shown yet whose they are. */
    private final Set<Socket> unproven = ConcurrentHashMap.newKeySet();

    /** Why the last that was not the user's was not taken: nobody else may come. */
    private volatile @Nullable IOException rejected;

    /** From a server that is told where to connect to. */
    BlockGet(DataPlan plan, InetAddress local, InetAddress server, DataSink sink) throws IOException {
        super(plan);
        this.listening = listen(local, plan.settings().maxParallel());
        this.server = server;
        this.sink = sink;
    }

    /** Over a connection that another transfer has left. */
    BlockGet(DataPlan plan, DataSocket left, DataSink sink) throws IOException {
        super(plan);
        this.listening = null;
        this.server = null;
        this.sink = sink;
        this.single = keep(left);
        this.connections = 1;
    }

    /** Where the server shall connect to. */
    DataAddress address() {
        ServerSocket socket = requireNonNull(listening, "nobody is to connect");
        return new DataAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    @Override
    void run() throws IOException {
        ServerSocket from = listening;
        if (from == null) {
            receive(requireNonNull(single, "neither a connection nor anybody to make one"));
            if (!isComplete()) {
                throw new MalformedReplyException("the server ends more data connections than there are");
            }
            return;
        }
        Together receivers = new Together(this);
        try {
            acceptAll(from, receivers);
        } catch (IOException e) {
            close();
            receivers.join(); // a receiver's failure comes first: it closed what this waited for
            throw rejected == null ? e : rejected;
        } finally {
            for (Socket socket : unproven) {
                socket.close();
            }
        }
        receivers.join();
    }

    private void acceptAll(ServerSocket from, Together receivers) throws IOException {
        from.setSoTimeout(ACCEPT_SLICE_MILLIS);
        int most = plan().settings().maxParallel();
        int accepted = 0;
        while (!isComplete()) {
            Socket socket = acceptOne(from);
            if (socket != null) {
                if (++accepted > most) {
                    throw new IOException("more than " + most + " data connections come (maxParallel)");
                }
                unproven.add(socket);
                receivers.start(() -> receiveOver(socket));
            }
        }
    }

    /** Anybody can connect; who is not the user is not listened to, and the server may still come. */
    private void receiveOver(Socket socket) throws IOException {
        DataSocket data;
        try {
            data = secured(socket, false);
        } catch (IOException e) {
            LOG.debug("{} has connected and is not who may send", socket.getRemoteSocketAddress(), e);
            rejected = e;
            socket.close();
            return;
        } finally {
            unproven.remove(socket);
        }
        synchronized (this) {
            connections++;
            single = data;
        }
        receive(data);
    }

    private @Nullable Socket acceptOne(ServerSocket from) throws IOException {
        try {
            Socket socket = keep(from.accept());
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
        } catch (IOException e) {
            if (isComplete()) {
                return null; // the last block has come, and woken us
            }
            throw e;
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
        isClosing |= header.has(BlockHeader.CLOSE);
        if (listening != null && isComplete()) {
            listening.close(); // who waits there for more need not
        }
    }

    @Override
    @Nullable
    DataSocket leave() throws IOException {
        if (single == null || connections != 1 || isClosing || !release()) {
            return null;
        }
        return single;
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
