// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.jobgate.job.JobEvent.CLEAN_UP_STARTED;
import static org.jobgate.job.JobEvent.LRM_ACCEPTED;
import static org.jobgate.job.JobEvent.LRM_REQUEUED;
import static org.jobgate.job.JobEvent.LRM_STARTED;
import static org.jobgate.job.JobEvent.STAGE_OUT_STARTED;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jobgate.job.StateMachine;
import org.jobgate.job.SuspendWish;
import org.jobgate.store.Step;
import org.jspecify.annotations.Nullable;

/**
 * Builds the steps of one update of one job. Every change of state goes through {@link StateMachine#next}; an event that means
 * nothing in the job's state adds no step, so that replayed and late records do no harm.
 */
final class Transitions {

    /** Its description asks for it, or its owner has asked for it since. */
    private static final String HELD = "held, as its owner asked";

    private final Instant now;
    private final List<Step> steps = new ArrayList<>();
    private Job job;

    Transitions(Job job, Instant now) {
        this.job = job;
        this.now = now;
    }

    Job job() {
        return job;
    }

    /** When the change is made. */
    Instant now() {
        return now;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** Takes the event if it means something now; answers whether it did. */
    boolean take(JobEvent event, @Nullable String note) {
        Optional<JobState> next = StateMachine.next(job.state(), event);
        if (next.isEmpty()) {
            return false;
        }
        job = job.withState(next.get()).withChanged(now);
        if (job.holding() && !job.localIds().isEmpty() && (event == LRM_STARTED || event == LRM_REQUEUED)) {
            job = job.withHolding(false); // the job goes on, whether its owner or the LRM released it
        }
        if (event == LRM_ACCEPTED) {
            job = job.withQueued(now);
        } else if (job.state() == JobState.ACTIVE && job.started() == null) {
            job = job.withStarted(now);
        } else if (job.state().isTerminal()) {
            job = job.withEnded(now)
                    .withHolding(false)
                    .withHoldAt(null)
                    .withPendingReason(null)
                    .withSuspendWish(null)
                    .withTerminationTime(afterEnd(job.terminationTime()));
        }
        add(new Step(event, job, note, true));
        return true;
    }

    /** When a job that is over is to be forgotten, if it was {@code given} this time: the rule of its submission, from now on. */
    @Nullable
    Instant afterEnd(@Nullable Instant given) {
        return given == null && job.keepAfterEnd() != null && !job.destroyed() ? now.plus(job.keepAfterEnd()) : given;
    }

    /** Changes something else than the state, for people to see. */
    void note(Job changed, String note) {
        job = changed;
        add(Step.of(changed, note));
    }

    /** Changes something that no reader of the change stream cares about. */
    void silently(Job changed) {
        job = changed;
        add(Step.silent(changed));
    }

    /** The LRM has the job under these ids, whether or not it has answered the submission. */
    void accepted(List<String> localIds) {
        if (!job.localIds().isEmpty() || localIds.isEmpty()) {
            return;
        }
        job = job.withLocalIds(localIds);
        if (job.holdAt() == JobState.PENDING && job.outcome() == null) {
            // its owner asked for that while it was on its way, or it seemed not to have arrived: its LRM is asked now
            job = job.withHolding(false).withHoldAt(null).withSuspendWish(SuspendWish.HOLD);
        }
        if (!take(LRM_ACCEPTED, null)) {
            silently(job);
        }
    }

    /** Why the LRM lets it wait, as far as the LRM says; absent where it does not wait, or does not say. */
    void because(@Nullable PendingReason reason) {
        if (!Objects.equals(textOf(job.pendingReason()), textOf(reason))) {
            silently(job.withPendingReason(reason));
        }
    }

    private static @Nullable String textOf(@Nullable PendingReason pendingReason) {
        return pendingReason == null ? null : pendingReason.because();
    }

    /** Settles how the job ended, unless that was settled before. */
    void settle(JobOutcome outcome) {
        if (job.outcome() == null) {
            job = job.withOutcome(outcome);
        }
    }

    /** Settles another outcome than the one settled before: the job is over in the LRM, but something after that went wrong. */
    void replaceOutcome(JobOutcome outcome) {
        job = job.withOutcome(outcome.after(job.outcome()));
    }

    /** It may be in the LRM from now on, for all we know. */
    void submitTried() {
        if (!job.submitTried()) {
            silently(job.withSubmitTried(true));
        }
    }

    /** Its input files are in place. */
    void inputReady() {
        if (job.outcome() == null && !job.inputReady()) {
            job = job.withInputReady(true);
            take(JobEvent.INPUT_READY, null);
        }
    }

    /** The LRM has had it, so its input files were in place. */
    void inputWasReady() {
        if (!job.inputReady()) {
            job = job.withInputReady(true);
            if (!take(JobEvent.INPUT_READY, "its LRM has it already")) {
                silently(job);
            }
        }
    }

    /** Takes an event that leads to a state which the description may ask to hold at. */
    void hold(JobEvent event) {
        Optional<JobState> reached = StateMachine.next(job.state(), event);
        if (reached.isPresent()) {
            boolean holds = job.holdAt() == reached.get();
            job = job.withHolding(holds);
            take(event, holds ? HELD : null);
        }
    }

    /**
     * The job is over in the LRM, or never came there: goes as far towards its terminal state as there is nothing to do on the way
     * and nothing to hold for. Its outcome must be settled.
     */
    void wrapUp(JobFiles.Leftovers left) {
        boolean stagesOut = !left.transfers().stageOut().isEmpty() || job.holdAt() == JobState.STAGE_OUT;
        boolean mayStageOut = StateMachine.next(job.state(), STAGE_OUT_STARTED).isPresent();
        if (outcome().outcome() == JobState.DONE && stagesOut && mayStageOut) {
            hold(STAGE_OUT_STARTED);
        } else if (hasFailedAfterStart() && left.sendsAfterFailure() && mayStageOut) {
            job = job.withHolding(false);
            take(STAGE_OUT_STARTED, "what there is of its files is sent");
        } else {
            finish(left.mustCleanUp());
        }
    }

    private boolean hasFailedAfterStart() {
        return outcome().outcome() == JobState.FAILED && job.started() != null;
    }

    /** The output files were sent, or nothing was to be sent: on to the clean-up, and to the end if nothing is to be cleaned up. */
    void finish(boolean mustCleanUp) {
        if (StateMachine.next(job.state(), CLEAN_UP_STARTED).isEmpty()) {
            return;
        }
        if (outcome().outcome() == JobState.DONE) {
            hold(CLEAN_UP_STARTED);
        } else {
            job = job.withHolding(false);
            take(CLEAN_UP_STARTED, null);
        }
        if (!job.holding() && !mustCleanUp) {
            end(null);
        }
    }

    /** Records that files were left behind. For a job that its owner ended this becomes its outcome, as the owner is told nothing else. */
    void cleanUpFailed(Fault fault) {
        JobOutcome outcome = outcome();
        if (outcome.fault() != null && outcome.fault().code() == FaultCode.CANCELLED_BY_USER) {
            Fault told = new Fault(
                    FaultCode.STAGING_FAILED,
                    "The job was cancelled by its owner, and its clean-up left something behind: " + fault.sentence(),
                    fault.remedy(),
                    fault.part(),
                    fault.attribute(),
                    fault.value(),
                    fault.destination(),
                    fault.evidence(),
                    JobState.CLEAN_UP,
                    null);
            replaceOutcome(
                    new JobOutcome(outcome.outcome(), outcome.exitCode(), outcome.signal(), outcome.wallTime(), told));
        }
    }

    /** The clean-up is finished. */
    void end(@Nullable String note) {
        take(outcome().terminalEvent(), note);
    }

    private JobOutcome outcome() {
        JobOutcome outcome = job.outcome();
        if (outcome == null) {
            throw new IllegalStateException("the outcome of " + job.id() + " is not settled");
        }
        return outcome;
    }

    private void add(Step step) {
        steps.add(step);
    }
}
