// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.store.JobStore;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.server.FileServers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves files: requests of many transfers and deletions, each remembered in the store as far as it came, retried, in turn with those of
 * others. A request that is submitted again, after a restart too, goes on where it is.
 */
public final class TransferEngine implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TransferEngine.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final long WATCH_MILLIS = 500;

    private final EngineParts parts;
    private final Protocols protocols;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("transfer-timer").daemon().factory());
    private final Map<String, RunningRequest> running = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    private final FileServers fileServers;

    /** An engine with nothing to do, at a site without file servers. It closes the protocols with itself. */
    public TransferEngine(
            TransferSettings settings,
            Protocols protocols,
            UrlPolicy policy,
            TransferCredentials credentials,
            JobStore store,
            Clock clock,
            RandomGenerator random) {
        this(settings, protocols, policy, FileServers.NONE, credentials, store, clock, random);
    }

    /** An engine with nothing to do. It closes the protocols and the probes of the file servers with itself. */
    public TransferEngine(
            TransferSettings settings,
            Protocols protocols,
            UrlPolicy policy,
            FileServers fileServers,
            TransferCredentials credentials,
            JobStore store,
            Clock clock,
            RandomGenerator random) {
        this.fileServers = requireNonNull(fileServers, "fileServers is null");
        this.protocols = requireNonNull(protocols, "protocols is null");
        Pauses pauses =
                new Pauses(settings.tries().firstPause(), settings.tries().longestPause(), random);
        Servers servers = new Servers(
                settings.atOnce().perServer().value(), settings.tries().failuresToPause(), pauses, System::nanoTime);
        this.parts = new EngineParts(
                settings,
                new TransferRecords(store, clock),
                requireNonNull(credentials, "credentials is null"),
                new Attempt(protocols, policy, fileServers, settings.following(), clock),
                new Turns(settings, servers, timer, System::nanoTime),
                pauses,
                timer,
                System::nanoTime,
                EngineParts.nothingWatched(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder(),
                new LongAdder());
        var unused = timer.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void watch() {
        try {
            lookAtAll();
        } catch (RuntimeException e) {
            LOG.error("The transfers could not be looked at; that is done again", e);
        }
    }

    private void lookAtAll() {
        long now = parts.nanoTime().getAsLong();
        parts.watched().forEach(transfer -> transfer.interruptIfSilent(now));
        parts.turns().settle();
    }

    /**
     * Works on the request, or goes on working on it. The future completes on any thread; never where the engine is closed before.
     */
    public CompletableFuture<TransferResult> submit(TransferRequest request) {
        return submit(request, () -> {});
    }

    /**
     * The same, and tells of changes.
     *
     * @param changed is called when the request's {@link #tally} is another one; must return at once
     */
    public CompletableFuture<TransferResult> submit(TransferRequest request, Runnable changed) {
        if (isClosed) {
            return new CompletableFuture<>();
        }
        if (request.tasks().isEmpty()) {
            return CompletableFuture.completedFuture(TransferResult.DONE);
        }
        RunningRequest known = running.get(request.id());
        if (known != null) {
            return known.result();
        }
        RunningRequest made = new RunningRequest(parts, request, parts.records().of(request.job()), changed);
        RunningRequest other = running.putIfAbsent(request.id(), made);
        if (other != null) {
            return other.result();
        }
        var unused = made.result().whenComplete((result, failure) -> running.remove(request.id(), made));
        made.goOn();
        return made.result();
    }

    /** Stops a request; its future completes when nothing of it is on its way any more, at once where it is not known. */
    public CompletableFuture<?> cancel(String id) {
        RunningRequest request = running.get(id);
        if (request == null) {
            return CompletableFuture.completedFuture(null);
        }
        Thread.ofVirtual().name("cancel-" + id).start(request::stop);
        return request.result();
    }

    /**
     * Cancels the tasks of these places of a request, as far as they are not over, on their way or not. A request that is submitted
     * later leaves them out.
     *
     * @throws org.jobgate.job.FaultException if that cannot be written down
     */
    public void cancel(TransferRequest request, Set<Integer> places) {
        RunningRequest known = running.get(request.id());
        if (known != null) {
            known.cancel(places);
            return;
        }
        Map<String, TransferRecord> records = parts.records().of(request.job());
        for (int place : places) {
            String id = TransferRecords.id(request, place);
            TransferRecord record = records.getOrDefault(id, TransferRecord.NEW);
            if (!record.state().isOver()) {
                parts.records().put(request, id, record.cancelled());
            }
        }
    }

    /** How a request stands that is being worked on; empty for another. */
    public Optional<Tally> tally(String id) {
        return Optional.ofNullable(running.get(id)).map(RunningRequest::tally);
    }

    /** How the tasks of a request stand, in their order. */
    public List<TransferRecord> standing(TransferRequest request) {
        Map<String, TransferRecord> known = status(request.job());
        return IntStream.range(0, request.tasks().size())
                .mapToObj(place -> known.getOrDefault(TransferRecords.id(request, place), TransferRecord.NEW))
                .toList();
    }

    /**
     * Forgets what is remembered of a job's transfers. None of its requests must be on its way.
     *
     * @throws org.jobgate.job.FaultException if that cannot be written down
     */
    public void forget(JobId job) {
        parts.records().forget(job);
    }

    /** How the transfers of a job stand, by their ids; those that nothing has been done for yet are left out unless they wait now. */
    public Map<String, TransferRecord> status(JobId job) {
        Map<String, TransferRecord> all = parts.records().of(job);
        running.values().stream()
                .filter(request -> request.order().job().equals(job))
                .flatMap(request -> request.transfers().stream())
                .forEach(transfer -> all.put(transfer.id(), transfer.live()));
        return all;
    }

    /**
     * Figures of this moment, and since the start.
     *
     * @param waiting those whose turn has not come
     * @param made attempts that succeeded
     * @param failed transfers that were given up
     * @param retried attempts that failed and are repeated
     */
    public record Figures(int active, int waiting, long made, long failed, long retried, long bytes) {}

    /** How many transfers may be on their way at once from now on; those that are on their way stay. */
    public void allow(int active) {
        parts.turns().allow(active);
    }

    /** How many may be on their way at once. */
    public long allowed() {
        return parts.turns().allowed();
    }

    public Figures figures() {
        return new Figures(
                parts.turns().active(),
                parts.turns().waiting(),
                parts.moved().sum(),
                parts.failed().sum(),
                parts.retried().sum(),
                parts.bytes().sum());
    }

    /** The file servers of the site, by which it moves files of this machine. */
    public FileServers fileServers() {
        return fileServers;
    }

    /** Stops what is on its way, as it is: the next start goes on from there. */
    @Override
    public void close() {
        isClosed = true;
        running.values().forEach(RunningRequest::freeze);
        try {
            if (!parts.turns().drain(STOP_TIMEOUT)) {
                LOG.warn("Transfers did not stop within {}", STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
        protocols.close();
        fileServers.close();
    }
}
