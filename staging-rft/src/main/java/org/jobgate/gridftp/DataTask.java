// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data side of a transfer that one end of which is here. Whatever it opens is closed by {@link #close}, from any thread. */
abstract class DataTask implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(DataTask.class);

    private final DataPlan plan;
    private final List<Closeable> open = new ArrayList<>();
    private boolean closed;

    /** What all of them need. */
    record DataPlan(
            ServerAddress server,
            GsiSecurity security,
            GridFtpSettings settings,
            TransferOptions options,
            Meter meter) {}

    DataTask(DataPlan plan) {
        this.plan = plan;
    }

    /** Moves everything; returns when nothing more is to be sent or to come. */
    abstract void run() throws IOException;

    DataPlan plan() {
        return plan;
    }

    /** Connects to where the server listens. */
    final DataSocket connect(DataAddress address) throws IOException {
        check(address);
        Socket socket = keep(Sockets.unconnected());
        int buffer = plan.options.tcpBuffer();
        if (buffer > 0) {
            socket.setSendBufferSize(buffer);
            socket.setReceiveBufferSize(buffer);
        }
        socket.connect(new InetSocketAddress(address.host(), address.port()), (int)
                plan.settings.connectTimeout().toMillis());
        return secured(socket, true);
    }

    /** A server names what it likes, also who has nothing to do with files. */
    private void check(DataAddress address) throws GridFtpException {
        try {
            plan.settings.connectRule().check(plan.server, address.host(), address.port());
        } catch (IOException e) {
            throw GridFtpException.of(Fault.REFUSED, plan.server, "data channel", "not allowed here", e);
        }
    }

    /** Takes a connection that came. */
    final DataSocket secured(Socket socket, boolean initiator) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) plan.settings.dataTimeout().toMillis());
        return DataSocket.over(socket, plan.security, plan.options, initiator);
    }

    final <T extends Closeable> T keep(T closeable) throws IOException {
        synchronized (open) {
            if (!closed) {
                open.add(closeable);
                return closeable;
            }
        }
        closeable.close();
        throw new IOException("the transfer has been ended");
    }

    /** Gives up what is open, which is not closed with this then; answers whether it still was. */
    final boolean release() {
        synchronized (open) {
            open.clear();
            return !closed;
        }
    }

    /** The connection that can serve for another transfer, once this one is over; null where none can. */
    @Nullable
    DataSocket leave() throws IOException {
        return null;
    }

    final ServerSocket listen(InetAddress address, int backlog) throws IOException {
        return keep(plan.settings.dataPorts().listen(address, backlog, plan.options.tcpBuffer()));
    }

    @Override
    public final void close() {
        List<Closeable> all;
        synchronized (open) {
            closed = true;
            all = List.copyOf(open);
            open.clear();
        }
        for (Closeable each : all) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.debug("a data connection did not close well", e);
            }
        }
    }
}
