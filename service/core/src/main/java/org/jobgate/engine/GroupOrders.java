// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.ElementKey;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.IndexRange;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.GroupsBySubject;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.GroupStore;
import org.jobgate.store.GroupStore.ElementJob;
import org.jobgate.store.GroupStore.GroupResult;
import org.jobgate.store.OwnerChanges;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what owners order for their groups of jobs. */
final class GroupOrders implements GroupsBySubject {

    private static final Logger LOG = LoggerFactory.getLogger(GroupOrders.class);

    /** So many jobs are changed in one transaction. */
    private static final int PAGE = 1_000;

    private final EngineContext context;
    private final Admission admission;
    private final OwnerWaiters waiters;
    private final Consumer<JobGroup> follow;

    /** @param follow queues a group, so that elements that may begin become jobs */
    GroupOrders(EngineContext context, Admission admission, OwnerWaiters waiters, Consumer<JobGroup> follow) {
        this.context = context;
        this.admission = admission;
        this.waiters = waiters;
        this.follow = follow;
    }

    private GroupStore store() {
        return context.store().groups();
    }

    @Override
    public SubmittedGroup submit(GroupSubmission submission) {
        Admission.checkClientId(submission.clientId());
        return switch (Writes.await(
                store().create(admission.group(submission), submission.template(), submission.records()))) {
            case GroupResult.Created created -> {
                follow.accept(created.group());
                yield new SubmittedGroup(created.group(), true);
            }
            case GroupResult.Existing existing -> new SubmittedGroup(existing.group(), false);
            case GroupResult.Conflict conflict -> throw new FaultException(keyReused(conflict.group()));
        };
    }

    private static Fault keyReused(JobGroup group) {
        return Fault.of(
                        FaultCode.KEY_REUSED,
                        "The id " + group.key().clientId() + " was used before, at " + group.created()
                                + ", for another group of jobs: it names the group " + group.id() + ".",
                        "Use a new id for a new group; the same id only to repeat the same request.")
                .about(DescriptionPart.CLIENT_ID, group.key().clientId());
    }

    @Override
    public Optional<JobGroup> find(String subject, JobId id) {
        return store().find(id).filter(group -> isVisible(subject, group));
    }

    @Override
    public Optional<JobGroup> findByClientId(String subject, String door, String clientId) {
        return store().find(new SubmissionKey(subject, door, clientId)).filter(group -> isVisible(subject, group));
    }

    @Override
    public long live(String subject) {
        return store().countLive(subject);
    }

    private static boolean isVisible(String subject, JobGroup group) {
        return group.owner().subject().equals(subject) && !group.isGone();
    }

    @Override
    public Optional<JobGroup> awaitChange(String subject, JobId id, long seenVersion, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        long cursor = context.store().lastChange();
        while (isUnchanged(subject, id, seenVersion) && System.nanoTime() < end && !waiters.isEnded()) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            cursor = waiters.await(subject, cursor, left, from -> changes(subject, id, seenVersion, from))
                    .cursor();
        }
        return find(subject, id);
    }

    private boolean isUnchanged(String subject, JobId id, long seenVersion) {
        return find(subject, id).filter(group -> group.version() <= seenVersion).isPresent();
    }

    /** Looks at the group itself too, as some of its changes are no changes of a job. */
    private OwnerChanges changes(String subject, JobId id, long seenVersion, long from) {
        return isUnchanged(subject, id, seenVersion)
                ? context.store().changesOf(subject, from, PAGE)
                : new OwnerChanges(List.of(), from, false);
    }

    @Override
    public Optional<GroupTemplate> template(String subject, JobId id) {
        return find(subject, id).flatMap(group -> store().template(id));
    }

    @Override
    public List<JobGroup> list(String subject, @Nullable JobId after, int limit) {
        return store().list(subject, after, limit);
    }

    @Override
    public Optional<List<GroupElement>> elements(String subject, JobId id, int fromIndex, int limit) {
        return find(subject, id)
                .map(group -> group.indexes()
                        .places(new IndexRange(fromIndex, Integer.MAX_VALUE))
                        .map(places -> store().elements(group, places.from(), limit))
                        .orElse(List.of()));
    }

    @Override
    public Optional<List<Job>> attempts(String subject, JobId id, int index) {
        return find(subject, id).flatMap(group -> group.indexes().place(index).map(place -> attempts(group, place)));
    }

    private List<Job> attempts(JobGroup group, int place) {
        int last = store().elements(group, place, 1).getFirst().attempt();
        List<Job> jobs = new ArrayList<>();
        for (int attempt = 1; attempt <= last; attempt++) {
            ElementKey key = new ElementKey(group.id(), place, attempt);
            context.store()
                    .find(key.submissionKey(group.key()))
                    .filter(job -> ManyJobs.isVisible(group.owner().subject(), job))
                    .ifPresent(jobs::add);
        }
        return jobs;
    }

    @Override
    public Optional<JobGroup> cancel(String subject, JobId id, @Nullable IndexRange part) {
        return find(subject, id).flatMap(group -> {
            places(group, part).ifPresent(places -> {
                Writes.await(store().cancelWaiting(id, places)); // first: none of them becomes a job after that
                end(group, places, true, OwnerOrders::cancelForOwner);
                waiters.wake(subject);
            });
            return store().find(id);
        });
    }

    @Override
    public Optional<JobGroup> cancelAll(String subject, JobId id, List<IndexRange> parts) {
        return find(subject, id).flatMap(group -> {
            List<Places> all = parts.stream()
                    .flatMap(part -> group.indexes().places(part).stream())
                    .toList();
            // the store's writer takes what is asked for together into one transaction
            all.stream()
                    .map(places -> store().cancelWaiting(id, places))
                    .toList()
                    .forEach(Writes::await);
            List<JobId> jobs = all.stream()
                    .flatMap(places -> liveJobs(group, places).stream())
                    .toList();
            for (int from = 0; from < jobs.size(); from += PAGE) {
                change(
                        jobs.subList(from, Math.min(from + PAGE, jobs.size())),
                        OwnerOrders::cancelForOwner,
                        context.files()::stopSendingOf);
            }
            waiters.wake(subject);
            return store().find(id);
        });
    }

    private List<JobId> liveJobs(JobGroup group, Places places) {
        List<JobId> jobs = new ArrayList<>();
        List<ElementJob> page = store().jobs(group, places, true, PAGE);
        page.forEach(one -> jobs.add(one.job()));
        while (page.size() == PAGE && page.getLast().place() < places.to()) {
            page = store().jobs(group, new Places(page.getLast().place() + 1, places.to()), true, PAGE);
            page.forEach(one -> jobs.add(one.job()));
        }
        return jobs;
    }

    private void change(List<JobId> jobs, Consumer<Transitions> change, Consumer<Job> afterwards) {
        Writes.await(context.updateAll(jobs, transitions -> {
                    change.accept(transitions);
                    return true;
                }))
                .forEach(job -> job.ifPresent(afterwards));
    }

    private static Optional<Places> places(JobGroup group, @Nullable IndexRange part) {
        return part == null
                ? Optional.of(group.indexes().all())
                : group.indexes().places(part);
    }

    @Override
    public Optional<JobGroup> hold(String subject, JobId id, @Nullable IndexRange part) {
        return order(subject, id, part, true, group -> {
            boolean canHold = context.registry().canHold(group.lrm());
            return change -> Holds.holdIfItWaits(change, group.lrm(), canHold);
        });
    }

    @Override
    public Optional<JobGroup> release(String subject, JobId id, @Nullable IndexRange part) {
        return order(subject, id, part, false, group -> change -> OwnerOrders.releaseForOwner(change, null));
    }

    @Override
    public Optional<JobGroup> suspend(String subject, JobId id, @Nullable IndexRange part) {
        return order(subject, id, part, true, group -> {
            Lrm lrm = Suspensions.lrmOf(group.lrm(), context.registry());
            Set<JobState> suspends = lrm.suspends();
            if (suspends.isEmpty()) {
                throw Suspensions.cannotSuspend(lrm, false);
            }
            return change -> ifPossible(() -> Suspensions.wishToSuspend(change, suspends, lrm));
        });
    }

    @Override
    public Optional<JobGroup> resume(String subject, JobId id, @Nullable IndexRange part) {
        return order(subject, id, part, false, group -> {
            Lrm lrm = Suspensions.lrmOf(group.lrm(), context.registry());
            Set<JobState> suspends = lrm.suspends();
            return change -> ifPossible(() -> Suspensions.wishToResume(change, suspends, lrm));
        });
    }

    /** Leaves an element as it is if it cannot be changed so: it is over, or it runs where only waiting jobs can be suspended. */
    private static void ifPossible(Runnable change) {
        try {
            change.run();
        } catch (FaultException e) {
            LOG.debug("An element is left as it is: {}", e.fault().sentence());
        }
    }

    /** First changes the elements that have no job yet, so that none of them becomes a job in between. */
    private Optional<JobGroup> order(
            String subject,
            JobId id,
            @Nullable IndexRange part,
            boolean holds,
            Function<JobGroup, Consumer<Transitions>> order) {
        return find(subject, id).flatMap(group -> {
            Consumer<Transitions> ofJobs = order.apply(group);
            places(group, part).ifPresent(places -> {
                Writes.await(holds ? store().holdWaiting(id, places) : store().releaseHeld(id, places))
                        .ifPresent(follow);
                change(group, places, true, ofJobs, job -> {});
                waiters.wake(subject);
            });
            return store().find(id);
        });
    }

    private void end(JobGroup group, Places places, boolean onlyLive, Consumer<Transitions> change) {
        change(group, places, onlyLive, change, context.files()::stopSendingOf);
    }

    private void change(
            JobGroup group, Places places, boolean onlyLive, Consumer<Transitions> change, Consumer<Job> afterwards) {
        int from = places.from();
        while (from <= places.to()) {
            List<ElementJob> jobs = store().jobs(group, new Places(from, places.to()), onlyLive, PAGE);
            change(jobs.stream().map(ElementJob::job).toList(), change, afterwards);
            if (jobs.size() < PAGE) {
                return;
            }
            from = jobs.getLast().place() + 1;
        }
    }

    @Override
    public Optional<JobGroup> retryFailed(String subject, JobId id, @Nullable IndexRange part) {
        return find(subject, id).flatMap(group -> {
            checkNotDestroyed(group);
            admission.checkPasswordsOf(group);
            Optional<JobGroup> after = places(group, part)
                    .flatMap(places -> Writes.await(store().retryFailed(id, places)))
                    .or(() -> Optional.of(group));
            after.ifPresent(follow);
            waiters.wake(subject);
            return after;
        });
    }

    private static void checkNotDestroyed(JobGroup group) {
        if (group.destroyed()) {
            throw new FaultException(Fault.of(
                    FaultCode.WRONG_STATE,
                    "The group " + group.id() + " is being destroyed; none of its elements starts any more.",
                    "Submit it as a new group."));
        }
    }

    @Override
    public Optional<JobGroup> setMaxRunning(String subject, JobId id, int value) {
        return find(subject, id).flatMap(group -> {
            Optional<JobGroup> after =
                    Writes.await(store().change(id, now -> now.withMaxRunning(admission.checkedMaxRunning(value))));
            after.ifPresent(follow);
            waiters.wake(subject);
            return after;
        });
    }

    @Override
    public Optional<JobGroup> destroy(String subject, JobId id) {
        return find(subject, id).flatMap(group -> {
            Optional<JobGroup> after = Writes.await(store().change(id, now -> now.withDestroyed(true)));
            Places all = group.indexes().all();
            Writes.await(store().cancelWaiting(id, all));
            end(group, all, false, transitions -> {
                if (!transitions.job().destroyed()) {
                    OwnerOrders.destroyForOwner(transitions);
                }
            });
            waiters.wake(subject);
            return after;
        });
    }
}
