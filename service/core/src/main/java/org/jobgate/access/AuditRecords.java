// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * What is on record of jobs, long after the gateway has forgotten them. Rows are maps by the names of docs/operate/accounting.md. Whom they may
 * be shown to is the front door's to see to, by the subject and {@link Caller#lookAsAdministrator}.
 *
 * <p>All throw {@link FaultException} of code {@code STORE_UNAVAILABLE} where the records cannot be read.
 */
public interface AuditRecords {

    /** Rows of one page. */
    int MOST_JOBS = 1_000;

    /** Characters of the texts of one page; the row that reaches it is the last of the page. Descriptions may be large. */
    int MOST_TEXT = 4 * 1024 * 1024;

    /** By what jobs can be added up. */
    List<String> KEYS = List.of("user", "vo", "account", "lrm", "queue", "month");

    /** For a gateway that keeps no records: every question is refused. */
    AuditRecords NONE = new AuditRecords() {
        @Override
        public Optional<Map<String, Object>> job(String id) {
            throw off();
        }

        @Override
        public List<Map<String, Object>> jobs(
                @Nullable String subject, Instant since, @Nullable String after, int limit) {
            throw off();
        }

        @Override
        public List<Map<String, Object>> usage(
                List<String> by, @Nullable String subject, Instant since, Instant until) {
            throw off();
        }

        @Override
        public List<Map<String, Object>> acts(Instant since, int limit) {
            throw off();
        }

        private FaultException off() {
            return new FaultException(Fault.of(
                    FaultCode.UNSUPPORTED_FEATURE,
                    "This gateway does not record its jobs.",
                    "Ask the site's administrator to set audit.enabled."));
        }
    };

    /** One job with its entries; empty where no such job is on record. */
    Optional<Map<String, Object>> job(String id);

    /**
     * A page of the jobs that were created in a time, in the order of their ids. It has fewer rows than the limit only where no more follow, or
     * where their texts come to {@value #MOST_TEXT} characters: see {@link #mayGoOn}.
     *
     * @param subject only of this owner; absent for all
     * @param after only those with a greater id; absent from the first on
     * @param limit 1 to {@value #MOST_JOBS}
     */
    List<Map<String, Object>> jobs(@Nullable String subject, Instant since, @Nullable String after, int limit);

    /** Whether further jobs may follow a page that was asked for with this limit. */
    static boolean mayGoOn(List<Map<String, Object>> page, int limit) {
        return page.size() >= limit
                || page.stream().mapToLong(AuditRecords::text).sum() >= MOST_TEXT;
    }

    /** How many characters the texts of a row have. */
    static long text(Map<String, Object> row) {
        return row.values().stream()
                .mapToLong(value -> value instanceof String text ? text.length() : 0)
                .sum();
    }

    /**
     * Sums of what jobs used that ended in a time.
     *
     * @param by some of {@link #KEYS}
     * @param subject only of this owner; absent for all
     * @throws FaultException also {@code LIMIT_EXCEEDED} where there were too many rows
     */
    List<Map<String, Object>> usage(List<String> by, @Nullable String subject, Instant since, Instant until);

    /** What administrators have done, newest first; {@code limit} is 1 to {@value #MOST_JOBS}. */
    List<Map<String, Object>> acts(Instant since, int limit);
}
