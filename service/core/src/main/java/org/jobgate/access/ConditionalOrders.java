// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobOrders;
import org.jspecify.annotations.Nullable;

/**
 * The orders of {@link Jobs}, each carried out only where the job has a version that is wanted when the order is written. Of two orders on
 * the same version that change the job, one is carried out; the other throws an {@link org.jobgate.jobs.OtherVersionException}. The site's
 * policy is asked first, as for all orders.
 */
public final class ConditionalOrders {

    private final JobOrders orders;

    ConditionalOrders(JobOrders orders) {
        this.orders = requireNonNull(orders, "orders is null");
    }

    /** As {@link Jobs#cancel}. */
    public Optional<Job> cancel(Caller caller, JobId id) {
        return orders.cancel(caller.manage(OwnedKind.JOBS), id);
    }

    /** As {@link Jobs#hold}. */
    public Optional<Job> hold(Caller caller, JobId id, @Nullable JobState at) {
        return orders.hold(caller.manage(OwnedKind.JOBS), id, at);
    }

    /** As {@link Jobs#release}. */
    public Optional<Job> release(Caller caller, JobId id) {
        return orders.release(caller.manage(OwnedKind.JOBS), id);
    }

    /** As {@link Jobs#suspend}. */
    public Optional<Job> suspend(Caller caller, JobId id) {
        return orders.suspend(caller.manage(OwnedKind.JOBS), id);
    }

    /** As {@link Jobs#resume}. */
    public Optional<Job> resume(Caller caller, JobId id) {
        return orders.resume(caller.manage(OwnedKind.JOBS), id);
    }

    /** As {@link Jobs#destroy}. */
    public Optional<Job> destroy(Caller caller, JobId id) {
        return orders.destroy(caller.manage(OwnedKind.JOBS), id);
    }

    /** As {@link Jobs#setTerminationTime}. */
    public Optional<Job> setTerminationTime(Caller caller, JobId id, @Nullable Instant time) {
        return orders.setTerminationTime(caller.manage(OwnedKind.JOBS), id, time);
    }
}
