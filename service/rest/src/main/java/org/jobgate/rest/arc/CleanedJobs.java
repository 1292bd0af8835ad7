// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
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
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final Access access;
    private final Jobs jobs;
    private final DoorRecords records;
    private final Duration stay;
    private final Clock clock;
    private final ConcurrentHashMap<JobId, Due> staying = new ConcurrentHashMap<>();

    private record Due(String subject, long until) {}

    /** @param stay how long they stay; zero: they go at once */
    CleanedJobs(Access access, Jobs jobs, DoorRecords records, Duration stay, Clock clock) {
        this.access = requireNonNull(access, "access is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.records = requireNonNull(records, "records is null");
        this.stay = requireNonNull(stay, "stay is null");
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

    /** Its client has cleaned the job, which stays. Said again it changes nothing. */
    void add(Job job) {
        Instant now = clock.instant();
        Due due = new Due(job.owner().subject(), now.plus(stay).getEpochSecond());
        if (staying.putIfAbsent(job.id(), due) == null) {
            SessionRecords.await(records.putRecord(new DoorRecord(
                    RECORDS, job.id().toString(), job.id(), due.subject(), Long.toString(due.until()), now)));
        }
    }

    /** Its client has submitted it again by its key: it is no more cleaned than before. */
    void remove(JobId job) {
        if (staying.remove(job) != null) {
            SessionRecords.await(records.deleteRecord(RECORDS, job.toString()));
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

    /** Has those destroyed whose time is over, and answers them. It acts for their owners, so the site's policy about them holds. */
    List<JobId> endDue() {
        long now = clock.instant().getEpochSecond();
        List<JobId> ended = new ArrayList<>();
        staying.forEach((id, due) -> {
            if (now >= due.until() && end(id, due, now)) {
                ended.add(id);
            }
        });
        return ended;
    }

    private boolean end(JobId id, Due due, long now) {
        // whatever goes wrong, it is tried again later; and one whose client has just submitted it again is left alone
        if (!staying.replace(id, due, new Due(due.subject(), now + RETRY.toSeconds()))) {
            return false;
        }
        try {
            // nothing is answered for one that is forgotten already
            jobs.destroy(access.caller(new Identity(due.subject(), "owner", false)), id);
            remove(id);
            return true;
        } catch (FaultException e) {
            if (records.findRecord(RECORDS, id.toString()).isEmpty()) {
                // the record goes with its job: there is nothing left to destroy, and who was refused may stay refused
                staying.remove(id);
                return false;
            }
            LOG.info("The job {}, which was cleaned, cannot be destroyed now: {}", id, Reason.of(e));
            return false;
        }
    }
}
