// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose connections are made ready and read in turn ({@link TurnGate}): first, what a connection needs before anything can be
 * read is made, for one connection at a time, in turn between addresses. While as many are open as may be, most of the others come no further
 * than this ({@link SurplusConnections}).
 *
 * <p>Of those that were accepted {@value #MOST_WAITING} at the most wait for this. While so many do, no further ones are accepted, and the
 * system's queue holds clients back.
 */
final class TurnConnector extends ServerConnector {

    private static final int MOST_WAITING = 1024;

    private final TurnGate gate;
    private final SurplusConnections surplus;

    TurnConnector(Server server, TurnGate gate, SurplusConnections surplus, ConnectionFactory... factories) {
        super(server, 1, 1, factories);
        this.surplus = requireNonNull(surplus, "surplus is null");
        this.gate = requireNonNull(gate, "gate is null");
    }

    /** Called by the constructor of the class above: the gate is not there yet. */
    @Override
    protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
        return new Manager(executor, scheduler, selectors);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        SocketChannelEndPoint made = new TurnEndPoint(channel, selector, key, getScheduler(), gate);
        made.setIdleTimeout(getIdleTimeout());
        return made;
    }

    private final class Manager extends ServerConnectorManager {
        private final Semaphore free = new Semaphore(MOST_WAITING);
        private final Set<SelectableChannel> waiting = ConcurrentHashMap.newKeySet();

        Manager(Executor executor, Scheduler scheduler, int selectors) {
            super(executor, scheduler, selectors);
        }

        @Override
        protected ManagedSelector newSelector(int id) {
            return new WokenSelector(this, id);
        }

        /** The thread that accepts connections comes here, and waits here when too many wait already. */
        @Override
        public void accept(SelectableChannel channel, @Nullable Object attachment) {
            try {
                free.acquire();
            } catch (InterruptedException e) {
                // the connector is being stopped
                Thread.currentThread().interrupt();
                IO.close(channel);
                return;
            }
            waiting.add(channel);
            String address = TurnGate.addressKey(remoteOf(channel));
            surplus.enter(address, () -> makeReady(address, channel), () -> {
                waitsNoMore(channel);
                IO.close(channel);
            });
        }

        private void makeReady(String address, SelectableChannel channel) {
            gate.makeReady(address, turn -> {
                waitsNoMore(channel);
                super.accept(channel, turn);
            });
        }

        private void waitsNoMore(SelectableChannel channel) {
            waiting.remove(channel);
            free.release();
        }

        private static java.net.@Nullable SocketAddress remoteOf(SelectableChannel channel) {
            try {
                return channel instanceof SocketChannel socket ? socket.getRemoteAddress() : null;
            } catch (IOException closed) {
                return null;
            }
        }

        @Override
        public void connectionOpened(Connection connection, @Nullable Object turn) {
            try {
                super.connectionOpened(connection, turn);
            } finally {
                end(turn);
            }
        }

        @Override
        protected void onAcceptFailed(SelectableChannel channel, Throwable failure, @Nullable Object turn) {
            try {
                super.onAcceptFailed(channel, failure, turn);
            } finally {
                end(turn);
            }
        }

        private void end(@Nullable Object turn) {
            surplus.arrived();
            if (turn instanceof Turns.Turn taken) {
                taken.end();
            }
        }

        @Override
        protected void doStop() throws Exception {
            waiting.forEach(IO::close);
            super.doStop();
        }
    }
}
