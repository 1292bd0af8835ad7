// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.SuspendWish;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of a job's life and who works on them. {@link #route} looks at a job as it stands and hands it to the stage that is
 * next; each stage writes what it achieved, and the write routes the job on. Nothing is kept in memory that is not in the store as
 * well, so a restart routes every job once and all goes on where it was.
 */
final class Phases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Phases.class);

    private final EngineContext context;
    private final LrmRegistry registry;
    private final Readiness readiness;
    private final SlotCounter slots;
    private final StageRetries retries;
    private final Map<String, WorkQueue> pools = new LinkedHashMap<>();
    private final WorkQueue submit;
    private final WorkQueue cancel;
    private final WorkQueue suspend;
    private final WorkQueue stageIn;
    private final WorkQueue stageOut;
    private final WorkQueue cleanUp;
    private final WorkQueue forget;
    private final WorkQueue multi;
    private final WorkQueue groups;

    /** Absent where no files are sent while jobs run. */
    private final @Nullable WorkQueue follow;

    private Predicate<Job> isTakenUp = job -> false;
    private final FilePhases files;
    private final Cancels cancels;
    private final HoldsBeforeLrm holds;

    Phases(EngineContext context, EngineSettings settings, MultiJobs multiJobs, Groups ofJobs) {
        this.context = context;
        this.registry = context.registry();
        this.readiness = new Readiness(context);
        this.slots = context.slots();
        this.retries = new StageRetries(registry, this::item);
        this.cancels = new Cancels(context);
        this.holds = new HoldsBeforeLrm(context);
        this.files = new FilePhases(
                context, (job, stage) -> nextStage(job).filter(stage::equals).isPresent());
        // the limits of each LRM, and its own dispatcher, say how many of them it gets in one go
        int batch = LrmThrottle.MAX_BATCH;
        this.submit = new WorkQueue(
                        "submit",
                        settings.submitWorkers(),
                        settings.queueLimit(),
                        batch,
                        registry.throttles(),
                        context.observation().of("submit", this::submit))
                .oneForEachGroup();
        pools.put("submit", submit);
        registry.throttles().connect(submit::wake);
        batch = registry.all().stream().mapToInt(Lrm::batchLimit).min().orElse(1);
        this.cancel = pool("cancel", settings.cancelWorkers(), settings, batch, this::cancel)
                .oneForEachGroup();
        Suspensions suspensions = new Suspensions(
                context, job -> nextStage(job).filter(this::isSuspend).isPresent());
        this.suspend = pool(
                        "suspend",
                        settings.cancelWorkers(),
                        settings,
                        batch,
                        (group, jobs) -> suspend(suspensions, group, jobs))
                .oneForEachGroup();
        this.stageIn =
                pool("stageIn", settings.stageInWorkers(), settings, 1, (group, jobs) -> jobs.forEach(this::stageIn));
        this.stageOut = pool(
                "stageOut", settings.stageOutWorkers(), settings, 1, (group, jobs) -> jobs.forEach(this::stageOut));
        this.cleanUp = pool(
                        "cleanUp", settings.cleanUpWorkers(), settings, 1, (group, jobs) -> jobs.forEach(this::cleanUp))
                .oneForEachGroup();
        this.multi =
                pool("multi", settings.cleanUpWorkers(), settings, 1, (group, jobs) -> jobs.forEach(multiJobs::follow));
        this.groups =
                pool("group", settings.cleanUpWorkers(), settings, 1, (group, ids) -> ids.forEach(ofJobs::follow));
        this.follow = context.files().followsAny()
                ? pool("follow", settings.stageOutWorkers(), settings, 1, (group, jobs) -> jobs.forEach(this::follow))
                : null;
        this.forget = pool("forget", settings.cancelWorkers(), settings, batch, this::forget)
                .oneForEachGroup();
    }

    /** Sets a check that sees each job first and says whether it takes the job over; it routes the job on later. */
    void lookFirst(Predicate<Job> look) {
        isTakenUp = look;
    }

    private WorkQueue pool(String name, int workers, EngineSettings settings, int batch, WorkQueue.Work work) {
        WorkQueue pool = new WorkQueue(
                name,
                workers,
                settings.queueLimit(),
                batch,
                context.observation().of(name, work));
        pools.put(name, pool);
        return pool;
    }

    Map<String, WorkQueue> pools() {
        return Collections.unmodifiableMap(pools);
    }

    /** Whether a stage has dropped jobs for want of room and has room again, so that the store must be looked through. */
    boolean haveOverflowed() {
        boolean overflowed = false;
        for (WorkQueue pool : pools.values()) {
            overflowed |= pool.hasOverflowed();
        }
        return overflowed;
    }

    /** Hands the job to the stage that is next for it, if any. */
    void route(Job job) {
        if (isTakenUp.test(job)) {
            return; // comes back when the events that its LRM reported have been applied
        }
        MultiJobs.affected(job).ifPresent(multi::offer);
        slots.see(job);
        context.files().stopStaging(job);
        nextStage(job).ifPresent(pool -> pool.offer(item(job)));
    }

    /** Queues the group, so that elements that may begin become jobs. */
    void route(JobGroup group) {
        groups.offer(Groups.item(group));
    }

    private Optional<WorkQueue> nextStage(Job job) {
        if (job.state().isTerminal() || job.holding() || MultiJobs.isMulti(job)) {
            return Optional.empty();
        }
        if (job.state() == JobState.CLEAN_UP) {
            return Optional.of(cleanUp);
        }
        if (job.state() == JobState.STAGE_OUT) {
            return Optional.of(stageOut);
        }
        if (OnlyTransfers.is(job)) {
            return Optional.of(stageIn); // which is all that it does
        }
        if (job.outcome() != null) {
            return Optional.of(job.localIds().isEmpty() ? submit : cancel);
        }
        if (!job.localIds().isEmpty()) {
            if (job.suspendWish() != null) {
                return Optional.of(suspend);
            }
            // the LRM has it: its next event comes from the watch
            return EngineContext.runs(job) ? Optional.ofNullable(follow) : Optional.empty();
        }
        if (Suspensions.isBeforeLrm(job)) {
            return Optional.empty(); // its owner resumes it
        }
        return Optional.of(job.inputReady() ? submit : stageIn);
    }

    private WorkQueue.Item item(Job job) {
        return new WorkQueue.Item(
                job.id(), job.owner().subject(), LrmRegistry.group(job), slots.queueOf(job), job.outcome() != null);
    }

    /** Changes how much of an LRM the gateway may use. */
    void throttle(String lrm, LrmThrottle throttle) {
        slots.change(lrm, throttle);
        submit.lookAgain(); // jobs may have been queued without the queue by which they are counted now
        submit.wake();
    }

    // ---- giving jobs to the LRM, and taking those back that may be on their way there

    private void submit(String group, List<JobId> ids) {
        Optional<Lrm> lrm = registry.ofGroup(group);
        if (lrm.isEmpty()) {
            retries.lrmIsGone(submit, group, context.jobs(ids));
            return;
        }
        List<Job> toSubmit = new ArrayList<>();
        List<Job> toTakeBack = new ArrayList<>();
        List<Job> toKeep = new ArrayList<>();
        List<Job> jobs = context.jobs(ids);
        slots.keepOnly(ids, jobs);
        for (Job job : jobs) {
            if (nextStage(job).filter(pool -> pool == submit).isEmpty()) {
                route(job);
            } else if (job.outcome() != null) {
                toTakeBack.add(job);
            } else if (job.holdAt() == JobState.PENDING || job.suspendWish() == SuspendWish.SUSPEND) {
                toKeep.add(job);
            } else {
                toSubmit.add(job);
            }
        }
        if (!toTakeBack.isEmpty()) {
            retries.settle(submit, group, cancels.takeBack(lrm.get(), group, toTakeBack));
        }
        Unclear notKept = new Unclear();
        toSubmit.addAll(holds.keep(lrm.get(), group, toKeep, notKept));
        notKept.forEach((job, because) -> retries.alone(submit, job, because));
        give(lrm.get(), group, toSubmit);
    }

    private void give(Lrm lrm, String group, List<Job> jobs) {
        Readiness.Ready ready = readiness.of(jobs);
        List<Job> given = ready.jobs();
        Unclear unclear = new Unclear();
        ready.unclear().forEach(job -> unclear.add(job, ready.because(), false));
        List<SubmitResult> results =
                given.isEmpty() ? List.of() : context.observation().submit(lrm, group, ready);
        submit.free(group); // the rest waits for the disk, not for the account
        LrmSource source = LrmSource.ofAccount(lrm.name(), LrmRegistry.accountOf(group));
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Job job = given.get(i);
            switch (results.get(i)) {
                case SubmitResult.Accepted accepted -> {
                    unclear.answered();
                    registry.answered(job.id());
                    writes.add(context.hear(source, job.id(), change -> change.accepted(accepted.localIds())));
                }
                case SubmitResult.Refused refused -> {
                    unclear.answered();
                    writes.add(refused(source, job, refused.fault()));
                }
                case SubmitResult.Unclear why -> {
                    unclear.add(job, why.because(), why.alone());
                    writes.add(context.update(job.id(), Transitions::submitTried));
                }
            }
        }
        if (unclear.lrmAnswers()) {
            // before it can be read that the LRM has the job: its owner would be told that it does not answer
            registry.answered(group);
        }
        writes.forEach(Writes::await);
        if (!given.isEmpty() || !unclear.isEmpty()) {
            retries.settle(submit, group, unclear);
        }
    }

    private CompletableFuture<?> refused(LrmSource source, Job job, Fault fault) {
        JobFiles.Leftovers left = context.files().leftovers(job.id());
        return context.hear(source, job.id(), change -> {
            change.settle(JobOutcomes.failed(fault, change.job().state()));
            change.wrapUp(left);
        });
    }

    // ---- ending jobs in the LRM

    private void cancel(String group, List<JobId> ids) {
        List<Job> jobs = new ArrayList<>();
        for (Job job : context.jobs(ids)) {
            if (nextStage(job).filter(pool -> pool == cancel).isPresent()) {
                jobs.add(job);
            }
        }
        Optional<Lrm> lrm = registry.ofGroup(group);
        if (lrm.isEmpty()) {
            retries.lrmIsGone(cancel, group, jobs);
        } else {
            retries.settle(cancel, group, cancels.ask(lrm.get(), group, jobs));
        }
    }

    // ---- suspending and resuming jobs in the LRM

    private boolean isSuspend(WorkQueue pool) {
        return pool == suspend;
    }

    private void suspend(Suspensions suspensions, String group, List<JobId> ids) {
        Optional<Lrm> lrm = registry.ofGroup(group);
        if (lrm.isEmpty()) {
            retries.lrmIsGone(suspend, group, context.jobs(ids));
        } else {
            retries.settle(suspend, group, suspensions.ask(lrm.get(), group, ids));
        }
    }

    static List<Lrm.LrmJob> lrmJobs(List<Job> jobs) {
        return jobs.stream()
                .map(job -> new Lrm.LrmJob(job.id(), job.localIds()))
                .toList();
    }

    // ---- files

    private void stageIn(JobId id) {
        files.stageIn(stageIn, id);
    }

    private void stageOut(JobId id) {
        files.stageOut(stageOut, id);
    }

    private void cleanUp(JobId id) {
        files.cleanUp(cleanUp, id);
    }

    private void follow(JobId id) {
        context.store().find(id).ifPresent(this::follow);
    }

    /** Has the files of the job sent that are to be sent while it runs, if it does. */
    void follow(Job job) {
        if (nextStage(job).filter(pool -> pool == follow).isPresent()) {
            context.files().follow(job);
        }
    }

    /** Whether jobs that run need to be looked at. */
    boolean followsAny() {
        return follow != null;
    }

    // ---- after the end

    /**
     * The job is over and its end is on disk: the LRM side may forget it, but not while a submission of it is on its way, as after a start
     * of the service, when the LRM's record may tell the end before the second try gets there. The LRM would not know it then, and run it.
     */
    void over(Job job) {
        slots.see(job);
        registry.answered(job.id());
        context.files().unfollow(job.id());
        MultiJobs.affected(job).ifPresent(multi::offer);
        context.earlier().forget(job.id());
        context.earlier().waitersFor(job.id()).forEach(multi::offer);
        Groups.affected(job).ifPresent(groups::offer);
        if (!MultiJobs.isMulti(job) && !job.localIds().isEmpty()) {
            submit.whenFree(job.id(), () -> forget.offer(item(job)));
        }
    }

    private void forget(String group, List<JobId> ids) {
        List<Job> jobs = context.jobs(ids);
        registry.ofGroup(group).ifPresent(lrm -> lrm.forget(LrmRegistry.accountOf(group), lrmJobs(jobs)));
    }

    void drain(Duration timeout) {
        pools.values().forEach(pool -> {
            if (!pool.drain(timeout)) {
                LOG.warn("Stage {} had work in hand after {}; it goes on at the next start", pool.name(), timeout);
            }
        });
    }

    @Override
    public void close() {
        pools.values().forEach(WorkQueue::close);
    }
}
