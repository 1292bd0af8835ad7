// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs by a key that have run and were cleaned: they stay for a while, as WIPED, with their ends and their files. HTCondor cleans a job before it takes
 * the job off its own queue; where it is killed between the two it asks for the end and the output of the job once more, and what it is not given
 * then it takes for a failure of a job that has done its work. It may also submit a job again by its key, which its user held and released
 * while HTCondor did not know yet that it was over: then the job is there as it was before.
 */
final class CleanedJobs {

    /** The kind of the records: the id is that of the job, the body the time in seconds since 1970 until which it stays. */
    static final String RECORDS = "arc.cleaned";

    static final ArcState WIPED = new ArcState("WIPED", "DELETED");

    private static final Logger LOG = LoggerFactory.getLogger(CleanedJobs.class);
    private static final int PAGE = 1000;
    private static final int MOST_AT_ONCE = 1000;
    private static final int LOCKS = 64;

    /** So many jobs are destroyed before those who wait for the owner's lock have it. */
    private static final int MOST_AT_A_STRETCH = 100;

    private static final Duration RETRY = Duration.ofMinutes(1);

    private final Access access;
    private final Jobs jobs;
    private final DoorRecords records;
    private final Duration stay;
    private final int atOnce;
    private final Clock clock;
    private final ConcurrentHashMap<JobId, Due> staying = new ConcurrentHashMap<>();

    /**
     * Each for the jobs of some owners: who changes whether a job stays queues the write of it too before another does, and while jobs are destroyed
     * nobody takes one of them back. They are fair: who waits has the lock between two stretches.
     */
    private final List<ReentrantLock> locks =
            Stream.generate(() -> new ReentrantLock(true)).limit(LOCKS).toList();

    private record Due(String subject, long until) {}

    /**
     * Starts without any; {@link #load} reads them.
     *
     * @param stay how long they stay; zero: they go at once
     * @param jobsAtOnce how many one call may destroy
     */
    CleanedJobs(Access access, Jobs jobs, DoorRecords records, Duration stay, int jobsAtOnce, Clock clock) {
        this.access = requireNonNull(access, "access is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.records = requireNonNull(records, "records is null");
        this.stay = requireNonNull(stay, "stay is null");
        this.atOnce = Math.min(MOST_AT_ONCE, jobsAtOnce);
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads which there are; before the first request. */
    void load() {
        String after = "";
        while (true) {
            List<DoorRecord> page = records.listRecords(RECORDS, after, PAGE);
            for (DoorRecord record : page) {
                staying.put(
                        JobId.parse(record.id()),
                        new Due(requireNonNull(record.owner()), Long.parseLong(record.body())));
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    /** Whether it was submitted by a key of its client's, and its program has run to its end: such a job is not run again. */
    static boolean hasRunByKey(Job job) {
        return ActivityInfo.exitCode(job).isPresent() && isKeyed(job);
    }

    private static boolean isKeyed(Job job) {
        String key = job.key().clientId();
        return !key.equals(job.id().toString()) && !Restarts.isAttempt(job);
    }

    /** Whether the job, which is to be cleaned, stays for a while. */
    boolean wouldStay(Job job) {
        return !stay.isZero() && hasRunByKey(job);
    }

    /**
     * Their client has cleaned the jobs, which stay. Said again it changes nothing.
     *
     * @param subject whose jobs they are
     * @throws FaultException where some could not be written: these are not cleaned
     */
    void addAll(String subject, List<Job> jobs) {
        inParts(jobs, atOnce, part -> {
            Instant now = clock.instant();
            Due due = new Due(subject, now.plus(stay).getEpochSecond());
            Map<JobId, CompletableFuture<?>> writes = new LinkedHashMap<>();
            locked(subject, () -> {
                for (Job job : part) {
                    if (staying.putIfAbsent(job.id(), due) == null) {
                        writes.put(
                                job.id(),
                                records.putRecord(new DoorRecord(
                                        RECORDS,
                                        job.id().toString(),
                                        job.id(),
                                        subject,
                                        Long.toString(due.until()),
                                        now)));
                    }
                }
            });
            awaitEach(writes, id -> staying.remove(id, due));
        });
    }

    /**
     * Their client has submitted the jobs again by their keys: they are no more cleaned than before. When this is over, each of them either
     * was destroyed before, or will not be.
     *
     * @param subject whose jobs they are
     * @throws FaultException where some could not be written: these are cleaned as before
     */
    void removeAll(String subject, List<JobId> jobs) {
        inParts(jobs, atOnce, part -> {
            Map<JobId, Due> removed = new HashMap<>();
            Map<JobId, CompletableFuture<?>> writes = new LinkedHashMap<>();
            locked(subject, () -> {
                for (JobId id : part) {
                    Due due = staying.remove(id);
                    if (due != null) {
                        removed.put(id, due);
                        writes.put(id, records.deleteRecord(RECORDS, id.toString()));
                    }
                }
            });
            awaitEach(writes, id -> staying.putIfAbsent(id, requireNonNull(removed.get(id))));
        });
    }

    /** Bounds what one request puts into the store's queue, in which all owners' writes wait. */
    private static <T> void inParts(List<T> all, int most, Consumer<List<T>> work) {
        for (int from = 0; from < all.size(); from += most) {
            work.accept(all.subList(from, Math.min(all.size(), from + most)));
        }
    }

    /** Waits for writes that are forced to disk together, undoes those that failed, and throws why one has. */
    private static void awaitEach(Map<JobId, CompletableFuture<?>> writes, Consumer<JobId> undo) {
        RuntimeException failure = null;
        for (Map.Entry<JobId, CompletableFuture<?>> write : writes.entrySet()) {
            try {
                Writes.await(write.getValue());
            } catch (RuntimeException e) {
                undo.accept(write.getKey());
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void locked(String subject, Runnable work) {
        ReentrantLock lock = locks.get(Math.floorMod(subject.hashCode(), locks.size()));
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    boolean contains(JobId job) {
        return staying.containsKey(job);
    }

    /** How many there are. */
    int count() {
        return staying.size();
    }

    /** As it was before, but for those that are cleaned. */
    ArcState state(Job job, ArcState before) {
        return contains(job.id()) ? WIPED : before;
    }

    /**
     * Has those destroyed whose time is over, of each owner some, and answers them, by their owners. It acts for the owners, so the site's policy
     * about them holds.
     */
    Map<String, List<JobId>> endDue() {
        long now = clock.instant().getEpochSecond();
        Map<String, List<JobId>> due = new HashMap<>();
        staying.forEach((id, one) -> {
            if (now >= one.until()) {
                List<JobId> ofOwner = due.computeIfAbsent(one.subject(), subject -> new ArrayList<>());
                if (ofOwner.size() < atOnce) {
                    ofOwner.add(id);
                }
            }
        });
        Map<String, List<JobId>> ended = new LinkedHashMap<>();
        due.forEach((subject, ids) -> {
            List<JobId> ofOwner = new ArrayList<>();
            ended.put(subject, ofOwner);
            try {
                inParts(ids, MOST_AT_A_STRETCH, part -> locked(subject, () -> ofOwner.addAll(end(subject, part, now))));
            } catch (RuntimeException e) {
                // the other owners have their turns all the same
                LOG.warn("Cleaned jobs of {} could not be destroyed; it is tried again: {}", subject, Reason.of(e));
                LOG.debug("cleaned jobs of {}", subject, e);
            }
        });
        return ended;
    }

    /** With the owner's lock: who submits one of them again meanwhile waits, and learns that it is gone. */
    private List<JobId> end(String subject, List<JobId> ids, long now) {
        // whatever goes wrong, it is tried again later; and those whose client has just submitted them again are left
        // alone
        Due later = new Due(subject, now + RETRY.toSeconds());
        List<JobId> still = ids.stream()
                .filter(id ->
                        later.equals(staying.computeIfPresent(id, (key, due) -> now >= due.until() ? later : due)))
                .toList();
        if (still.isEmpty()) {
            return still;
        }
        try {
            // nothing is answered for those that are forgotten already
            jobs.destroyAll(access.caller(new Identity(subject, "owner", false)), still);
        } catch (FaultException e) {
            // the record goes with its job: there is nothing left to destroy then, and who was refused may stay refused
            still.stream()
                    .filter(id -> records.findRecord(RECORDS, id.toString()).isEmpty())
                    .forEach(staying::remove);
            LOG.info(
                    "{} jobs of {}, which were cleaned, cannot be destroyed now: {}",
                    still.size(),
                    subject,
                    Reason.of(e));
            return List.of();
        }
        try {
            Map<JobId, CompletableFuture<?>> writes = new LinkedHashMap<>();
            still.forEach(id -> writes.put(id, records.deleteRecord(RECORDS, id.toString())));
            awaitEach(writes, id -> {});
        } catch (FaultException e) {
            // they are destroyed and their records are there: both are tried again
            LOG.info("The records of {} cleaned jobs cannot be deleted now: {}", still.size(), Reason.of(e));
            return still;
        }
        still.forEach(staying::remove);
        return still;
    }
}
