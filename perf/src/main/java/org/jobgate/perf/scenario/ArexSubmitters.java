// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.peer.Work;

/**
 * Threads that give their jobs to an A-REX, each on a connection of its own. What has become of the jobs is read from A-REX's own directory,
 * which costs it nothing.
 */
final class ArexSubmitters {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int ID_PART = 3;
    private static final int ID_PARTS = 3;

    private final Supplier<Arex> connections;
    private final Path control;
    private int number;

    /** @param connections makes a new connection to it */
    ArexSubmitters(Supplier<Arex> connections) {
        this.connections = connections;
        this.control = connections.get().controlDirectory();
    }

    /** Why it cannot be measured here; empty where it can. */
    Optional<String> absence() throws IOException {
        try (Arex arex = connections.get()) {
            Optional<String> absence = arex.absence();
            if (absence.isEmpty() && !Files.isReadable(control)) {
                return Optional.of("what it knows of its jobs cannot be read in " + control + "; run this as root");
            }
            return absence;
        }
    }

    /** Gives it so many jobs and waits until all are over. */
    Run run(int jobs, int threads, Work work, Reasons reasons)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<Arex> clients = new ArrayList<>();
        String shared = work.delegation() == Work.Delegation.SHARED ? delegate() : null;
        try {
            for (int i = 0; i < threads; i++) {
                Arex client = connections.get();
                clients.add(client);
                client.prepare(shared);
            }
            return run(jobs, clients, work, reasons);
        } finally {
            for (Arex client : clients) {
                client.close();
            }
        }
    }

    private String delegate() throws IOException, GeneralSecurityException {
        try (Arex client = connections.get()) {
            return client.delegate();
        }
    }

    private Run run(int jobs, List<Arex> clients, Work work, Reasons reasons) throws IOException, InterruptedException {
        AtomicInteger left = new AtomicInteger(jobs);
        int first = number;
        number += jobs;
        long begin = System.nanoTime();
        List<Submitted> submitted = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
            List<Future<List<Submitted>>> parts = new ArrayList<>();
            for (Arex client : clients) {
                parts.add(threads.submit(() -> submit(client, left, first, work, reasons)));
            }
            for (Future<List<Submitted>> part : parts) {
                submitted.addAll(part.get());
            }
        } catch (ExecutionException e) {
            throw new IOException("a thread that submits to A-REX broke: " + e.getCause(), e);
        }
        double submitSeconds = secondsSince(begin);
        List<String> open =
                new ArrayList<>(submitted.stream().map(Submitted::id).toList());
        Waiting.until(TIMEOUT, PAUSE, () -> {
            open.removeIf(id -> Files.exists(control.resolve("finished").resolve(id + ".status")));
            return open.isEmpty();
        });
        double seconds = secondsSince(begin);
        if (!open.isEmpty()) {
            reasons.add(new IOException("not over within " + TIMEOUT));
        }
        long done = submitted.stream()
                .filter(job -> !open.contains(job.id()) && !hasFailed(job.id(), reasons))
                .count();
        return new Run(
                60 * submitted.size() / submitSeconds,
                open.isEmpty() ? 60 * done / seconds : 0,
                submitted.stream().map(Submitted::ms).toList(),
                jobs - done);
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static List<Submitted> submit(Arex client, AtomicInteger left, int first, Work work, Reasons reasons)
            throws GeneralSecurityException {
        List<Submitted> submitted = new ArrayList<>();
        for (int i = left.decrementAndGet(); i >= 0; i = left.decrementAndGet()) {
            long begin = System.nanoTime();
            try {
                String id = client.submit(work, first + i);
                submitted.add(new Submitted(id, 1_000 * secondsSince(begin)));
            } catch (IOException e) {
                reasons.add(e);
            }
        }
        return submitted;
    }

    /** Its files about a job lie in directories that are named by three parts of its id, of three characters each, and the rest. */
    static Path directory(Path control, String id) {
        Path place = control.resolve("jobs");
        int at = 0;
        for (int i = 0; i < ID_PARTS && at + ID_PART < id.length(); i++) {
            place = place.resolve(id.substring(at, at + ID_PART));
            at += ID_PART;
        }
        return place.resolve(id.substring(at));
    }

    private boolean hasFailed(String id, Reasons reasons) {
        Path place = directory(control, id);
        Path failed = place.resolve("failed");
        if (!Files.isDirectory(place)) {
            reasons.add(new IOException("A-REX has no directory of a job that it took: " + place));
            return true;
        }
        if (!Files.exists(failed)) {
            return false;
        }
        try {
            reasons.add(new IOException(Files.readString(failed).strip()));
        } catch (IOException e) {
            reasons.add(e);
        }
        return true;
    }

    /** A job that A-REX took. */
    private record Submitted(String id, double ms) {}

    /**
     * What came of one run.
     *
     * @param toService jobs taken per minute
     * @param toEnd jobs per minute until all were over; 0 where they did not end
     * @param idMs times to get the id
     * @param lost jobs that did not end well
     */
    record Run(double toService, double toEnd, List<Double> idMs, long lost) {
        Run {
            idMs = List.copyOf(idMs);
        }
    }
}
