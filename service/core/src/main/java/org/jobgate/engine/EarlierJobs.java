// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.After;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.job.PendingReason;
import org.jobgate.job.ShortText;
import org.jobgate.job.SubJob;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;

/**
 * Jobs that wait for earlier jobs of their owner, which other submissions made. A circle cannot arise: a job can only name jobs that there are
 * before it, and what it waits for never changes.
 *
 * <p>What a job waits for stands in its description, and that it waits in the store, as with the jobs of a {@link Flow}. In memory there is only who
 * is to be looked at when a job ends; it is made anew when jobs are taken up. It has an entry for each pair of a job that waits and one that it waits
 * for, of which there are so many at the most for one owner, and for all.
 */
final class EarlierJobs {

    /** Pairs of a job that waits and one that it waits for, of one subject. */
    static final int MOST_OF_OWNER = 50_000;

    /** The same of all subjects. */
    static final int MOST = 200_000;

    private static final int MOST_SHOWN = 20;

    private record Earlier(JobId id, Map<JobId, WorkQueue.Item> waiters) {}

    private record Waiter(String subject, List<JobId> ids) {}

    private final JobStore store;

    /** By the earlier job, those to be looked at when it is over: jobs, and flows of which a part waits for it. */
    private final Map<JobId, Earlier> waiting = new HashMap<>();

    /** By who waits, for which. */
    private final Map<JobId, Waiter> awaited = new HashMap<>();

    /** By subject, how many pairs there are of its jobs. */
    private final Map<String, Integer> pairs = new HashMap<>();

    private int allPairs;

    EarlierJobs(JobStore store) {
        this.store = store;
    }

    /** The earlier jobs that the job, or one of its parts, waits for. */
    static Set<JobId> named(JobDescription description) {
        if (description.after().isEmpty() && !description.isMulti()) {
            return Set.of();
        }
        Set<String> own = description.subJobs().stream()
                .map(SubJob::name)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return Stream.concat(
                        description.after().stream(),
                        description.subJobs().stream()
                                .flatMap(sub -> sub.after().stream())
                                .filter(after -> !own.contains(after.job())))
                .map(After::earlier)
                .flatMap(Optional::stream)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The description of another attempt, which begins at once: it is wanted whatever became of the others. */
    static JobDescription without(JobDescription description) {
        if (named(description).isEmpty()) {
            return description;
        }
        Set<String> own = description.subJobs().stream()
                .map(SubJob::name)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        List<SubJob> subJobs = description.subJobs().stream()
                .map(sub -> new SubJob(
                        sub.lrm(),
                        sub.account(),
                        sub.description(),
                        sub.name(),
                        sub.after().stream()
                                .filter(after -> own.contains(after.job()))
                                .toList()))
                .toList();
        return description.toBuilder().after(List.of()).subJobs(subJobs).build();
    }

    /**
     * Refuses a job that names jobs that are not its owner's. Those of others, those that never were and those that were deleted are refused in the same
     * words.
     *
     * @param before pairs of jobs that the same request has brought before this one
     * @throws FaultException of code {@code INVALID_DESCRIPTION} or {@code LIMIT_EXCEEDED}
     */
    void check(String subject, JobDescription description, Limit limit, int before) {
        Set<JobId> seen = new HashSet<>();
        for (After after : description.after()) {
            JobId id = after.earlier()
                    .orElseThrow(() -> wrong(
                            "The job waits for " + ShortText.of(after.job(), 64) + ", which is no id of a job.",
                            "Name the id that the gateway has given to the job."));
            if (!seen.add(id)) {
                throw wrong("The job waits for " + id + " twice.", "Say once how that is to end: ok, failed or any.");
            }
        }
        Set<JobId> ids = named(description);
        if (ids.isEmpty()) {
            return;
        }
        limit.check(ids.size(), "earlier jobs to wait for");
        checkRoom(subject, before + ids.size());
        Map<JobId, Job> found = store.findAll(ids);
        for (JobId id : ids) {
            Job job = found.get(id);
            if (job == null || !ManyJobs.isVisible(subject, job)) {
                throw wrong(
                        "The job waits for the job " + id + ", and you have no such job.",
                        "Name a job of yours that you have not deleted.");
            }
        }
    }

    /**
     * Refuses a description of the elements of a group, which wait for no earlier jobs.
     *
     * @throws FaultException of code {@code UNSUPPORTED_FEATURE}
     */
    static void refuseInGroups(JobDescription description) {
        if (!named(description).isEmpty()) {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The jobs of an array or a sweep cannot wait for earlier jobs (after).",
                            "Submit them as many jobs of one request, each with its own after, or when the earlier jobs are over.")
                    .about("after", null));
        }
    }

    private synchronized void checkRoom(String subject, int more) {
        if (pairs.getOrDefault(subject, 0) + more > MOST_OF_OWNER) {
            throw noRoom("your jobs", MOST_OF_OWNER, Later.Room.OWNER);
        }
        if (allPairs + more > MOST) {
            throw noRoom("the jobs of all users", MOST, Later.Room.SERVICE);
        }
    }

    private static FaultException noRoom(String whose, int most, Later.Room room) {
        return new FaultException(Fault.of(
                        FaultCode.LIMIT_EXCEEDED,
                        "With this job " + whose + " would wait for more than " + most
                                + " earlier jobs, those of each job counted for itself.",
                        "Submit it when some of them wait no more; or let one job wait for many, and the others for that one.")
                .about("after", null)
                .until(Later.whenThereIsRoom(room)));
    }

    private static FaultException wrong(String sentence, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, remedy).about("after", null));
    }

    /** The job as it is first stored: held where it waits, and its owner is told for what. */
    static Job first(Job job, JobDescription description, Instant now) {
        List<After> after = description.after();
        if (after.isEmpty()) {
            return job;
        }
        String said = after.stream()
                .limit(MOST_SHOWN)
                .map(one -> "job " + one.job() + " " + one.when().wanted())
                .collect(Collectors.joining(", for "));
        String more = after.size() > MOST_SHOWN ? ", and for " + (after.size() - MOST_SHOWN) + " more" : "";
        return job.withHolding(true).withPendingReason(new PendingReason(now, "it waits for " + said + more));
    }

    /** From now on it is looked at when one of those that it names is over, and none of those is forgotten. */
    void remember(Job job, JobDescription description) {
        Set<JobId> ids = named(description);
        if (ids.isEmpty()) {
            return;
        }
        WorkQueue.Item item = MultiJobs.item(job.id(), job);
        synchronized (this) {
            if (awaited.containsKey(item.job())) {
                return; // what it waits for never changes
            }
            List<JobId> same = new ArrayList<>(ids.size());
            for (JobId id : ids) {
                Earlier earlier = waiting.computeIfAbsent(id, any -> new Earlier(id, new HashMap<>()));
                earlier.waiters().put(item.job(), item);
                same.add(earlier.id()); // one object for all who wait for it
            }
            awaited.put(item.job(), new Waiter(item.owner(), List.copyOf(same)));
            pairs.merge(item.owner(), same.size(), Integer::sum);
            allPairs += same.size();
        }
    }

    /** The same, with the description as it is stored, of a job that was not over a moment ago. */
    void remember(Job job) {
        store.description(job.id()).ifPresent(description -> {
            remember(job, description);
            boolean isOver = store.find(job.id())
                    .filter(now -> !now.state().isTerminal())
                    .isEmpty();
            if (isOver) {
                forget(job.id()); // it ended meanwhile, which is said only once
            }
        });
    }

    /** It waits no more. */
    synchronized void forget(JobId waiter) {
        Waiter known = awaited.remove(waiter);
        if (known == null) {
            return;
        }
        for (JobId id : known.ids()) {
            waiting.computeIfPresent(id, (any, earlier) -> {
                earlier.waiters().remove(waiter);
                return earlier.waiters().isEmpty() ? null : earlier;
            });
        }
        int fewer = known.ids().size();
        pairs.computeIfPresent(known.subject(), (any, count) -> count > fewer ? count - fewer : null);
        allPairs -= fewer;
    }

    /** Who is to be looked at because this job is over. */
    synchronized List<WorkQueue.Item> waitersFor(JobId over) {
        Earlier earlier = waiting.get(over);
        return earlier == null ? List.of() : List.copyOf(earlier.waiters().values());
    }

    /** Those that somebody waits for; how they ended is still to be read. */
    synchronized Set<JobId> awaited() {
        return Set.copyOf(waiting.keySet());
    }

    /** Those that it names, as far as they are on record. */
    Map<JobId, Job> of(JobDescription description) {
        Set<JobId> ids = named(description);
        return ids.isEmpty() ? Map.of() : store.findAll(ids);
    }

    /** Lets a job that is no part of a flow begin, or ends it, where it is decided which. Passes over one job must not overlap. */
    void follow(EngineContext context, Job seen) {
        Optional<JobDescription> description = store.description(seen.id());
        // first this, then how it stands: what ends in between, it or one of the others, is heard of
        description.ifPresent(said -> remember(seen, said));
        Job job = store.find(seen.id()).orElse(seen);
        if (description.isEmpty() || !waits(job)) {
            forget(job.id());
            return;
        }
        Map<JobId, Job> others = of(description.get());
        boolean isDecided = true;
        for (After after : description.get().after()) {
            Job one = after.earlier().map(others::get).orElse(null);
            if (one != null && !one.state().isTerminal()) {
                isDecided = false;
            } else if (!Ends.isMet(after.when(), one)) {
                String because = Ends.unmet(after, one);
                context.credentials().remove(job); // its passwords are of no more use
                context.update(job.id(), change -> leaveOut(change, because)).join();
                return;
            }
        }
        if (isDecided) {
            context.update(job.id(), EarlierJobs::begin).join();
            forget(job.id());
        }
    }

    private static boolean waits(Job job) {
        return job.waitsForOthers() && job.outcome() == null;
    }

    private static void begin(Transitions change) {
        if (waits(change.job())) {
            change.note(
                    change.job().withHolding(false).withPendingReason(null), "the jobs that it waited for are over");
        }
    }

    private static void leaveOut(Transitions change, String because) {
        if (waits(change.job())) {
            change.settle(Ends.leftOut("", because, "it"));
            change.wrapUp(JobFiles.Leftovers.NONE); // it has not begun, so it has left nothing anywhere
        }
    }
}
