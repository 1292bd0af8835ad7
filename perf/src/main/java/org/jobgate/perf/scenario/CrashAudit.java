// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
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
     * Compares what the records say that jobs used with what Fork itself has written down: of each job, and of all together.
     *
     * @return one sentence for each that is different
     */
    static List<String> sums(AdminSocket admin, Iterable<String> jobs, Path spool) throws IOException {
        Map<String, StarterRecord.Used> ends = StarterRecord.ends(spool);
        List<String> findings = new ArrayList<>();
        long cpu = 0;
        long wall = 0;
        long known = 0;
        for (String job : jobs) {
            JsonNode record = admin.auditRecord(job);
            StarterRecord.Used used = ends.get(job);
            if (used == null) {
                findings.add("audit: Fork has no end of job " + job);
                continue;
            }
            cpu += used.cpuMillis();
            wall += used.wallMillis();
            known++;
            if (record.path("cpu_ms").asLong(-1) != used.cpuMillis()
                    || record.path("wall_ms").asLong(-1) != used.wallMillis()) {
                findings.add("audit: job " + job + " is recorded with " + record + "; Fork says " + used);
            }
        }
        JsonNode total = admin.usage("by=lrm&uncharged=").path(0);
        if (total.path("jobs").asLong(-1) != known
                || total.path("cpu_ms").asLong(-1) != cpu
                || total.path("wall_ms").asLong(-1) != wall) {
            findings.add("audit: all together are recorded with " + total + "; Fork says " + known + " jobs, " + cpu
                    + " ms of processor time and " + wall + " ms of wall time");
        }
        return findings;
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
        if (!moments.equals(MOMENTS)) {
            return "job " + id + " is recorded " + moments + " instead of " + MOMENTS;
        }
        boolean isSame = record.path("outcome").asString("").equals("DONE")
                && record.path("exit_code").asInt(-1) == exitCode;
        return isSame ? "" : "job " + id + " is recorded as " + record + "; it ended with " + exitCode;
    }
}
