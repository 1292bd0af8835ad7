// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Drives multi-jobs: creates their sub jobs, lets them follow what was asked of the multi-job, and the multi-job follow what became
 * of them (facts/gram4.md section 3.8).
 *
 * <p>As for any job, what a multi-job is to do next follows from how it and its sub jobs stand in the store. Each sub job has a key
 * that is made of the multi-job's id and its rank, so that creating them again after a crash creates nothing twice. The multi-job's
 * {@link Job#localIds} are the ids of its sub jobs.
 */
final class MultiJobs {

    private static final String KEY = "multi/";
    private static final String GROUP = JobsBySubject.MULTI + "/";

    private final EngineContext context;
    private final Clock clock;
    private final JobIds ids;

    MultiJobs(EngineContext context, Clock clock, JobIds ids) {
        this.context = context;
        this.clock = clock;
        this.ids = ids;
    }

    static boolean isMulti(Job job) {
        return job.lrm().equals(JobsBySubject.MULTI);
    }

    /** The job to look after when this job changed: itself where it is a multi-job or waits for earlier jobs, or the one that it is part of. */
    static Optional<WorkQueue.Item> affected(Job job) {
        Optional<JobId> multi = isMulti(job) ? Optional.of(job.id()) : partOf(job);
        return multi.or(() -> Optional.of(job.id()).filter(id -> job.waitsForOthers()))
                .map(id -> item(id, job));
    }

    static WorkQueue.Item item(JobId id, Job job) {
        return new WorkQueue.Item(id, job.owner().subject(), GROUP);
    }

    /** The multi-job that the job is part of, by its key. */
    static Optional<JobId> partOf(Job job) {
        String key = job.key().clientId();
        int end = key.indexOf('/', KEY.length());
        if (!key.startsWith(KEY) || end < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new JobId(UUID.fromString(key.substring(KEY.length(), end))));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // a client's own key that only looks like ours
        }
    }

    private static SubmissionKey key(Job multi, int rank) {
        return new SubmissionKey(multi.owner().subject(), multi.key().door(), KEY + multi.id() + "/" + rank);
    }

    /** Does what is next for the multi-job and its sub jobs, or for a job that waits for earlier ones. Passes over one multi-job must not overlap. */
    void follow(JobId id) {
        JobStore store = context.store();
        Job stored = store.find(id).orElse(null);
        if (stored != null && !isMulti(stored)) {
            context.earlier().follow(context, stored);
            return;
        }
        Optional<JobDescription> description = store.description(id);
        if (stored == null || description.isEmpty()) {
            return;
        }
        if (stored.state().isTerminal()) {
            context.earlier().forget(id); // it may have been remembered, as it stood before, after it had ended
        } else {
            context.earlier().remember(stored, description.get());
        }
        int wanted = description.get().subJobs().size();
        Job multi = begun(stored, description.get());
        if (context.isGathering()
                && store.find(id).filter(job -> job.localIds().isEmpty()).isPresent()) {
            return;
        }
        boolean isFlow = FlowRules.isFlow(description.get());
        List<Job> found = subJobs(multi, wanted);
        boolean areOthers = isFlow && isEnded(multi) && cancelWaiting(multi, found);
        List<Job> subJobs = areOthers ? subJobs(multi, wanted) : found;
        JobState held = description.get().holdAt();
        subJobs.forEach(sub -> pass(multi, sub, held));
        Consumer<Transitions> reflect = change -> MultiJobState.reflect(change, subJobs, wanted);
        if (isFlow && subJobs.size() == wanted) {
            Flow flow = new Flow(description.get(), subJobs, context.earlier().of(description.get()));
            if (multi.outcome() == null && !flow.decided().isEmpty()) {
                context.updateAll(List.copyOf(flow.decided()), flow::apply).join();
            }
            reflect = flow::reflect;
        }
        if (wouldChange(id, reflect)) {
            context.update(id, reflect).join();
        }
    }

    private static boolean isEnded(Job multi) {
        JobOutcome outcome = multi.outcome();
        return outcome != null && outcome.outcome() != JobState.DONE;
    }

    /** All at once, and without asking the LRMs, which have never heard of them. Answers whether there were any. */
    private boolean cancelWaiting(Job multi, List<Job> jobs) {
        List<JobId> waiting =
                jobs.stream().filter(Job::waitsForOthers).map(Job::id).toList();
        if (waiting.isEmpty()) {
            return false;
        }
        JobOutcome outcome = MultiJobState.cancelled(multi.outcome());
        context.updateAll(waiting, change -> Flow.cancel(change, outcome)).join();
        return true;
    }

    /** An update that changes nothing would lead to the next pass, and that to the next. */
    private boolean wouldChange(JobId id, Consumer<Transitions> reflect) {
        return context.store()
                .find(id)
                .filter(job -> {
                    Transitions trial = new Transitions(job, clock.instant());
                    reflect.accept(trial);
                    return !trial.steps().isEmpty();
                })
                .isPresent();
    }

    /** The multi-job with its sub jobs created, where it is to begin: with their ids all of them are found by one question. */
    private Job begun(Job multi, JobDescription description) {
        if (!multi.localIds().isEmpty()
                || context.isGathering()
                || multi.outcome() != null
                || multi.state().isTerminal()) {
            return multi;
        }
        begin(multi, description);
        return context.store().find(multi.id()).orElse(multi);
    }

    private void begin(Job multi, JobDescription description) {
        List<NewJob> jobs = new ArrayList<>();
        for (SubJob sub : description.subJobs()) {
            jobs.add(newJob(multi, sub, jobs.size()));
        }
        List<CreateResult> results = context.store().createAll(jobs).join();
        List<String> ids = new ArrayList<>();
        for (CreateResult result : results) {
            if (result instanceof CreateResult.Conflict conflict) {
                refuse(multi, ids.size(), conflict.job());
                return;
            }
            ids.add(result.job().id().toString());
        }
        context.update(multi.id(), change -> {
                    if (change.job().localIds().isEmpty()) {
                        change.silently(change.job().withLocalIds(ids));
                    }
                })
                .join();
        results.forEach(result -> context.next(result.job()));
    }

    private NewJob newJob(Job multi, SubJob sub, int rank) {
        JobDescription description = sub.description();
        SubmissionKey key = key(multi, rank);
        JobId id = ids.of(key, sub.account());
        Owner owner = new Owner(multi.owner().subject(), sub.account());
        Job job = Job.create(id, key, multi.language(), owner, sub.lrm(), description.holdAt(), clock.instant(), null);
        return context.files().stored(Flow.first(job, sub, clock.instant()), description, List.of());
    }

    /** Only the owner can have taken the key of a sub-job beforehand, by submitting another job under that key. */
    private void refuse(Job multi, int rank, Job other) {
        Fault fault = Fault.of(
                FaultCode.KEY_REUSED,
                "Sub job " + rank + " cannot be created: its key is that of the job " + other.id() + ".",
                "Submit the multi-job again with a new id.");
        context.update(multi.id(), change -> {
                    if (change.job().outcome() == null) {
                        change.note(change.job().withOutcome(JobOutcome.failed(fault)), "a sub job cannot be created");
                    }
                })
                .join();
    }

    /** The sub jobs that there are, by rank. */
    private List<Job> subJobs(Job multi, int wanted) {
        List<Job> jobs = new ArrayList<>();
        if (multi.localIds().isEmpty()) {
            for (int rank = 0; rank < wanted; rank++) {
                context.store().find(key(multi, rank)).ifPresent(jobs::add);
            }
            return jobs;
        }
        List<JobId> ids = multi.localIds().stream().map(JobId::parse).toList();
        Map<JobId, Job> found = context.store().findAll(ids);
        for (JobId id : ids) {
            Optional.ofNullable(found.get(id)).ifPresent(jobs::add);
        }
        return jobs;
    }

    /**
     * Passes on to the sub job what was asked of the multi-job, unless it has it already.
     *
     * @param held where the description has all sub jobs held. Another hold of a sub job is its owner's order for it alone: it stays
     */
    private void pass(Job multi, Job sub, @Nullable JobState held) {
        JobOutcome outcome = multi.outcome();
        if (multi.destroyed()) {
            if (!sub.destroyed()) {
                context.update(sub.id(), change -> {
                            OwnerOrders.cancel(change, MultiJobState.cancelled(outcome), "its multi-job was destroyed");
                            change.note(change.job().withDestroyed(true), "its owner wants no more of its multi-job");
                        })
                        .join();
            }
        } else if (isEnded(multi)) {
            if (!sub.state().isTerminal() && (sub.outcome() == null || sub.holding())) {
                JobOutcome cancelled = MultiJobState.cancelled(outcome);
                context.update(sub.id(), change -> OwnerOrders.cancel(change, cancelled, "its multi-job is ended"))
                        .join();
            }
        } else if (held != null && isReleased(multi) && !sub.state().isTerminal() && isHeld(sub, held)) {
            context.update(sub.id(), change -> OwnerOrders.release(change, "its multi-job was released"))
                    .join();
        }
    }

    private static boolean isHeld(Job sub, JobState at) {
        return sub.holdAt() == at || (sub.holding() && sub.state() == at);
    }

    /** A cancel that comes when a job is held at its clean-up only lets it go on. */
    private static boolean isReleased(Job multi) {
        return multi.holdAt() == null || (multi.state() == JobState.CLEAN_UP && !multi.holding());
    }
}
