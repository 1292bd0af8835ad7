// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** The socket of a client. What comes in is read when it is the turn of the client ({@link TurnGate}). */
final class TurnEndPoint extends SocketChannelEndPoint {

    private final TurnGate gate;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile SelectionKey key;
    private volatile boolean isKnown;
    private volatile String owner;
    private volatile Turns.@Nullable Turn turn;

    TurnEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, TurnGate gate) {
        super(channel, selector, key, scheduler);
        this.gate = requireNonNull(gate, "gate is null");
        this.key = key;
        this.owner = TurnGate.addressKey(getRemoteSocketAddress());
    }

    /** The socket below a connection; null if that is no client's. */
    static @Nullable TurnEndPoint of(Connection connection) {
        return of(connection.getEndPoint());
    }

    static @Nullable TurnEndPoint of(@Nullable EndPoint endPoint) {
        EndPoint below = endPoint;
        while (below instanceof EndPoint.Wrapper wrapper) {
            below = wrapper.unwrap();
        }
        return below instanceof TurnEndPoint found ? found : null;
    }

    /** The name under which the connection is counted: its address until the handshake is done, then its owner if there is one. */
    String owner() {
        return owner;
    }

    /** Whether the handshake is done. */
    boolean isKnown() {
        return isKnown;
    }

    /** The handshake is done, or the newest request is somebody's. */
    void ownedBy(String someone) {
        owner = someone;
        isKnown = true;
    }

    @Override
    public void replaceKey(SelectionKey newKey) {
        super.replaceKey(newKey);
        key = newKey;
    }

    @Override
    public @Nullable Runnable onSelected() {
        boolean isReadable = (key.readyOps() & SelectionKey.OP_READ) != 0;
        Runnable task = super.onSelected();
        // who is being worked on reads the rest of a request without another turn
        if (task == null || !isReadable || !isBusy.compareAndSet(false, true)) {
            return task;
        }
        Turns.Turn wanted = gate.enter(this, task);
        turn = wanted;
        if (!isOpen()) {
            wanted.cancel();
        }
        return null;
    }

    /** What was to be read has been. */
    void idle() {
        isBusy.set(false);
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        Turns.Turn wanted = turn;
        if (wanted != null) {
            // who opens and closes connections all the time must not leave something behind for each
            wanted.cancel();
        }
        super.onClose(cause);
    }
}
