// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.AdminSocket;
import tools.jackson.databind.JsonNode;

/** Whether each job is in the audit records once, with its end, and the records are as they were written. */
final class CrashAudit {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> MOMENTS = List.of("CREATED", "QUEUED", "ENDED");

    private CrashAudit() {}

    /**
     * Looks at the records of jobs that have ended.
     *
     * @param exitCodes what each ended with, by id
     * @return one sentence for each that is wrong
     */
    static List<String> findings(AdminSocket admin, Map<String, Integer> exitCodes)
            throws IOException, InterruptedException {
        List<String> findings = new ArrayList<>();
        for (Map.Entry<String, Integer> job : exitCodes.entrySet()) {
            // the last ends may be recorded a moment after they were told
            Waiting.until(
                    PATIENCE, () -> wrong(admin, job.getKey(), job.getValue()).isEmpty());
            String wrong = wrong(admin, job.getKey(), job.getValue());
            if (!wrong.isEmpty()) {
                findings.add("audit: " + wrong);
            }
        }
        JsonNode proof = admin.auditProof();
        if (proof.has("fault")) {
            findings.add("audit: " + proof.path("fault").asString());
        }
        return findings;
    }

    /**
     * What the records and the LRM say that all jobs used together.
     *
     * @param widestMillis the widest difference of one number of one job
     * @param findings one sentence for each difference that is wider than the LRM's rounding
     */
    record Sums(
            long jobs,
            long recordedCpuMillis,
            long lrmCpuMillis,
            long recordedWallMillis,
            long lrmWallMillis,
            long widestMillis,
            List<String> findings) {

        String text() {
            return "of " + jobs + " jobs " + recordedCpuMillis + " ms of processor time and " + recordedWallMillis
                    + " ms of wall time are on record; the LRM says " + lrmCpuMillis + " ms and " + lrmWallMillis
                    + " ms; the widest difference of one number is " + widestMillis + " ms";
        }
    }

    /**
     * Compares what the records say that jobs used with what the LRM itself has written down: of each job, and of all together.
     *
     * @param ends the LRM's own account, by the ids of the jobs
     * @param roundingMillis what one number of it may be away from the records
     */
    static Sums sums(AdminSocket admin, Iterable<String> jobs, Map<String, UsedByJob> ends, long roundingMillis)
            throws IOException {
        List<String> findings = new ArrayList<>();
        long cpu = 0;
        long wall = 0;
        long lrmCpu = 0;
        long lrmWall = 0;
        long known = 0;
        long widest = 0;
        for (String job : jobs) {
            JsonNode record = admin.auditRecord(job);
            UsedByJob used = ends.get(job);
            if (used == null) {
                findings.add("audit: the LRM has no end of job " + job);
                continue;
            }
            long recordedCpu = record.path("cpu_ms").asLong(-1);
            long recordedWall = record.path("wall_ms").asLong(-1);
            cpu += recordedCpu;
            wall += recordedWall;
            lrmCpu += used.cpuMillis();
            lrmWall += used.wallMillis();
            known++;
            long difference =
                    Math.max(Math.abs(recordedCpu - used.cpuMillis()), Math.abs(recordedWall - used.wallMillis()));
            widest = Math.max(widest, difference);
            if (recordedCpu < 0 || recordedWall < 0 || difference > roundingMillis) {
                findings.add("audit: job " + job + " is recorded with " + record + "; its LRM says " + used);
            }
        }
        JsonNode total = admin.usage("by=lrm&uncharged=").path(0);
        if (total.path("jobs").asLong(-1) != known
                || total.path("cpu_ms").asLong(-1) != cpu
                || total.path("wall_ms").asLong(-1) != wall) {
            findings.add("audit: all together are recorded with " + total + "; one by one they are " + known + " jobs, "
                    + cpu + " ms of processor time and " + wall + " ms of wall time");
        }
        return new Sums(known, cpu, lrmCpu, wall, lrmWall, widest, findings);
    }

    private static String wrong(AdminSocket admin, String id, int exitCode) {
        JsonNode record;
        try {
            record = admin.auditRecord(id);
        } catch (IOException e) {
            return "job " + id + " is not on record: " + e.getMessage();
        }
        List<String> moments = new ArrayList<>();
        record.path("entries").forEach(entry -> moments.add(entry.path("kind").asString()));
        // an LRM whose accounting answers later than the end is known adds what was used
        moments.remove("USED");
        if (!moments.equals(MOMENTS)) {
            return "job " + id + " is recorded " + moments + " instead of " + MOMENTS;
        }
        boolean isSame = record.path("outcome").asString("").equals("DONE")
                && record.path("exit_code").asInt(-1) == exitCode;
        return isSame ? "" : "job " + id + " is recorded as " + record + "; it ended with " + exitCode;
    }
}
