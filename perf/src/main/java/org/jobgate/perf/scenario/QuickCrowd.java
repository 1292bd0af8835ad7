// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Supplier;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.wire.QuickConnection;
import org.jobgate.perf.wire.RefusedException;

/**
 * A {@link Crowd} that one thread serves: each client sends its next request when the answer to the one before is whole, which it reads no further than it must. What
 * is measured is the server, with which the crowd shares the machine. Not for several threads.
 */
final class QuickCrowd implements AutoCloseable {

    /** So long an answer may take; after that the client makes a connection anew. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 1_000;

    private final List<Client> clients;
    private final int wanted;

    /**
     * One client.
     *
     * @param requests the bytes of its next request, head and content
     */
    record Client(QuickConnection connection, Supplier<byte[]> requests) {}

    /** @param wanted the status of the answer to each request */
    QuickCrowd(List<Client> clients, int wanted) {
        this.clients = List.copyOf(clients);
        this.wanted = wanted;
    }

    /** Each connects. */
    Reasons connect() {
        Reasons refused = new Reasons();
        clients.forEach(client -> isConnected(client, refused));
        return refused;
    }

    private static boolean isConnected(Client client, Reasons refused) {
        if (client.connection().isConnected()) {
            return true;
        }
        try {
            client.connection().connect();
            return true;
        } catch (IOException e) {
            refused.add(e);
            return false;
        }
    }

    /** Each asks again and again until the pace is over, which must be one of a closed loop. A client that fails connects anew; one that cannot is out. */
    Crowd.Outcome loop(Pace pace) throws IOException {
        try (Selector selector = Selector.open()) {
            return new Loop(selector, pace).run();
        }
    }

    /** One run. */
    private final class Loop {

        private final Selector selector;
        private final Pace pace;
        private final Latencies latencies = new Latencies();
        private final Reasons refused = new Reasons();

        /** When those that wait for an answer have asked. */
        private final IdentityHashMap<Client, Long> asked = new IdentityHashMap<>();

        private final Queue<Client> failed = new ArrayDeque<>();
        private long last;
        private long inTime;

        Loop(Selector selector, Pace pace) {
            this.selector = selector;
            this.pace = pace;
            this.last = pace.begin();
        }

        Crowd.Outcome run() throws IOException {
            clients.forEach(this::enter);
            long looked = System.nanoTime();
            while (!asked.isEmpty()) {
                selector.select(this::answered, LOOK_MILLIS);
                if (System.nanoTime() - looked > LOOK_MILLIS * 1_000_000) {
                    looked = System.nanoTime();
                    giveUp(looked);
                }
                for (Client client = failed.poll(); client != null; client = failed.poll()) {
                    enter(client);
                }
            }
            return new Crowd.Outcome((last - pace.begin()) / 1e9, inTime / pace.seconds(), latencies, refused);
        }

        private void enter(Client client) {
            if (pace.isOver() || !isConnected(client, refused)) {
                return;
            }
            try {
                client.connection().channel().register(selector, SelectionKey.OP_READ, client);
                ask(client);
            } catch (IOException e) {
                fail(client, e);
            }
        }

        private void ask(Client client) throws IOException {
            OptionalLong due = pace.next();
            if (due.isPresent()) {
                client.connection().send(client.requests().get());
                asked.put(client, due.getAsLong());
            }
        }

        private void answered(SelectionKey key) {
            Client client = (Client) key.attachment();
            try {
                int status = client.connection().receive();
                Long since = status == 0 ? null : asked.remove(client);
                if (since == null) {
                    return;
                }
                long now = System.nanoTime();
                last = Math.max(last, now);
                if (status == wanted) {
                    latencies.record(now - since);
                    inTime += pace.isOver() ? 0 : 1;
                } else {
                    refused.add(new RefusedException(status, "in place of " + wanted));
                }
                ask(client);
            } catch (IOException e) {
                fail(client, e);
            }
        }

        private void giveUp(long now) {
            List<Client> late = new ArrayList<>();
            asked.forEach((client, since) -> {
                if (now - since > LONGEST.toNanos()) {
                    late.add(client);
                }
            });
            late.forEach(client ->
                    fail(client, new SocketTimeoutException("no answer within " + LONGEST.toSeconds() + " s")));
        }

        private void fail(Client client, IOException failure) {
            asked.remove(client);
            refused.add(failure);
            try {
                client.connection().close();
            } catch (IOException e) {
                refused.add(e);
            }
            failed.add(client);
        }
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.connection().close();
        }
    }
}
