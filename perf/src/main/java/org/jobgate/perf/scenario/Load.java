// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jobgate.perf.report.Latencies;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jspecify.annotations.Nullable;

/** Requests over several connections at once, each with its own thread. The connections stay open from run to run. */
final class Load implements AutoCloseable {

    private final Workers<GramClient> workers;
    private final boolean run;
    private final Instant terminationTime;

    /**
     * A load that does nothing yet.
     *
     * @param clients the connections, closed with this
     * @param run whether the jobs run; else they are held before the LRM sees them
     */
    Load(List<GramClient> clients, boolean run, Instant terminationTime) {
        this.workers = new Workers<>(clients);
        this.run = run;
        this.terminationTime = requireNonNull(terminationTime, "terminationTime is null");
    }

    /** Creates jobs at this pace until it is over. */
    Result create(Pace pace) throws InterruptedException {
        return send(pace, client -> client.create(request()));
    }

    /** The same with jobs that run this program. */
    Result create(Pace pace, List<String> program) throws InterruptedException {
        return send(
                pace,
                client -> client.create(new JobRequest(
                        newKey(), program.getFirst(), program.subList(1, program.size()), terminationTime, null)));
    }

    /** Sends requests at this pace until it is over. */
    Result send(Pace pace, Workers.Request<GramClient> request) throws InterruptedException {
        return workers.send(pace, request);
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    /** When the service may forget the jobs of this load. */
    Instant terminationTime() {
        return terminationTime;
    }

    private JobRequest request() {
        JobRequest request = JobRequest.noOp(newKey(), terminationTime);
        return run ? request : request.held();
    }

    /** Connections made by all clients so far. */
    long connects() {
        return workers.clients().stream()
                .mapToLong(client -> client.connection().connects())
                .sum();
    }

    @Override
    public void close() throws IOException {
        workers.close();
    }

    /**
     * What came of a run.
     *
     * @param seconds from its begin to the last reply
     * @param firstFailure what the first failed request said; absent where none failed
     */
    record Result(
            long accepted,
            long failed,
            double seconds,
            Latencies latencies,
            @Nullable String firstFailure) {

        static Result none() {
            return new Result(0, 0, 0, new Latencies(), null);
        }

        double perSecond() {
            return accepted / seconds;
        }

        Result plus(Result other) {
            Latencies sum = new Latencies();
            sum.add(latencies);
            sum.add(other.latencies);
            return new Result(
                    accepted + other.accepted,
                    failed + other.failed,
                    Math.max(seconds, other.seconds),
                    sum,
                    firstFailure != null ? firstFailure : other.firstFailure);
        }
    }
}
