// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.store.Change;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.OwnerChanges;
import org.jspecify.annotations.Nullable;

/** Jobs of which a test uses some operations only: each that the test's own class does not have fails the test that calls it. */
public abstract class UnusedJobs implements JobsBySubject {

    @Override
    public JobId newId(Owner owner, String door, @Nullable String clientId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<BulkAnswer> submitAll(List<Submission> submissions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Job> list(String subject, JobQuery query) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> announce(String subject, JobId id, String note) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> cancel(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> destroy(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> release(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> resume(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> setTerminationTime(String subject, JobId id, @Nullable Instant time) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> hold(String subject, JobId id, @Nullable JobState at) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Job> suspend(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<List<Change>> history(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<List<Job>> attempts(String subject, JobId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Submitted> restart(String subject, JobId id, Function<JobId, List<DoorRecord>> records) {
        throw new UnsupportedOperationException();
    }

    @Override
    public OwnerChanges awaitChanges(String subject, long cursor, int limit, Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public OwnerChanges changes(String subject, long cursor, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> lrms() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Submitted submit(Submission submission) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long lastChange() {
        throw new UnsupportedOperationException();
    }
}
