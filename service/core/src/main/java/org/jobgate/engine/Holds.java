// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.Locale;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.SuspendWish;
import org.jspecify.annotations.Nullable;

/**
 * Holds jobs by order of their owner. A job that its LRM does not have yet is held before it is given to it; for one that waits in its
 * LRM a wish is stored, which {@link Suspensions} brings to the LRM. {@link OwnerOrders} releases both.
 */
final class Holds {

    private static final String WANTED = "its owner wants it held";

    private Holds() {}

    /**
     * Writes down that the owner wants the job held.
     *
     * @param at before the work of which state; absent: where it waits
     * @param lrm of the job
     * @param canHold whether the LRM can hold jobs that wait in it
     * @throws FaultException {@code WRONG_STATE} or {@code UNSUPPORTED_FEATURE} where that cannot be
     */
    static void hold(Transitions change, @Nullable JobState at, String lrm, boolean canHold) {
        Job job = change.job();
        if (at != null && !at.isHoldable()) {
            throw new IllegalArgumentException("no job is held at " + at);
        }
        if (at != null && OnlyTransfers.is(job) && !OnlyTransfers.reaches(at)) {
            throw wrongState(
                    "The job only moves files, so it never comes to " + word(at) + " and cannot be held there.",
                    "Hold it before " + word(JobState.STAGE_IN) + " or " + word(JobState.CLEAN_UP) + ".");
        }
        boolean isHeld = job.isHeld() && (at == null || at == job.state());
        if (isHeld) {
            return;
        }
        if (at == null || (at == JobState.PENDING && job.state().isInLrm())) {
            holdWhereItWaits(change, lrm, canHold);
        } else if (isPast(job, at)) {
            throw wrongState(
                    "The job is in the state " + word(job.state()) + ", so it cannot be held before " + word(at) + ".",
                    "Hold it before a later state.");
        } else if (job.holdAt() != at) {
            change.note(job.withHoldAt(at), WANTED + " before " + word(at));
        }
    }

    private static void holdWhereItWaits(Transitions change, String lrm, boolean canHold) {
        Job job = change.job();
        boolean runs = job.state() == JobState.ACTIVE && job.outcome() == null;
        boolean isMoving = OnlyTransfers.is(job) && job.state() != JobState.UNSUBMITTED;
        if (runs || isMoving || Suspensions.isEnding(job)) {
            throw wrongState(
                    "The job is in the state " + word(job.state()) + " and does not wait, so it cannot be held.",
                    runs ? "Suspend it, or hold it before a later state." : "Hold jobs that wait.");
        }
        if (job.localIds().isEmpty()) {
            JobState first = OnlyTransfers.is(job) ? JobState.STAGE_IN : JobState.PENDING;
            boolean isHeldFirst = job.holdAt() == JobState.STAGE_IN || job.holdAt() == first;
            if (!isHeldFirst) {
                change.note(job.withHoldAt(first), WANTED);
            }
        } else if (!canHold) {
            throw Suspensions.refusal(
                    "The LRM " + lrm + " has the job and cannot hold it.", "Cancel the job, or let it run.");
        } else if (job.suspendWish() != SuspendWish.HOLD) {
            change.note(job.withSuspendWish(SuspendWish.HOLD), WANTED);
        }
    }

    private static boolean isPast(Job job, JobState at) {
        JobOutcome outcome = job.outcome();
        boolean goesOn = outcome == null || outcome.outcome() == JobState.DONE;
        return switch (at) {
            case STAGE_IN -> job.state() != JobState.UNSUBMITTED || job.inputReady() || outcome != null;
            case PENDING -> job.state().compareTo(JobState.PENDING) >= 0 || outcome != null;
            default -> job.state().compareTo(at) >= 0 || !goesOn;
        };
    }

    /** The same for a job of many: one that cannot be held is left as it is. */
    static void holdIfItWaits(Transitions change, String lrm, boolean canHold) {
        try {
            hold(change, null, lrm, canHold);
        } catch (FaultException e) {
            // what does not wait, or waits where it cannot be held, goes on
        }
    }

    /** Refuses a multi-job. */
    static void check(Job job) {
        if (MultiJobs.isMulti(job)) {
            throw Suspensions.refusal(
                    "A multi-job does not wait itself, so it cannot be held on its owner's word.",
                    "Hold its sub-jobs.");
        }
    }

    private static FaultException wrongState(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.WRONG_STATE, sentence, remedy));
    }

    private static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
