// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.ElementCounts;
import org.jobgate.job.ElementState;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * How an activity is: a state of the basic model, and a sub-state of ours that belongs to it. An activity never goes back from Running to
 * Pending (GFD.108 section 4.1), so one that has begun stays Running while it waits in the LRM.
 *
 * @param sub absent in a final state
 */
record ActivityState(BaseState base, @Nullable SubState sub) {

    ActivityState {
        requireNonNull(base, "base is null");
    }

    /** What an activity does within its state of the basic model. The name on the wire is that of an element in our namespace. */
    enum SubState {
        /** It is stored and nothing has been done yet. */
        ACCEPTED("Accepted"),
        /** It is held until its owner releases it. */
        HELD("Held"),
        /** Its input files are fetched. */
        STAGING_IN("StagingIn"),
        /** It waits in the LRM. */
        QUEUED("Queued"),
        EXECUTING("Executing"),
        SUSPENDED("Suspended"),
        /** Its output files are sent. */
        STAGING_OUT("StagingOut"),
        /** What it asked to have deleted is deleted. */
        CLEANING_UP("CleaningUp"),
        /** A sweep: some of its points run, wait or are over. */
        SWEEPING("Sweeping");

        private final String wireName;

        SubState(String wireName) {
            this.wireName = wireName;
        }

        String wireName() {
            return wireName;
        }
    }

    /**
     * The state of a job.
     *
     * @param isHeld whether it is held now
     * @param hasBegun whether it was Running before it came to wait in the LRM: its input files were fetched, or the LRM had started it
     */
    static ActivityState of(JobState state, boolean isHeld, boolean hasBegun) {
        return switch (state) {
            case UNSUBMITTED -> new ActivityState(BaseState.PENDING, isHeld ? SubState.HELD : SubState.ACCEPTED);
            case STAGE_IN ->
                isHeld
                        ? new ActivityState(BaseState.PENDING, SubState.HELD)
                        : new ActivityState(BaseState.RUNNING, SubState.STAGING_IN);
            case PENDING -> waiting(hasBegun, isHeld ? SubState.HELD : SubState.QUEUED);
            case ACTIVE -> new ActivityState(BaseState.RUNNING, SubState.EXECUTING);
            case SUSPENDED -> waiting(hasBegun, isHeld ? SubState.HELD : SubState.SUSPENDED);
            case STAGE_OUT -> new ActivityState(BaseState.RUNNING, isHeld ? SubState.HELD : SubState.STAGING_OUT);
            case CLEAN_UP -> new ActivityState(BaseState.RUNNING, isHeld ? SubState.HELD : SubState.CLEANING_UP);
            case DONE -> new ActivityState(BaseState.FINISHED, null);
            case FAILED -> new ActivityState(BaseState.FAILED, null);
            case CANCELLED -> new ActivityState(BaseState.CANCELLED, null);
        };
    }

    private static ActivityState waiting(boolean hasBegun, SubState sub) {
        return new ActivityState(hasBegun ? BaseState.RUNNING : BaseState.PENDING, sub);
    }

    /** The state of a point of a sweep that has no job, or whose job is gone. */
    static ActivityState ofPoint(ElementState state) {
        return switch (state) {
            case WAITING -> new ActivityState(BaseState.PENDING, SubState.ACCEPTED);
            case HELD -> new ActivityState(BaseState.PENDING, SubState.HELD);
            default -> of(JobState.valueOf(state.name()), false, false);
        };
    }

    /**
     * The state of a sweep: Pending until a point has begun, Running until the last is over; then Cancelled where any point was, else Failed
     * where any failed or its program ended with another exit code than 0, else Finished.
     *
     * @param isStaged whether its points have input files
     */
    static ActivityState ofSweep(ElementCounts counts, boolean isStaged) {
        if (counts.isOver()) {
            BaseState end = counts.of(ElementState.CANCELLED) > 0
                    ? BaseState.CANCELLED
                    : counts.of(ElementState.FAILED) > 0 ? BaseState.FAILED : BaseState.FINISHED;
            return new ActivityState(end, null);
        }
        long notBegun = counts.of(ElementState.WAITING)
                + counts.of(ElementState.HELD)
                + counts.of(ElementState.UNSUBMITTED)
                + (isStaged ? 0 : counts.of(ElementState.PENDING));
        long all = 0;
        for (ElementState state : ElementState.values()) {
            all += counts.of(state);
        }
        return notBegun == all
                ? new ActivityState(BaseState.PENDING, SubState.ACCEPTED)
                : new ActivityState(BaseState.RUNNING, SubState.SWEEPING);
    }
}
