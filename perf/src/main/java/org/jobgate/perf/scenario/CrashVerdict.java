// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a crash run found. All counts but {@code acknowledged} must be 0.
 *
 * @param acknowledged keys for which the service said that it has the job
 * @param unacknowledged keys for which it never did, though it was asked until the end
 * @param lost acknowledged keys whose job left no line, or that the service does not know any more
 * @param doubled keys whose job left more than one line, or that name more than one job
 * @param changed jobs that are not Done: nothing but the service's own death happened to them
 * @param unknownExit jobs whose exit code the service does not know
 * @param wrongExit jobs whose exit code is another than the one they ended with
 * @param findings one sentence for each, at most 50
 */
record CrashVerdict(
        int acknowledged,
        int unacknowledged,
        int lost,
        int doubled,
        int changed,
        int unknownExit,
        int wrongExit,
        List<String> findings) {

    private static final int MAX_FINDINGS = 50;
    private static final String DONE = "Done";

    /** Whether nothing was wrong. */
    boolean isClean() {
        return unacknowledged + lost + doubled + changed + unknownExit + wrongExit == 0;
    }

    /**
     * What is known of one key at the end.
     *
     * @param expectedExit what its job ended with
     * @param acknowledgedAs the id the service first gave; absent if it was never acknowledged
     * @param submittedAgainAs the id it gave to the same key at the end; absent if it refused
     * @param lines what its job wrote
     * @param jobsOfKey how many jobs the service lists under this key
     * @param state as the owner sees it; absent if the service does not know the job
     * @param exitCode as the owner sees it
     */
    record Observation(
            String key,
            int expectedExit,
            Optional<String> acknowledgedAs,
            Optional<String> submittedAgainAs,
            List<String> lines,
            int jobsOfKey,
            Optional<String> state,
            Optional<Integer> exitCode) {}

    /**
     * Judges.
     *
     * @param heldBefore how jobs stood that were held all the time, before the first kill, by id
     * @param heldAfter the same jobs after the last one
     */
    static CrashVerdict of(
            List<Observation> observations, Map<String, String> heldBefore, Map<String, String> heldAfter) {
        Count count = new Count();
        for (Observation job : observations) {
            count.judge(job);
        }
        heldBefore.forEach((id, standing) -> {
            String now = heldAfter.get(id);
            if (now == null) {
                count.lost++;
                count.find("held job " + id + " is gone");
            } else if (!now.equals(standing)) {
                count.changed++;
                count.find("held job " + id + " was '" + standing + "' and is '" + now + "'");
            }
        });
        return new CrashVerdict(
                count.acknowledged,
                count.unacknowledged,
                count.lost,
                count.doubled,
                count.changed,
                count.unknownExit,
                count.wrongExit,
                List.copyOf(count.findings));
    }

    /** The counts while they grow. */
    private static final class Count {
        private final List<String> findings = new ArrayList<>();
        private int acknowledged;
        private int unacknowledged;
        private int lost;
        private int doubled;
        private int changed;
        private int unknownExit;
        private int wrongExit;

        void find(String sentence) {
            if (findings.size() < MAX_FINDINGS) {
                findings.add(sentence);
            }
        }

        void judge(Observation job) {
            if (job.acknowledgedAs().isEmpty()) {
                unacknowledged++;
                find(job.key() + " was never acknowledged");
                return;
            }
            acknowledged++;
            if (job.lines().isEmpty() || job.state().isEmpty()) {
                lost++;
                find(job.key() + " left " + job.lines().size() + " lines and is in state "
                        + job.state().orElse("(unknown to the service)"));
            }
            judgeOnce(job);
            judgeEnd(job);
        }

        private void judgeOnce(Observation job) {
            boolean sameJob = job.submittedAgainAs().equals(job.acknowledgedAs());
            boolean oneLine = job.lines().size() < 2 && job.lines().stream().allMatch(job.key()::equals);
            if (!sameJob || !oneLine || job.jobsOfKey() > 1) {
                doubled++;
                find(job.key() + " was acknowledged as " + job.acknowledgedAs().orElse("") + ", submitted again as "
                        + job.submittedAgainAs().orElse("(refused)") + ", is listed " + job.jobsOfKey()
                        + " times and left the lines " + job.lines());
            }
        }

        private void judgeEnd(Observation job) {
            if (job.state().isPresent() && !job.state().get().equals(DONE)) {
                changed++;
                find(job.key() + " is " + job.state().get() + " instead of " + DONE);
            }
            if (job.exitCode().isEmpty()) {
                unknownExit++;
                find(job.key() + " has no exit code; it ended with " + job.expectedExit());
            } else if (job.exitCode().get() != job.expectedExit()) {
                wrongExit++;
                find(job.key() + " is said to have ended with " + job.exitCode().get() + "; it ended with "
                        + job.expectedExit());
            }
        }
    }
}
