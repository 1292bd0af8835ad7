// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The state of a multi-job, from those of its sub jobs (facts/gram4.md section 3.8): it has reached a state when all of them have; it
 * is held when all of them are; as soon as one of them failed its outcome is settled, and it has failed when the others are over too.
 */
final class MultiJobState {

    private static final String REMEDY = "Look at the sub job; the multi-job's other sub jobs were cancelled.";
    private static final String REMEDY_OF_FLOW = "Look at that job; those that waited for its good end were left out.";

    private MultiJobState() {}

    /**
     * Brings the multi-job to where its sub jobs are.
     *
     * @param subJobs those that there are, by rank
     * @param wanted how many there are to be
     */
    static void reflect(Transitions change, List<Job> subJobs, int wanted) {
        if (change.job().state().isTerminal()) {
            return;
        }
        settleFailure(change, subJobs);
        boolean over = subJobs.stream().allMatch(job -> job.state().isTerminal());
        boolean allDone = subJobs.size() == wanted && subJobs.stream().allMatch(job -> job.state() == JobState.DONE);
        JobOutcome outcome = change.job().outcome();
        if (allDone) {
            change.replaceOutcome(JobOutcome.done(exitCode(subJobs), null));
            advance(change, JobState.CLEAN_UP);
            change.end(null);
        } else if (outcome != null) {
            if (over && change.job().state() == JobState.CLEAN_UP) {
                change.end(null);
            } else if (over) {
                change.wrapUp(JobFiles.Leftovers.NONE);
            }
        } else if (subJobs.size() == wanted) {
            advance(change, least(subJobs));
            unhold(change, subJobs);
        }
    }

    /** How the sub jobs of a multi-job that ended so are to end. */
    static JobOutcome cancelled(@Nullable JobOutcome multi) {
        Fault fault = multi == null ? null : multi.fault();
        if (fault == null || multi == null || multi.outcome() == JobState.FAILED) {
            return JobOutcome.cancelled(Fault.of(
                    FaultCode.CANCELLED_BY_USER,
                    "The job was cancelled because the multi-job that it is part of is over.",
                    "Look at the multi-job's other sub jobs."));
        }
        return JobOutcome.cancelled(Fault.of(fault.code(), fault.sentence(), fault.remedy()));
    }

    private static void settleFailure(Transitions change, List<Job> subJobs) {
        Optional<Job> failed = subJobs.stream()
                .filter(job -> job.state().isTerminal() && job.state() != JobState.DONE)
                .min(Comparator.comparing(job -> Objects.requireNonNullElse(job.ended(), job.changed())));
        if (failed.isEmpty() || change.job().outcome() != null) {
            return;
        }
        Job sub = failed.get();
        String name = "Sub job " + subJobs.indexOf(sub) + " of the multi-job, " + sub.id() + ",";
        change.note(
                change.job()
                        .withOutcome(failed(change.job(), sub, name, REMEDY))
                        .withHolding(false)
                        .withHoldAt(null),
                "one of its sub jobs failed");
    }

    /** How a flow ends of which one job has failed, which the sentence calls so. */
    static JobOutcome failed(Job multi, Job sub, String name) {
        return failed(multi, sub, name, REMEDY_OF_FLOW);
    }

    private static JobOutcome failed(Job multi, Job sub, String name, String remedy) {
        Fault cause = sub.settledOutcome().map(JobOutcome::fault).orElse(null);
        Fault fault = cause == null
                ? Fault.of(FaultCode.EXECUTION_FAILED, name + " failed.", remedy)
                : Fault.of(cause.code(), name + " failed: " + cause.sentence(), remedy)
                        .aboutThatOf(
                                cause.part() == null && cause.attribute() == null
                                        ? cause.about("job", cause.value())
                                        : cause);
        return JobOutcome.failed(fault.during(multi.state()));
    }

    /** Takes the multi-job to a state that its jobs have reached. */
    static void advance(Transitions change, JobState target) {
        JobState state = change.job().state();
        if (state == target) {
            return;
        }
        boolean isNew = state == JobState.UNSUBMITTED || state == JobState.STAGE_IN;
        if (isNew && (target.isInLrm() || target == JobState.STAGE_OUT)) {
            change.hold(JobEvent.LRM_ACCEPTED);
        }
        switch (target) {
            case STAGE_IN -> change.hold(JobEvent.STAGE_IN_STARTED);
            case PENDING -> change.take(JobEvent.LRM_REQUEUED, null);
            case ACTIVE -> change.take(JobEvent.LRM_STARTED, null);
            case SUSPENDED -> change.take(JobEvent.LRM_SUSPENDED, null);
            case STAGE_OUT -> change.hold(JobEvent.STAGE_OUT_STARTED);
            case CLEAN_UP -> change.hold(JobEvent.CLEAN_UP_STARTED);
            case UNSUBMITTED, DONE, FAILED, CANCELLED -> {
                // nothing has been reached, or the outcome says what is next
            }
        }
    }

    /** Its owner may release its sub jobs one by one. */
    private static void unhold(Transitions change, List<Job> subJobs) {
        if (change.job().holding() && !subJobs.stream().allMatch(Job::holding)) {
            change.note(change.job().withHolding(false), "not all of its sub jobs are held any more");
        }
    }

    /** The state that all have reached; of those that are as far, one that runs says more than one that the LRM holds. */
    private static JobState least(List<Job> subJobs) {
        return subJobs.stream()
                .map(Job::state)
                .min(Comparator.comparingInt(MultiJobState::progress))
                .orElse(JobState.UNSUBMITTED);
    }

    private static int progress(JobState state) {
        return switch (state) {
            case UNSUBMITTED -> 0;
            case STAGE_IN -> 1;
            case PENDING -> 2;
            case ACTIVE -> 3;
            case SUSPENDED -> 4;
            case STAGE_OUT -> 5;
            case CLEAN_UP -> 6;
            case DONE, FAILED, CANCELLED -> 7;
        };
    }

    /** The first that is not 0. */
    static int exitCode(List<Job> subJobs) {
        return subJobs.stream()
                .flatMap(job -> job.settledOutcome().stream())
                .map(JobOutcome::exitCode)
                .filter(code -> code != null && code != 0)
                .findFirst()
                .orElse(0);
    }
}
