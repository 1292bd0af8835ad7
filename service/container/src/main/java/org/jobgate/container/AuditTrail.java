// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.Map;
import org.jobgate.audit.Audit;
import org.jobgate.audit.AuditSettings;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gt4.Generation;
import org.jobgate.store.JobStore;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The audit as this gateway has it: descriptions in the language of GRAM, whichever door the jobs came by. */
final class AuditTrail {

    private static final String JOB_SERVICE = "/ManagedExecutableJobService";
    private static final String FACTORY = "/ManagedJobFactoryService";

    private AuditTrail() {}

    /**
     * Opens the records.
     *
     * @param services what the addresses of GT4's services begin with, without a slash at the end
     */
    static Audit open(Base base, JobStore store, String services) {
        JddRenderer jdd = new JddRenderer(Generation.GT42, services + FACTORY);
        return new Audit(
                store,
                new AuditSettings(
                        base.state(),
                        services + JOB_SERVICE,
                        Version.current(),
                        description -> XmlWriter.toText(out -> jdd.write(out, description, null))));
    }

    /** Unwell while nothing can be recorded, and where the end of the records was cut off. */
    static HealthCheck.Finding health(@Nullable Audit audit) {
        if (audit == null) {
            return HealthCheck.Finding.unwell("The audit records are not open yet.");
        }
        return audit.trouble()
                .map(why -> HealthCheck.Finding.unwell("Jobs cannot be recorded for the audit: " + why
                        + ". They go on, and are recorded when this is mended; see the log."))
                .or(() -> audit.damage()
                        .map(what -> HealthCheck.Finding.unwell("Audit records are missing: " + what
                                + ". Jobs are recorded on; see jobgate audit verify, and docs/operate/accounting.md.")))
                .orElseGet(() -> HealthCheck.Finding.well(Map.of("changesNotRecorded", audit.lag())));
    }
}
