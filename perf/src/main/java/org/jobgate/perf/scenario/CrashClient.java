// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;

/**
 * One client that submits its jobs in turn and repeats each under the same key until it is acknowledged, as a client of a service that
 * may die at any time must.
 */
final class CrashClient implements Callable<Void> {

    private static final long RETRY_MS = 50;

    private final GramClient client;
    private final List<CrashPlan.PlannedJob> jobs;
    private final Instant terminationTime;
    private final Instant deadline;
    private final Shared shared;

    /**
     * A client.
     *
     * @param jobs those that are this client's to submit
     * @param deadline when it gives up
     */
    CrashClient(
            GramClient client,
            List<CrashPlan.PlannedJob> jobs,
            Instant terminationTime,
            Instant deadline,
            Shared shared) {
        this.client = requireNonNull(client, "client is null");
        this.jobs = List.copyOf(jobs);
        this.terminationTime = requireNonNull(terminationTime, "terminationTime is null");
        this.deadline = requireNonNull(deadline, "deadline is null");
        this.shared = requireNonNull(shared, "shared is null");
    }

    @Override
    public Void call() throws Exception {
        try (client) {
            for (CrashPlan.PlannedJob job : jobs) {
                shared.turns.acquire();
                Thread.sleep(job.submitDelayMs());
                submit(job);
            }
        }
        return null;
    }

    private void submit(CrashPlan.PlannedJob job) throws InterruptedException {
        JobRequest request = job.request(terminationTime);
        while (Instant.now().isBefore(deadline)) {
            try {
                shared.acknowledged.put(job.key(), client.create(request));
                return;
            } catch (IOException unclear) {
                shared.unclear.incrementAndGet();
            } catch (RefusedException refused) {
                shared.refusals.merge(String.valueOf(refused.getMessage()), 1L, Long::sum);
            }
            Thread.sleep(RETRY_MS);
        }
    }

    /** What the clients have in common. */
    static final class Shared {
        /** One permit lets one job be submitted: so the jobs are spread over all lives of the service. */
        final Semaphore turns = new Semaphore(0);
        /** The service's id of each acknowledged key. */
        final Map<String, String> acknowledged = new ConcurrentHashMap<>();
        /** Requests of which the client did not learn what became. */
        final AtomicLong unclear = new AtomicLong();
        /** What the service said where it said no, and how often. */
        final Map<String, Long> refusals = new ConcurrentHashMap<>();
    }
}
