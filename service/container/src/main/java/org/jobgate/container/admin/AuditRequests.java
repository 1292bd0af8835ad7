// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jobgate.audit.Audit;
import org.jspecify.annotations.Nullable;

/** What the administrator asks the audit. */
final class AuditRequests {

    private static final int PAGE = 1_000;

    private final @Nullable Audit audit;

    AuditRequests(@Nullable Audit audit) {
        this.audit = audit;
    }

    private Audit audit() {
        if (audit == null) {
            throw new AdminFault(
                    409,
                    "AUDIT_OFF",
                    "This gateway does not record its jobs.",
                    "Set audit.enabled to true and restart.");
        }
        return audit;
    }

    Object job(String id) {
        return audit().job(id.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new AdminFault(
                        404,
                        "NOT_FOUND",
                        "No job " + id + " is recorded.",
                        "Give the whole id; jobgate audit list shows those that are recorded."));
    }

    /** One page, in the order of the ids; the last one's id as {@code after} gives the next. */
    Object jobs(Function<String, @Nullable String> parameter) {
        return Map.of(
                "jobs",
                audit().jobs(
                                parameter.apply("subject"),
                                UsageRequests.time("since", parameter.apply("since"), Instant.EPOCH),
                                parameter.apply("after"),
                                PAGE));
    }

    /** What administrators have done, newest first. */
    Object acts(Function<String, @Nullable String> parameter) {
        return Map.of("acts", audit().acts(UsageRequests.time("since", parameter.apply("since"), Instant.EPOCH), PAGE));
    }

    UsageRequests usage() {
        return new UsageRequests(audit().usage());
    }

    Object verify() {
        return audit().verify();
    }
}
