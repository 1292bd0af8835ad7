// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;

/**
 * What a subject sees of its own jobs. For a job of another subject, a destroyed one, and one that never was, each method answers as if there
 * were no job.
 */
final class SubjectReads {

    private final EngineContext context;
    private final JobStore store;

    SubjectReads(EngineContext context) {
        this.context = context;
        this.store = context.store();
    }

    Optional<Job> find(String subject, JobId id) {
        return store.find(id).filter(job -> ManyJobs.isVisible(subject, job)).map(this::withPendingReason);
    }

    /** Whether the job has changed since this version of it, or is gone. */
    boolean isNewer(String subject, JobId id, long seenVersion) {
        return find(subject, id).map(job -> job.version() > seenVersion).orElse(true);
    }

    /** Any job, whoever owns it. */
    Optional<Job> findForAdministrator(JobId id) {
        return store.find(id).map(this::withPendingReason);
    }

    /** The job with what keeps it waiting now, which counts before the reason that the LRM gave once. */
    Job withPendingReason(Job job) {
        Optional<PendingReason> reason = context.registry().pendingReason(job, context.slots()::queueOf);
        return reason.map(job::withPendingReason).orElse(job);
    }

    Optional<Job> findByClientId(String subject, String door, String clientId) {
        return holderOf(subject, door, clientId)
                .filter(job -> ManyJobs.isVisible(subject, job))
                .map(this::withPendingReason);
    }

    /** The job to which the client's id belongs, even if its owner does not see it any more. */
    Optional<Job> holderOf(String subject, String door, String clientId) {
        return store.find(new SubmissionKey(subject, door, clientId));
    }

    List<Job> list(String subject, JobQuery query) {
        return store.list(seenBy(subject, query)).stream()
                .map(this::withPendingReason)
                .toList();
    }

    List<JobId> ids(String subject, JobQuery query) {
        return store.ids(seenBy(subject, query));
    }

    private static JobQuery seenBy(String subject, JobQuery query) {
        return query.toBuilder().subject(subject).exceptGone().build();
    }

    Optional<JobDescription> description(String subject, JobId id) {
        return find(subject, id).flatMap(job -> store.description(id));
    }

    /** The description as the job runs it, with its files where staging puts them. */
    Optional<JobDescription> running(String subject, JobId id) {
        return find(subject, id)
                .flatMap(job ->
                        store.description(id).map(description -> context.files().prepared(job, description)));
    }

    Optional<List<Change>> history(String subject, JobId id) {
        return find(subject, id).map(job -> store.changesOf(id));
    }

    Optional<String> credentialPath(String subject, JobId id) {
        return find(subject, id).flatMap(job -> context.credentials().path(id));
    }
}
