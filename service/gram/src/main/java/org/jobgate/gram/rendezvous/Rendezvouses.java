// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.notify.JobChanges;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;

/**
 * The rendezvous of all jobs. Registrants are kept in the store with their job, and are purged with it.
 *
 * <p>Who stands where is also kept in memory, without the bytes, for the jobs that were asked for last. A rank is given in memory first
 * and then written, so that many registrations at one job share the store's group commits; none is answered before it is on disk.
 */
public final class Rendezvouses {

    /** What the records of registrants are. */
    public static final String RECORD_KIND = RegistrantRecords.KIND;

    private static final int KNOWN_JOBS = 256;

    private final DoorRecords records;
    private final JobChanges changes;
    private final Jobs jobs;
    private final RendezvousLimits limits;
    private final Clock clock;
    private final Lock lock = new ReentrantLock();

    /** Guarded by the lock. One with an arrival on its way to disk stays, for the store does not know of that yet. */
    private final Map<JobId, Rendezvous> known = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Rendezvous> eldest) {
            return size() > KNOWN_JOBS && eldest.getValue().isAtRest();
        }
    };

    /**
     * @param changes says how many are to come to the rendezvous of a job
     * @param jobs through which it is announced that all have come
     */
    public Rendezvouses(DoorRecords records, JobChanges changes, Jobs jobs, RendezvousLimits limits, Clock clock) {
        this.records = requireNonNull(records, "records is null");
        this.changes = requireNonNull(changes, "changes is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** How many are to come: the sub-jobs of a multi-job, the processes of another. */
    public static int capacity(JobDescription description) {
        if (description.isMulti()) {
            return description.subJobs().size();
        }
        return description.jobType() == JobType.SINGLE ? 1 : description.count();
    }

    /**
     * Gives the arrival a rank, or answers the one that it was given before, when that is on disk.
     *
     * @param caller who registers, and may change the job
     * @param job the caller's
     * @throws RefusedRegistrationException where it has no place
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where it brings too much, {@code STORE_UNAVAILABLE}
     */
    public int register(Caller caller, Job job, Registration registration) {
        limits.registrantBytes().check(registration.size(), "Bytes of the registrant");
        Place place = locked(() -> placed(job, registration));
        keep(job, place);
        if (locked(() -> present(job).map(Rendezvous::beginsToAnnounce).orElse(false))) {
            announce(caller, job);
        }
        return place.rank();
    }

    private Place placed(Job job, Registration registration) {
        Rendezvous rendezvous = present(job)
                .orElseThrow(() -> new IllegalStateException("the job " + job.id() + " has no description"));
        return rendezvous.ofEarlier(registration).orElseGet(() -> add(rendezvous, job, registration));
    }

    private Place add(Rendezvous rendezvous, Job job, Registration registration) {
        int rank = rendezvous.rankFor(registration);
        limits.rendezvousBytes().check(rendezvous.bytes() + registration.size(), "Bytes at the rendezvous of the job");
        CompletableFuture<Void> kept =
                records.putRecord(RegistrantRecords.write(job, rank, registration, clock.instant()));
        Place place = new Place(rank, registration.mark(), registration.size(), kept);
        rendezvous.add(place);
        return place;
    }

    /** Waits until it is on disk; a rank that could not be written is free again. */
    private void keep(Job job, Place place) {
        try {
            Writes.await(place.kept());
        } catch (RuntimeException e) {
            locked(() -> {
                Optional<Rendezvous> rendezvous = present(job);
                rendezvous.ifPresent(with -> with.remove(place));
                return rendezvous;
            });
            throw e;
        }
    }

    /** Readers of the change stream look at the rendezvous then. */
    private void announce(Caller caller, Job job) {
        try {
            jobs.announce(caller, job.id(), "all have come to the rendezvous");
        } catch (RuntimeException e) {
            locked(() -> {
                Optional<Rendezvous> rendezvous = present(job);
                rendezvous.ifPresent(Rendezvous::announceAgain);
                return rendezvous;
            });
            throw e;
        }
    }

    /** Whether all have come to the rendezvous of this owner's job. */
    public boolean isComplete(JobId job, String owner) {
        return locked(() -> present(job, owner).map(Rendezvous::isComplete).orElse(false));
    }

    /** What all have left: their number in decimal, a space, and the bytes of each by rank; empty until all have come. */
    public Optional<byte[]> data(JobId job, String owner) {
        return isComplete(job, owner) ? Optional.of(joined(job)) : Optional.empty();
    }

    private byte[] joined(JobId job) {
        List<RegistrantRecords.Kept> registrants = kept(job);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes((registrants.size() + " ").getBytes(StandardCharsets.US_ASCII));
        registrants.stream()
                .sorted(Comparator.comparingInt(RegistrantRecords.Kept::rank))
                .forEach(registrant -> all.writeBytes(registrant.data()));
        return all.toByteArray();
    }

    private List<RegistrantRecords.Kept> kept(JobId job) {
        return records.recordsOf(RegistrantRecords.KIND, job).stream()
                .map(RegistrantRecords::read)
                .toList();
    }

    private Optional<Rendezvous> present(Job job) {
        return present(job.id(), job.owner().subject());
    }

    /** The rendezvous of the job, from memory or from the store; empty where there is no such job. Only under the lock. */
    private Optional<Rendezvous> present(JobId job, String owner) {
        Rendezvous rendezvous = known.get(job);
        if (rendezvous == null) {
            JobDescription description = changes.description(job, owner).orElse(null);
            if (description == null) {
                return Optional.empty();
            }
            rendezvous = new Rendezvous(capacity(description));
            for (RegistrantRecords.Kept registrant : kept(job)) {
                rendezvous.add(registrant.place());
            }
            known.put(job, rendezvous);
        }
        return Optional.of(rendezvous);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
