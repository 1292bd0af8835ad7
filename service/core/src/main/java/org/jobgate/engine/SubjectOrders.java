// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobOrders;
import org.jobgate.jobs.OtherVersionException;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;

/** What a subject can order for one of its own jobs. A job of another subject is treated as one that never was. */
final class SubjectOrders implements JobOrders {

    private final EngineContext context;
    private final SubjectReads reads;
    private final LrmRegistry registry;
    private final Clock clock;
    private final LongPredicate versions;

    SubjectOrders(EngineContext context, SubjectReads reads, Clock clock) {
        this(context, reads, clock, any -> true);
    }

    private SubjectOrders(EngineContext context, SubjectReads reads, Clock clock, LongPredicate versions) {
        this.context = context;
        this.reads = reads;
        this.registry = context.registry();
        this.clock = clock;
        this.versions = versions;
    }

    /** The same, only where the job has a version that is wanted. */
    SubjectOrders at(LongPredicate wanted) {
        return new SubjectOrders(context, reads, clock, wanted);
    }

    /** The job if the subject may see it; what is not wanted of it need not be looked at further. */
    private Optional<Job> find(String subject, JobId id) {
        Optional<Job> job = reads.find(subject, id);
        if (job.isPresent() && !versions.test(job.get().version())) {
            throw new OtherVersionException(job.get());
        }
        return job;
    }

    /**
     * Changes the job if the subject may see it, and answers it as it stood then, even if it is gone now. Its version is looked at again by
     * the writer: another order may have come between.
     */
    private Optional<Job> ifVisible(String subject, JobId id, Consumer<Transitions> change) {
        if (find(subject, id).isEmpty()) {
            return Optional.empty();
        }
        AtomicBoolean isOther = new AtomicBoolean(); // the writer may ask again
        Optional<Job> after = Writes.await(context.update(id, transitions -> {
            isOther.set(!versions.test(transitions.job().version()));
            if (!isOther.get()) {
                change.accept(transitions);
            }
        }));
        if (after.isPresent() && isOther.get()) {
            throw new OtherVersionException(after.get());
        }
        return after;
    }

    @Override
    public Optional<Job> cancel(String subject, JobId id) {
        Optional<Job> job = ifVisible(subject, id, OwnerOrders::cancelForOwner);
        job.ifPresent(context.files()::stopSendingOf);
        return job;
    }

    @Override
    public Optional<Job> destroy(String subject, JobId id) {
        Optional<Job> job = ifVisible(subject, id, OwnerOrders::destroyForOwner);
        job.ifPresent(context.files()::stopSendingOf);
        return job;
    }

    /** Ends any job, for the site's administrator. */
    Optional<Job> cancelAsAdministrator(JobId id, String reason) {
        JobOutcome outcome = JobOutcomes.cancelledByAdministrator(reason);
        return Writes.await(
                context.update(id, change -> OwnerOrders.cancel(change, outcome, "cancelled by the administrator")));
    }

    @Override
    public Optional<Job> release(String subject, JobId id) {
        JobState again =
                context.store().description(id).map(JobDescription::holdAgain).orElse(null);
        return ifVisible(subject, id, change -> OwnerOrders.releaseForOwner(change, again));
    }

    @Override
    public Optional<Job> hold(String subject, JobId id, @Nullable JobState at) {
        return find(subject, id).flatMap(job -> {
            Holds.check(job);
            boolean canHold = registry.canHold(job.lrm());
            return ifVisible(subject, id, change -> Holds.hold(change, at, job.lrm(), canHold));
        });
    }

    @Override
    public Optional<Job> suspend(String subject, JobId id) {
        return find(subject, id).flatMap(job -> {
            Lrm lrm = Suspensions.lrmOf(job, registry);
            return ifVisible(subject, id, change -> Suspensions.wishToSuspend(change, lrm.suspends(), lrm));
        });
    }

    @Override
    public Optional<Job> resume(String subject, JobId id) {
        return find(subject, id).flatMap(job -> {
            Lrm lrm = Suspensions.lrmOf(job, registry);
            return ifVisible(subject, id, change -> Suspensions.wishToResume(change, lrm.suspends(), lrm));
        });
    }

    Optional<Job> announce(String subject, JobId id, String note) {
        return ifVisible(subject, id, change -> {
            if (!change.job().state().isTerminal()) {
                change.note(change.job(), note);
            }
        });
    }

    @Override
    public Optional<Job> setTerminationTime(String subject, JobId id, @Nullable Instant time) {
        Admission.checkTerminationTime(time, clock.instant());
        return ifVisible(subject, id, change -> {
            if (!change.job().destroyed()) {
                boolean isOver = change.job().state().isTerminal();
                change.silently(change.job().withTerminationTime(isOver ? change.afterEnd(time) : time));
            }
        });
    }
}
