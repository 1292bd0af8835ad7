// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.report.Spread;
import tools.jackson.databind.JsonNode;

/**
 * What became of the jobs that were submitted after a certain one, by the service's own records.
 *
 * @param done how many ended as Done
 * @param other the states of those that did not, one word each
 * @param toLrmMs from the create of each job to when it ran in the LRM
 * @param lastInLrm when the last one came there
 * @param lastEnd when the last one ended
 */
record Fates(
        long done, List<String> other, List<Double> toLrmMs, Optional<Instant> lastInLrm, Optional<Instant> lastEnd) {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    Fates {
        other = List.copyOf(other);
        toLrmMs = List.copyOf(toLrmMs);
    }

    /** The newest job of now; empty where there is none. */
    static String newest(Gateway gateway) throws IOException {
        List<JsonNode> all = gateway.admin().jobs("");
        return all.isEmpty() ? "" : all.getLast().path("id").asString();
    }

    /** Waits until no job lives, at most half an hour. */
    static boolean awaitEnd(Gateway gateway, String what, long number) throws IOException, InterruptedException {
        Progress progress = Progress.of(what, number);
        boolean over = Waiting.until(TIMEOUT, () -> {
            long live = gateway.admin().status().path("liveJobs").asLong(1);
            progress.at(number - live);
            return live == 0;
        });
        progress.end();
        return over;
    }

    /** The fates of all jobs after that one. */
    static Fates after(Gateway gateway, String last) throws IOException {
        long done = 0;
        List<String> other = new ArrayList<>();
        List<Double> toLrm = new ArrayList<>();
        Instant inLrm = null;
        Instant end = null;
        for (JsonNode listed : gateway.admin().jobs(last)) {
            JsonNode whole = gateway.admin().job(listed.path("id").asString());
            JobRecord job = JobRecord.of(whole);
            if (job.state().equals("DONE")) {
                done++;
            } else {
                other.add(job.state() + ": "
                        + whole.path("outcome").path("sentence").asString("no reason told"));
            }
            Optional<Instant> active = JobRecord.reached(whole, "ACTIVE");
            if (active.isPresent()) {
                toLrm.add(Duration.between(job.created(), active.get()).toNanos() / 1e6);
                inLrm = later(inLrm, active.get());
            }
            if (job.ended().isPresent()) {
                end = later(end, job.ended().get());
            }
        }
        return new Fates(done, other, toLrm, Optional.ofNullable(inLrm), Optional.ofNullable(end));
    }

    private static Instant later(@org.jspecify.annotations.Nullable Instant one, Instant two) {
        return one == null || one.isBefore(two) ? two : one;
    }

    /** The median time to the LRM, in milliseconds; 0 where none came there. */
    double medianToLrm() {
        return toLrmMs.isEmpty() ? 0 : Spread.of(toLrmMs).median();
    }
}
