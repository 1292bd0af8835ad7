// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jobgate.access.AuditRecords;
import org.jobgate.audit.Audit;
import org.jobgate.audit.UsageReports;
import org.jobgate.audit.usage.UsageSettings;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/** The audit as front doors ask it. It is opened after them, as it must know where they are. */
final class RecordsForDoors implements AuditRecords {

    private final Supplier<@Nullable Audit> audit;

    RecordsForDoors(Supplier<@Nullable Audit> audit) {
        this.audit = audit;
    }

    private Audit audit() {
        Audit opened = audit.get();
        if (opened == null) {
            throw new FaultException(Fault.of(
                    FaultCode.STORE_UNAVAILABLE, "The audit records are not open yet.", "Try again in a moment."));
        }
        return opened;
    }

    @Override
    public Optional<Map<String, Object>> job(String id) {
        return audit().job(id);
    }

    @Override
    public List<Map<String, Object>> jobs(@Nullable String subject, Instant since, @Nullable String after, int limit) {
        return audit().jobs(subject, since, after, limit);
    }

    @Override
    public List<Map<String, Object>> usage(List<String> by, @Nullable String subject, Instant since, Instant until) {
        List<UsageReports.Key> keys = by.stream()
                .map(word -> UsageReports.Key.of(word)
                        .orElseThrow(() -> new IllegalArgumentException("no key of usage: " + word)))
                .toList();
        return audit().usage().totals(keys, subject, since, until, UsageSettings.FAULTS_OF_SITE);
    }

    @Override
    public List<Map<String, Object>> acts(Instant since, int limit) {
        return audit().acts(since, limit);
    }
}
