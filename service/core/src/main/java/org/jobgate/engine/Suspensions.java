// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SuspendWish;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.SuspendResult;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspending and resuming jobs, and holding those that wait in their LRM. The owner's wish is stored with the job ({@link Job#suspendWish}) and dropped when the LRM has taken or
 * refused it, so a service that was ended in between asks again. Whether the job is suspended is the LRM's to say, by an event. A job
 * that its LRM does not have yet is suspended here: it is not given to the LRM.
 */
final class Suspensions {

    private static final Logger LOG = LoggerFactory.getLogger(Suspensions.class);

    private final EngineContext context;
    private final Predicate<Job> isNext;

    /** @param isNext whether asking the LRM is what is next for the job */
    Suspensions(EngineContext context, Predicate<Job> isNext) {
        this.context = context;
        this.isNext = isNext;
    }

    // ---- what the owner wants

    /**
     * Writes down that the owner wants the job suspended.
     *
     * @throws FaultException {@code UNSUPPORTED_FEATURE} where that cannot be
     */
    static void wishToSuspend(Transitions change, Set<JobState> suspends, Lrm lrm) {
        Job job = change.job();
        if (isEnding(job)) {
            throw refusal(
                    "The job is in the state " + word(job.state())
                            + " and does not run any more, so it cannot be suspended.",
                    "Suspend jobs that wait or run.");
        }
        if (suspends.isEmpty() || (job.state() == JobState.ACTIVE && !suspends.contains(JobState.ACTIVE))) {
            throw cannotSuspend(lrm, !suspends.isEmpty());
        }
        boolean isHeldInLrm = job.holding() && !job.localIds().isEmpty();
        boolean isSuspended = isHeldInLrm || (job.state() == JobState.SUSPENDED && job.suspendWish() == null);
        if (!isSuspended && job.suspendWish() != SuspendWish.SUSPEND) {
            change.note(job.withSuspendWish(SuspendWish.SUSPEND), "its owner wants it suspended");
        }
    }

    /**
     * Writes down that the owner wants the job to go on.
     *
     * @throws FaultException {@code UNSUPPORTED_FEATURE} where the LRM suspends and resumes no jobs
     */
    static void wishToResume(Transitions change, Set<JobState> suspends, Lrm lrm) {
        Job job = change.job();
        if (isEnding(job)) {
            return;
        }
        if (isBeforeLrm(job)) {
            change.take(JobEvent.LRM_REQUEUED, "resumed by its owner");
        } else if (job.localIds().isEmpty()) {
            if (job.suspendWish() != null) {
                change.note(job.withSuspendWish(null), "its owner wants it to go on");
            }
        } else if (suspends.isEmpty()) {
            throw refusal(
                    "The LRM " + lrm.name() + " cannot resume jobs.",
                    "Ask the site's administrator to let the job go on, or cancel it.");
        } else if ((job.state() == JobState.SUSPENDED || job.holding() || job.suspendWish() != null)
                && job.suspendWish() != SuspendWish.RESUME) {
            change.note(job.withHolding(false).withSuspendWish(SuspendWish.RESUME), "its owner wants it to go on");
        }
    }

    /** @param onlyRunning whether it can suspend jobs that wait */
    static FaultException cannotSuspend(Lrm lrm, boolean onlyRunning) {
        return refusal(
                "The LRM " + lrm.name() + " cannot suspend "
                        + (onlyRunning ? "a job that runs, only one that waits." : "jobs."),
                "Cancel the job, or use another LRM.");
    }

    static FaultException refusal(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.UNSUPPORTED_FEATURE, sentence, remedy));
    }

    private static String word(JobState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether the job is over in its LRM or being ended. */
    static boolean isEnding(Job job) {
        return job.outcome() != null
                || job.state().isTerminal()
                || job.state() == JobState.STAGE_OUT
                || job.state() == JobState.CLEAN_UP;
    }

    // ---- jobs that the LRM does not have yet

    /** Whether the job was suspended before it was given to its LRM. */
    static boolean isBeforeLrm(Job job) {
        return job.state() == JobState.SUSPENDED && job.localIds().isEmpty();
    }

    /** Suspends a job that is about to be given to its LRM, if its owner still wants that. */
    static void suspendBeforeLrm(Transitions change) {
        Job job = change.job();
        if (job.suspendWish() == SuspendWish.SUSPEND
                && job.outcome() == null
                && job.localIds().isEmpty()) {
            change.silently(job.withSuspendWish(null));
            change.take(JobEvent.PENDING_HELD, null);
            change.take(JobEvent.LRM_SUSPENDED, "suspended by its owner before it was given to its LRM");
        }
    }

    // ---- asking the LRM

    /** Asks the LRM for what the owners of these jobs want; answers those for which it gave no clear answer. */
    Unclear ask(Lrm lrm, String group, List<JobId> ids) {
        List<Job> jobs = context.jobs(ids).stream().filter(isNext).toList();
        Unclear unclear = new Unclear();
        for (SuspendWish wish : SuspendWish.values()) {
            List<Job> some =
                    jobs.stream().filter(job -> job.suspendWish() == wish).toList();
            if (!some.isEmpty()) {
                ask(lrm, group, wish, some, unclear);
            }
        }
        return unclear;
    }

    private void ask(Lrm lrm, String group, SuspendWish wish, List<Job> jobs, Unclear unclear) {
        String account = LrmRegistry.accountOf(group);
        List<Lrm.LrmJob> asked = Phases.lrmJobs(jobs);
        List<SuspendResult> results = switch (wish) {
            case SUSPEND -> lrm.suspend(account, asked);
            case HOLD -> lrm.hold(account, asked);
            case RESUME -> lrm.resume(account, asked);
        };
        LrmSource source = LrmSource.ofAccount(lrm.name(), account);
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            Job job = jobs.get(i);
            if (results.get(i) instanceof SuspendResult.Unclear why) {
                unclear.add(job, why.because(), why.alone());
                continue;
            }
            unclear.answered();
            context.registry().answered(job.id());
            SuspendResult result = results.get(i);
            writes.add(context.hear(source, job.id(), change -> answered(change, wish, result)));
        }
        writes.forEach(Writes::await);
        LOG.debug("{} was asked to {} {} jobs of {}", lrm.name(), word(wish), jobs.size(), account);
    }

    /** The owner may want the opposite by now: then that is asked for next. */
    private static void answered(Transitions change, SuspendWish wish, SuspendResult result) {
        Job job = change.job();
        if (job.suspendWish() != wish) {
            return;
        }
        Job without = job.withSuspendWish(null);
        switch (result) {
            case SuspendResult.Done done -> {
                if (wish == SuspendWish.HOLD && job.state() != JobState.ACTIVE && job.outcome() == null) {
                    change.note(without.withHolding(true), "held in its LRM, as its owner asked");
                } else {
                    change.silently(without);
                }
            }
            case SuspendResult.NotThere notThere ->
                change.note(without, "its LRM does not have it, so it could not be asked to " + word(wish) + " it");
            case SuspendResult.Refused refused -> {
                String why = "its LRM did not " + word(wish) + " it: "
                        + refused.fault().sentence();
                change.note(without, why);
                change.because(new PendingReason(change.now(), why));
            }
            case SuspendResult.Unclear unclear -> {} // is asked again
        }
    }

    private static String word(SuspendWish wish) {
        return wish.name().toLowerCase(Locale.ROOT);
    }

    /** The LRM of the job; a refusal is thrown where it has none. */
    static Lrm lrmOf(Job job, LrmRegistry registry) {
        if (MultiJobs.isMulti(job)) {
            throw refusal(
                    "A multi-job is in no LRM, so it cannot be suspended or resumed.",
                    "Suspend or resume its sub-jobs.");
        }
        if (OnlyTransfers.is(job)) {
            throw refusal(
                    "A job that only moves files is in no LRM, so it cannot be suspended or resumed.",
                    "Hold it before it begins, or cancel it.");
        }
        return lrmOf(job.lrm(), registry);
    }

    /** The LRM of this name; a refusal is thrown where it is not configured any more. */
    static Lrm lrmOf(String name, LrmRegistry registry) {
        return registry.find(name)
                .orElseThrow(() -> refusal(
                        "The LRM " + name + " is not configured any more, so its jobs cannot be suspended or resumed.",
                        "Ask the site's administrator to configure it again."));
    }
}
