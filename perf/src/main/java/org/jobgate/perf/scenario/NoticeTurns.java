// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.Consumer;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.ToldEnd;

/** Turns of {@link Notice}: jobs one after another at a steady pace, each watched by the consumer and by a client that waits. */
final class NoticeTurns implements AutoCloseable {

    /** From a turn's last submission until all its ends must be known: a polled LRM needs its time, and HTCondor a negotiation. */
    private static final Duration END_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration PUSH_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RECORD_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration JOB_LIFETIME = Duration.ofDays(1);

    private final Gateway gateway;
    private final Sandbox sandbox;
    private final Consumer consumer;
    private final Waiters waiters;
    private final GramClient client;
    private final Duration every;
    private int started;

    /**
     * Turns that did not begin yet.
     *
     * @param sandbox where the jobs write, as their account
     * @param waiters as many as the greatest turn has jobs; closed with this
     * @param every from one submission to the next
     */
    NoticeTurns(Lab lab, Gateway gateway, Sandbox sandbox, Consumer consumer, Waiters waiters, Duration every)
            throws IOException, GeneralSecurityException {
        this.gateway = requireNonNull(gateway, "gateway is null");
        this.sandbox = requireNonNull(sandbox, "sandbox is null");
        this.consumer = requireNonNull(consumer, "consumer is null");
        this.waiters = requireNonNull(waiters, "waiters is null");
        this.client = lab.client(lab.tls());
        this.every = requireNonNull(every, "every is null");
    }

    /**
     * Runs so many jobs, and answers when all have ended and are known to have, or their time is over; those of which the client knows no
     * end by then are destroyed.
     *
     * @param log HTCondor's event log; empty where its record is not looked at
     */
    List<Ending> run(int jobs, Optional<Path> log) throws IOException, InterruptedException {
        Optional<CondorRecord> record =
                log.isPresent() ? Optional.of(CondorRecord.fromNow(log.get())) : Optional.empty();
        Duration timeout = every.multipliedBy(jobs).plus(END_TIMEOUT);
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Watched> watched = submit(jobs, timeout, deadline);
        List<Optional<ToldEnd>> answered = new ArrayList<>();
        for (Watched job : watched) {
            answered.add(Waiters.result(job.waiter(), deadline));
        }
        Waiting.until(
                PUSH_TIMEOUT,
                () -> watched.stream().allMatch(job -> consumer.end(job.id()).isPresent()));
        Map<String, Instant> recorded = record.isPresent() ? recorded(record.get(), watched) : Map.of();
        List<Ending> endings = new ArrayList<>();
        for (int i = 0; i < watched.size(); i++) {
            Watched job = watched.get(i);
            if (answered.get(i).isEmpty()) {
                destroy(job.id());
            }
            endings.add(new Ending(
                    job.act().ended(),
                    Optional.ofNullable(recorded.get(job.id())),
                    consumer.end(job.id()),
                    answered.get(i)));
        }
        return endings;
    }

    /** A job that is not acknowledged is told, and missing in the list. */
    private List<Watched> submit(int jobs, Duration timeout, long deadline) {
        List<Watched> watched = new ArrayList<>();
        Pace pace = Pace.openLoop(timeout, jobs, 1e9 / every.toNanos());
        // the pace alone goes by when a job is due: a service that stalls would have them all all the same
        while (deadline - System.nanoTime() > 0 && pace.next().isPresent()) {
            LastAct act = LastAct.of(sandbox.directory(), started++);
            List<String> program = act.program();
            JobRequest request = new JobRequest(
                            Load.newKey(),
                            program.getFirst(),
                            program.subList(1, program.size()),
                            Instant.now().plus(JOB_LIFETIME),
                            null)
                    .telling(consumer.url());
            try {
                String id = client.create(request);
                watched.add(new Watched(id, act, waiters.await(id, deadline)));
            } catch (IOException | RefusedException e) {
                Scenario.progress("a job was not acknowledged: " + e.getMessage());
            }
        }
        return watched;
    }

    /** When HTCondor recorded the end of each job, by our id of it. */
    private Map<String, Instant> recorded(CondorRecord record, List<Watched> watched)
            throws IOException, InterruptedException {
        Map<String, String> theirs = new HashMap<>();
        for (Watched job : watched) {
            theirs.put(
                    job.id(),
                    gateway.admin().job(job.id()).path("localIds").path(0).asString(""));
        }
        Map<String, Instant> ends;
        try {
            Waiting.until(RECORD_TIMEOUT, () -> record.ends().keySet().containsAll(theirs.values()));
            ends = record.ends();
        } catch (IOException e) {
            // a log that HTCondor has begun anew, at 100 MB: what the clients were told is good all the same
            Scenario.progress("HTCondor's record is not known: " + e.getMessage());
            return Map.of();
        }
        Map<String, Instant> ours = new HashMap<>();
        theirs.forEach((id, local) -> {
            if (ends.containsKey(local)) {
                ours.put(id, ends.get(local));
            }
        });
        if (ours.size() < watched.size()) {
            Scenario.progress(
                    "HTCondor's event log tells the end of " + ours.size() + " of " + watched.size() + " jobs");
        }
        return ours;
    }

    private void destroy(String id) throws IOException {
        try {
            client.destroy(id);
        } catch (RefusedException e) {
            Scenario.progress("job " + id + " could not be destroyed: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        try (waiters) {
            client.close();
        }
    }

    /**
     * A job that was taken.
     *
     * @param waiter ends when the client that waits knows of the end, or its time is over
     */
    private record Watched(String id, LastAct act, Future<Optional<ToldEnd>> waiter) {}
}
