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
