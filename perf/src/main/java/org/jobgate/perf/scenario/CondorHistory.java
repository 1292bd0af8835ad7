// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HTCondor's own account of jobs that have left its queue, by {@code condor_history}. */
final class CondorHistory {

    /**
     * What a number of HTCondor may be away from ours: it counts in whole seconds, wall time from a rounded beginning to a rounded end, and
     * processor time in two parts.
     */
    static final long ROUNDING_MS = 2_000;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration BETWEEN = Duration.ofSeconds(2);
    private static final Pattern LINE = Pattern.compile(
            "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([0-9.]{1,20}) ([0-9.]{1,20}) ([0-9.]{1,20})");

    private CondorHistory() {}

    /**
     * Reads it, again and again until it has these jobs, for a minute at the most.
     *
     * @param as who has given the jobs to HTCondor
     * @throws IOException if HTCondor had one of the jobs twice
     */
    static Map<String, UsedByJob> ends(DirectLrm.Direct as, Set<String> jobs) throws IOException, InterruptedException {
        Map<String, UsedByJob> ends = new HashMap<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            ends = read(
                    as.says(
                            "condor_history",
                            "-af",
                            "JobgateId",
                            "RemoteUserCpu",
                            "RemoteSysCpu",
                            "RemoteWallClockTime"),
                    jobs);
            if (ends.keySet().containsAll(jobs)) {
                return ends;
            }
            Thread.sleep(BETWEEN);
        } while (System.nanoTime() < end);
        return ends;
    }

    /**
     * What the command has printed; lines of other jobs are passed over. The pool may have had jobs of others before, with several processes
     * that all carry one id.
     */
    static Map<String, UsedByJob> read(String printed, Set<String> jobs) throws IOException {
        Map<String, UsedByJob> ends = new HashMap<>();
        for (String line : printed.lines().toList()) {
            Optional<UsedByJob> used = readLine(line.strip());
            boolean isOurs = used.isPresent() && jobs.contains(used.get().job());
            if (isOurs && ends.put(used.get().job(), used.get()) != null) {
                throw new IOException("HTCondor had the job " + used.get().job() + " twice");
            }
        }
        return ends;
    }

    private static Optional<UsedByJob> readLine(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? Optional.of(new UsedByJob(
                        matcher.group(1),
                        millis(matcher.group(4)),
                        millis(matcher.group(2)) + millis(matcher.group(3))))
                : Optional.empty();
    }

    private static long millis(String seconds) {
        return new BigDecimal(seconds)
                .movePointRight(3)
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }
}
