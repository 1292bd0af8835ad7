// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.UnusedJobs;

/** Jobs as the tests set them; only what reading files needs. */
final class TrialJobs extends UnusedJobs {

    private final Map<JobId, Job> jobs = new ConcurrentHashMap<>();
    private final Map<JobId, JobDescription> descriptions = new ConcurrentHashMap<>();

    JobId add(String subject, JobDescription description) {
        JobId id = new JobId(UUID.randomUUID());
        Job job = Job.create(
                id,
                new SubmissionKey(subject, "test", id.toString()),
                "trial",
                new Owner(subject, "alice"),
                "Fork",
                null,
                Instant.EPOCH,
                null);
        jobs.put(id, job);
        descriptions.put(id, description);
        return id;
    }

    void set(JobId id, JobState state) {
        jobs.compute(id, (key, job) -> {
            Job moved = job.withState(state).withVersion(job.version() + 1);
            return state == JobState.ACTIVE ? moved.withStarted(Instant.EPOCH) : moved;
        });
    }

    /** Its owner asks to forget it, and it has not ended yet. */
    void giveUp(JobId id) {
        jobs.compute(id, (key, job) -> job.withDestroyed(true).withVersion(job.version() + 1));
    }

    void remove(JobId id) {
        jobs.remove(id);
    }

    @Override
    public Optional<Job> find(String subject, JobId id) {
        return Optional.ofNullable(jobs.get(id))
                .filter(job -> job.owner().subject().equals(subject));
    }

    @Override
    public Optional<JobDescription> description(String subject, JobId id) {
        return find(subject, id).map(job -> descriptions.get(id));
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public Optional<Job> awaitChange(String subject, JobId id, long seenVersion, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (find(subject, id).filter(job -> job.version() > seenVersion).isEmpty()
                && jobs.containsKey(id)
                && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return find(subject, id);
    }
}
