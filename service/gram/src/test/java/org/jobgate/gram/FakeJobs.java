// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.Submission;
import org.jobgate.jobs.UnusedJobs;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobQuery;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jspecify.annotations.Nullable;

/** Jobs that do nothing by themselves: a test says what happens to them. Behaves otherwise as the port's contract says. */
public final class FakeJobs extends UnusedJobs {

    private final FakeStore store;
    private final Clock clock;
    private final Random random = new Random(7);
    private @Nullable FaultException refusal;

    public FakeJobs(FakeStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The jobs whose credentials are to be destroyed with them. */
    public final Set<JobId> losingCredentials = new LinkedHashSet<>();

    @Override
    public Optional<String> credentialPath(String subject, JobId id) {
        return find(subject, id)
                .filter(job -> job.state() == JobState.ACTIVE)
                .map(job -> "/home/" + job.owner().account() + "/proxy.pem");
    }

    @Override
    public void destroyCredentials(String subject, JobId id) {
        find(subject, id).ifPresent(job -> losingCredentials.add(id));
    }

    /** From now on every submission is refused with this; null mends it. */
    public void refuseWith(@Nullable FaultException exception) {
        refusal = exception;
    }

    /** Makes a job be like this, as the engine would after the event. */
    public Job change(JobId id, @Nullable JobEvent event, UnaryOperator<Job> change) {
        return store.update(id, job -> {
                    Job after = change.apply(job);
                    return List.of(event == null ? Step.of(after, "test") : Step.of(event, after));
                })
                .join()
                .orElseThrow();
    }

    public Job state(JobId id, JobState state) {
        return change(id, JobEvent.LRM_STARTED, job -> job.withState(state).withChanged(clock.instant()));
    }

    @Override
    public Set<String> lrms() {
        return new LinkedHashSet<>(List.of("Fork", "Slurm"));
    }

    @Override
    public LrmCapabilities capabilities(String lrm) {
        return lrm.equals("Fork")
                ? new LrmCapabilities("fork", List.of(new LrmCapabilities.Queue("Fork", null, null, null, null, 7L)))
                : LrmCapabilities.UNKNOWN;
    }

    @Override
    public JobId newId(Owner owner, String door, @Nullable String clientId) {
        return JobId.create(clock, random);
    }

    @Override
    public Submitted submit(Submission submission) {
        if (refusal != null) {
            throw refusal;
        }
        Instant now = clock.instant();
        Instant end = submission.terminationTime();
        if (end != null && !end.isAfter(now)) {
            throw new FaultException(Fault.of(
                    FaultCode.INVALID_TERMINATION_TIME,
                    "The termination time " + end + " is past.",
                    "Send a later one."));
        }
        JobId id = submission.id();
        String clientId = submission.clientId() == null ? id.toString() : submission.clientId();
        SubmissionKey key = submission.key(clientId);
        Job job = Job.create(
                        id,
                        key,
                        submission.origin().language(),
                        submission.owner(),
                        submission.lrm(),
                        submission.description().holdAt(),
                        now,
                        end)
                .withKeepAfterEnd(submission.keepAfterEnd());
        CreateResult result = store.create(new NewJob(job, submission.description(), submission.records()))
                .join();
        return switch (result) {
            case CreateResult.Created created -> new Submitted(created.job(), true);
            case CreateResult.Existing existing -> new Submitted(existing.job(), false);
            case CreateResult.Conflict conflict ->
                throw new FaultException(Fault.of(
                                FaultCode.KEY_REUSED,
                                "The JobID names the job " + conflict.job().id() + " already.",
                                "Use a new one.")
                        .about("JobID", clientId));
        };
    }

    @Override
    public List<BulkAnswer> submitAll(List<Submission> submissions) {
        return submissions.stream().map(this::bulkAnswer).toList();
    }

    private BulkAnswer bulkAnswer(Submission submission) {
        try {
            return new BulkAnswer(submit(submission), null);
        } catch (FaultException e) {
            return new BulkAnswer(null, e.fault());
        }
    }

    @Override
    public List<Job> list(String subject, JobQuery query) {
        return store.list(query.toBuilder().subject(subject).exceptGone().build());
    }

    @Override
    public Optional<Job> find(String subject, JobId id) {
        return store.find(id).filter(job -> job.owner().subject().equals(subject) && !job.isGone());
    }

    @Override
    public Optional<JobDescription> description(String subject, JobId id) {
        return find(subject, id).flatMap(job -> store.description(id));
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public Optional<Job> awaitChange(String subject, JobId id, long seenVersion, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() < end
                && find(subject, id).map(job -> job.version() <= seenVersion).orElse(false)) {
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return find(subject, id);
    }

    @Override
    public Optional<Job> cancel(String subject, JobId id) {
        return find(subject, id).map(job -> state(id, JobState.CANCELLED));
    }

    @Override
    public Optional<Job> release(String subject, JobId id) {
        return find(subject, id).map(job -> change(id, null, held -> held.withHolding(false)));
    }

    @Override
    public Optional<Job> announce(String subject, JobId id, String note) {
        return find(subject, id)
                .filter(job -> !job.state().isTerminal())
                .flatMap(job -> store.update(id, current -> List.of(Step.of(current, note)))
                        .join());
    }

    @Override
    public Optional<Job> suspend(String subject, JobId id) {
        return find(subject, id).map(job -> change(id, null, live -> live.withState(JobState.SUSPENDED)));
    }

    @Override
    public Optional<Job> resume(String subject, JobId id) {
        return find(subject, id).map(job -> change(id, null, live -> live.withState(JobState.ACTIVE)));
    }

    @Override
    public Optional<Job> destroy(String subject, JobId id) {
        return find(subject, id)
                .map(job -> change(
                        id, null, old -> old.withState(JobState.CANCELLED).withDestroyed(true)));
    }

    @Override
    public Optional<Job> setTerminationTime(String subject, JobId id, @Nullable Instant time) {
        if (time != null && !time.isAfter(clock.instant())) {
            throw new FaultException(Fault.of(
                    FaultCode.INVALID_TERMINATION_TIME,
                    "The termination time " + time + " is past.",
                    "Send a later one."));
        }
        return find(subject, id).map(job -> change(id, null, old -> old.withTerminationTime(time)));
    }

    /** A job that a client already knows under this id. */
    public Job put(Submission submission, String id) {
        Job job = Job.create(
                new JobId(UUID.fromString(id)),
                submission.key(id),
                submission.origin().language(),
                submission.owner(),
                submission.lrm(),
                null,
                clock.instant(),
                null);
        return store.create(new NewJob(job, submission.description(), List.of()))
                .join()
                .job();
    }
}
