// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.LoggedJob;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.Submission;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes jobs of submissions, each once however often it comes. */
final class Submissions {

    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final JobStore store;
    private final EarlierJobs earlier;
    private final Admission admission;
    private final Consumer<Job> begin;

    /** @param begin sets a job going that was stored */
    Submissions(EngineContext context, Admission admission, Consumer<Job> begin) {
        this.store = context.store();
        this.earlier = context.earlier();
        this.admission = admission;
        this.begin = begin;
    }

    /** Stores a new job and sets it going, or answers the job that the same submission made before. */
    Submitted submit(Submission submission) {
        Admission.checkClientId(submission.clientId());
        Submitted submitted = submitOwn(submission);
        LoggedJob.isNow(submitted.job().id());
        LOG.debug("The submission made {}", submitted.isNew() ? "this job" : "this job before");
        return submitted;
    }

    /** The same of a submission that the service makes itself, for an owner. */
    Submitted submitOwn(Submission submission) {
        Optional<CreateResult> repeated = ifNotAdmitted(submission);
        return answer(
                repeated.isPresent() ? repeated.get() : Writes.await(store.create(admission.check(submission, 0, 0))),
                submission);
    }

    /**
     * The answer to a repeated submission at a time when no new job would be taken: its job is there, and repeating must say so
     * whatever the load is, and whatever has become of earlier jobs that it waits for. Empty where a new job would be taken, or where there is no such
     * job.
     */
    private Optional<CreateResult> ifNotAdmitted(Submission submission) {
        boolean mayBeTaken = EarlierJobs.named(submission.description()).isEmpty()
                && admission.takesNewJobs(submission.owner().subject());
        if (submission.clientId() == null || mayBeTaken) {
            return Optional.empty();
        }
        return stored(submission, submission.clientId());
    }

    /** The same for a refusal that only a new job deserves. */
    private Optional<CreateResult> known(Submission submission, Fault refusal) {
        boolean isForNewJobs = refusal.code() == FaultCode.LIMIT_EXCEEDED
                || refusal.code() == FaultCode.SHUTTING_DOWN
                || !EarlierJobs.named(submission.description()).isEmpty();
        return submission.clientId() == null || !isForNewJobs
                ? Optional.empty()
                : stored(submission, submission.clientId());
    }

    private Optional<CreateResult> stored(Submission submission, String clientId) {
        return store.find(submission.key(clientId))
                .map(job -> isSame(job, submission) ? new CreateResult.Existing(job) : new CreateResult.Conflict(job));
    }

    private boolean isSame(Job job, Submission submission) {
        return job.lrm().equals(submission.lrm())
                && job.owner().equals(submission.owner())
                && store.description(job.id())
                        .map(JobDescription::withoutCredentials)
                        .filter(submission.description().withoutCredentials()::equals)
                        .isPresent();
    }

    /** The same for many at once; those that are new are stored in one transaction. */
    List<BulkAnswer> submitAll(List<Submission> submissions) {
        BulkAnswer[] answers = new BulkAnswer[submissions.size()];
        List<NewJob> admitted = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        int awaited = 0;
        for (int i = 0; i < answers.length; i++) {
            Submission submission = submissions.get(i);
            try {
                Admission.checkClientId(submission.clientId());
                admitted.add(admission.check(submission, admitted.size(), awaited));
                awaited += EarlierJobs.named(submission.description()).size();
                places.add(i);
            } catch (FaultException e) {
                answers[i] = known(submission, e.fault())
                        .map(result -> bulkAnswer(result, submission))
                        .orElseGet(() -> new BulkAnswer(null, e.fault()));
            }
        }
        List<CreateResult> results = Writes.await(store.createAll(admitted));
        for (int i = 0; i < results.size(); i++) {
            int place = places.get(i);
            answers[place] = bulkAnswer(results.get(i), submissions.get(place));
        }
        return List.of(answers);
    }

    private BulkAnswer bulkAnswer(CreateResult result, Submission submission) {
        try {
            return new BulkAnswer(answer(result, submission), null);
        } catch (FaultException e) {
            return new BulkAnswer(null, e.fault());
        }
    }

    private Submitted answer(CreateResult result, Submission submission) {
        return switch (result) {
            case CreateResult.Created created -> {
                earlier.remember(created.job(), submission.description());
                begin.accept(created.job());
                yield new Submitted(created.job(), true);
            }
            case CreateResult.Existing existing -> new Submitted(existing.job(), false);
            case CreateResult.Conflict conflict -> throw new FaultException(keyReused(conflict.job()));
        };
    }

    private static Fault keyReused(Job job) {
        return Fault.of(
                        FaultCode.KEY_REUSED,
                        "The id " + job.key().clientId() + " was used before, at " + job.created()
                                + ", for another job description, LRM or account: it names the job " + job.id() + ".",
                        "Use a new id for a new job; the same id only to repeat the same request.")
                .about(DescriptionPart.CLIENT_ID, job.key().clientId());
    }
}
