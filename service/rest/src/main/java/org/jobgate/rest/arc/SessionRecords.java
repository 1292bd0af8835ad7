// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the sessions: one record with each job, which goes when the job is forgotten, and one that stays until the directory is removed.
 */
final class SessionRecords {

    /** Belongs to the job: its session. */
    static final String OF_JOB = "arc.job";

    /** Belongs to no job: a directory that is to be removed when its job is gone. */
    static final String DIRECTORY = "arc.session";

    private static final JsonMapper JSON = new JsonMapper();

    private final DoorRecords records;
    private final Clock clock;

    SessionRecords(DoorRecords records, Clock clock) {
        this.records = requireNonNull(records, "records is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The records of a new job, to be stored with it. */
    List<DoorRecord> of(JobId job, Owner owner, Session session) {
        return List.of(
                ofJob(job, owner.subject(), session),
                new DoorRecord(
                        DIRECTORY,
                        session.directory(),
                        null,
                        owner.subject(),
                        job + "\n" + session.account(),
                        clock.instant()));
    }

    private DoorRecord ofJob(JobId job, String subject, Session session) {
        return new DoorRecord(OF_JOB, job.toString(), job, subject, JSON.writeValueAsString(session), clock.instant());
    }

    /**
     * The records of a further attempt at a job, to be stored with it: the session is that of the newest attempt from then on, and the directory
     * too.
     *
     * @param first attempt, by whose id its client knows the job: it says which attempt is the newest
     * @param before the attempt that is over
     * @param session of the attempt before
     */
    List<DoorRecord> restarted(JobId first, Job before, JobId attempt, Session session, Session next) {
        Owner owner = before.owner();
        List<DoorRecord> all = new ArrayList<>(of(attempt, owner, next));
        if (!first.equals(before.id())) {
            find(first)
                    .ifPresent(known -> all.add(ofJob(first, owner.subject(), known.replacedBy(attempt.toString()))));
        }
        all.add(ofJob(before.id(), owner.subject(), session.replacedBy(attempt.toString())));
        return all;
    }

    /** Stores records one after the other. */
    void putAll(List<DoorRecord> all) {
        all.forEach(record -> Writes.await(records.putRecord(record)));
    }

    /** The session of a job; nothing for one that is forgotten. */
    Optional<Session> find(JobId job) {
        return records.findRecord(OF_JOB, job.toString()).map(record -> JSON.readValue(record.body(), Session.class));
    }

    void replace(JobId job, String subject, Session session) {
        Writes.await(records.putRecord(ofJob(job, subject, session)));
    }

    /** Directories of sessions, in the order of their paths, which are the ids of the records. The body is the id of the job, and the account. */
    List<DoorRecord> directories(String after, int limit) {
        return records.listRecords(DIRECTORY, after, limit);
    }

    Optional<DoorRecord> directory(String path) {
        return records.findRecord(DIRECTORY, path);
    }

    /** Whether the directory is still that of the same job: a new job of the same key has the same one. */
    boolean isStill(DoorRecord directory) {
        return records.findRecord(DIRECTORY, directory.id())
                .filter(now -> now.body().equals(directory.body()))
                .isPresent();
    }

    /** Complete when it is on disk. */
    CompletableFuture<Boolean> forget(String directory) {
        return records.deleteRecord(DIRECTORY, directory);
    }
}
