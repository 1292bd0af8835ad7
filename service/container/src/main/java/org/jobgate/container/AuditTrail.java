// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.audit.Audit;
import org.jobgate.audit.AuditCopy;
import org.jobgate.audit.AuditKeeping;
import org.jobgate.audit.AuditSettings;
import org.jobgate.audit.AuditStore;
import org.jobgate.audit.Moved;
import org.jobgate.container.backup.ServerCopy;
import org.jobgate.container.config.AuditConfig;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jobgate.store.JobStore;
import org.jobgate.transfer.job.JobFiles;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The audit as this gateway has it: descriptions in the language of GRAM, whichever door the jobs came by. */
final class AuditTrail {

    private static final String JOB_SERVICE = "/ManagedExecutableJobService";
    private static final String FACTORY = "/ManagedJobFactoryService";

    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

    private AuditTrail() {}

    /**
     * Opens the records.
     *
     * @param services what the addresses of GT4's services begin with, without a slash at the end
     * @param files moves those of jobs; absent where none are moved
     */
    static Audit open(Base base, AuditConfig config, JobStore store, String services, @Nullable JobFiles files) {
        JddRenderer jdd = new JddRenderer(Generation.GT42, services + FACTORY);
        return new Audit(
                store,
                new AuditSettings(
                        place(config),
                        base.state(),
                        services + JOB_SERVICE,
                        Version.current(),
                        description -> XmlWriter.toText(out -> jdd.write(out, description, null)),
                        job -> files == null ? Optional.empty() : moved(files.moved(job)),
                        new AuditKeeping(config.keepRecords(), config.keepNames())));
    }

    private static AuditStore place(AuditConfig config) {
        return config.url() == null
                ? AuditStore.FILE
                : AuditStore.postgres(config.url(), config.user(), config.passwordFile());
    }

    /** Where the records are that a backup has to ask a server for; absent where there are none, or they are a file. */
    static @Nullable ServerCopy server(AuditConfig config) {
        if (!config.enabled() || config.url() == null) {
            return null;
        }
        AuditStore place = place(config);
        return new ServerCopy() {
            @Override
            public void make(Path target) throws IOException {
                AuditCopy.make(place, target);
            }

            @Override
            public List<String> restore(Path copy, Instant now) throws IOException {
                return AuditCopy.restore(place, copy, now);
            }
        };
    }

    private static Optional<Moved> moved(JobFiles.Moved files) {
        return files.attempts() == 0
                ? Optional.empty()
                : Optional.of(new Moved(
                        files.filesIn(),
                        files.bytesIn(),
                        files.filesOut(),
                        files.bytesOut(),
                        files.attempts(),
                        files.failures()));
    }

    /** Keeps what an administrator has done; what cannot be kept now is in the log. */
    static void record(@Nullable Audit audit, String who, String what, Optional<JobId> job) {
        if (audit != null) {
            audit.act(who, what, job)
                    .ifPresent(why -> LOG.warn(
                            "What an administrator did is not in the audit records: {}: {}: {}", who, what, why));
        }
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
