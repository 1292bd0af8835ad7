// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.SuspendWish;
import org.jspecify.annotations.Nullable;

/** What an owner's order, or one in the owner's name, changes in a job. */
final class OwnerOrders {

    private OwnerOrders() {}

    static void cancelForOwner(Transitions change) {
        cancel(change, JobOutcomes.cancelledByOwner(), "cancelled by its owner");
    }

    static void destroyForOwner(Transitions change) {
        cancel(change, JobOutcomes.cancelledByOwner(), "destroyed by its owner");
        change.note(change.job().withDestroyed(true).withTerminationTime(null), "its owner wants no more of it");
    }

    static void cancel(Transitions change, JobOutcome outcome, String note) {
        Job job = change.job();
        if (job.state().isTerminal() || (job.outcome() != null && job.outcome().outcome() != JobState.DONE)) {
            return;
        }
        if (job.state() == JobState.CLEAN_UP) {
            if (job.holding()) {
                change.note(job.withHolding(false), "released by a cancel after its end");
            }
            return;
        }
        change.note(
                job.withOutcome(placed(outcome, job.state())).withHolding(false).withHoldAt(null), note);
    }

    private static JobOutcome placed(JobOutcome outcome, JobState during) {
        Fault fault = outcome.fault();
        return fault == null ? outcome : JobOutcome.cancelled(fault.during(during));
    }

    /** @param again where its description says that it is to be held next, if anywhere */
    static void releaseForOwner(Transitions change, @Nullable JobState again) {
        boolean isFirst = change.job().holdAt() == JobState.STAGE_IN;
        release(change, "released by its owner", isFirst ? again : null);
    }

    static void release(Transitions change, String note) {
        release(change, note, null);
    }

    /** @param again where it is to be held next, if anywhere */
    private static void release(Transitions change, String note, @Nullable JobState again) {
        Job job = change.job();
        boolean isInLrm = job.state().isInLrm() && !job.localIds().isEmpty() && job.outcome() == null;
        if (isInLrm && (job.holding() || job.suspendWish() == SuspendWish.HOLD)) {
            change.note(job.withHolding(false).withHoldAt(again).withSuspendWish(SuspendWish.RESUME), note);
        } else if (!job.state().isTerminal() && (job.isHeld() || job.holdAt() != null)) {
            change.note(job.withHolding(job.waitsForOthers()).withHoldAt(again), note);
        }
    }
}
