// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.wire.RefusedException;

/**
 * Clients of one kind that send requests at once, each with its own thread. Their connections stay open from run to run.
 *
 * @param <C> a client of one connection
 */
final class Workers<C extends Closeable> implements AutoCloseable {

    private final List<C> clients;
    private final ExecutorService threads;

    /** @param clients closed with this */
    Workers(List<C> clients) {
        this.clients = List.copyOf(clients);
        this.threads = Executors.newFixedThreadPool(clients.size());
    }

    List<C> clients() {
        return clients;
    }

    /** Sends requests at this pace until it is over. */
    Load.Result send(Pace pace, Request<C> request) throws InterruptedException {
        List<Future<Load.Result>> parts = new ArrayList<>();
        for (C client : clients) {
            parts.add(threads.submit(() -> sendOn(client, pace, request)));
        }
        Load.Result sum = Load.Result.none();
        for (Future<Load.Result> part : parts) {
            try {
                sum = sum.plus(part.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a load thread broke: " + e.getCause(), e);
            }
        }
        return sum;
    }

    private static <C> Load.Result sendOn(C client, Pace pace, Request<C> request) {
        Latencies latencies = new Latencies();
        long accepted = 0;
        long failed = 0;
        String firstFailure = null;
        for (OptionalLong due = pace.next(); due.isPresent(); due = pace.next()) {
            try {
                request.send(client);
                latencies.record(System.nanoTime() - due.getAsLong());
                accepted++;
            } catch (IOException | RefusedException e) {
                failed++;
                firstFailure = firstFailure == null ? e.toString() : firstFailure;
            }
        }
        return new Load.Result(accepted, failed, (System.nanoTime() - pace.begin()) / 1e9, latencies, firstFailure);
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (C client : clients) {
            client.close();
        }
    }

    /** One request; it may be called by several threads at once, each with its own client. */
    @FunctionalInterface
    interface Request<C> {
        void send(C client) throws IOException, RefusedException;
    }
}
