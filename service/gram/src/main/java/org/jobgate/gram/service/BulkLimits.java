// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import org.jobgate.limits.Limit;
import org.jobgate.store.JobQuery;

/**
 * The bounds of operations on many jobs at once.
 *
 * @param created jobs of one {@code createManagedJobs}
 * @param listed jobs in one answer of {@code listJobs}; at most {@link JobQuery#MAX_LIMIT}
 */
public record BulkLimits(Limit created, Limit listed) {

    public BulkLimits {
        requireNonNull(created, "created is null");
        requireNonNull(listed, "listed is null");
        if (listed.value() < 1 || listed.value() > JobQuery.MAX_LIMIT) {
            throw new IllegalArgumentException(
                    listed.name() + " is " + listed.value() + "; it must be 1 to " + JobQuery.MAX_LIMIT);
        }
    }

    public static BulkLimits defaults() {
        return new BulkLimits(new Limit("gram.maxBulkJobs", 1_000), new Limit("gram.maxListedJobs", 1_000));
    }
}
