// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What of jobs is kept beside the database, and above all what is not. */
class JobCacheTest {

    private static final Instant NOW = Instant.parse("2026-11-27T05:00:00Z");

    private final JobCache cache = new JobCache(2);
    private final Map<JobId, Job> database = new HashMap<>();
    private final Random random = new Random(7);
    private int asked;

    private Job stored() {
        JobId id = JobId.create(Clock.systemUTC(), random);
        Job job = Job.create(
                id,
                new SubmissionKey("/CN=a", "rest", id.toString()),
                "json",
                new Owner("/CN=a", "a"),
                "Fork",
                null,
                NOW,
                null);
        database.put(id, job);
        return job;
    }

    private @Nullable Job find(JobId id) {
        return cache.find(id, () -> {
            asked++;
            return database.get(id);
        });
    }

    private void commit(Job job) {
        cache.begin(List.of(job.id()));
        database.put(job.id(), job);
        cache.end();
    }

    @Test
    void aJobIsReadOnceUntilItChanges() {
        Job job = stored();
        assertThat(find(job.id())).isEqualTo(job);
        assertThat(find(job.id())).isEqualTo(job);
        assertThat(asked).isEqualTo(1);
        commit(job.withVersion(2));
        assertThat(find(job.id())).isEqualTo(job.withVersion(2));
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whatWasReadBeforeACommitIsNotKeptAfterIt() {
        Job job = stored();
        Job seen = cache.find(job.id(), () -> {
            Job read = database.get(job.id());
            commit(job.withVersion(2)); // while the reader has its answer in hand
            return read;
        });
        assertThat(seen).isEqualTo(job);
        assertThat(find(job.id())).isEqualTo(job.withVersion(2));
        Job other = stored();
        Job read = cache.find(other.id(), () -> {
            commit(job.withVersion(3)); // of another job
            return database.get(other.id());
        });
        assertThat(read).isEqualTo(other);
        asked = 0;
        find(other.id());
        assertThat(asked).isZero();
    }

    @Test
    void whileATransactionIsCommittedItsJobsAreReadFromTheDatabase() {
        Job job = stored();
        find(job.id());
        cache.begin(List.of(job.id()));
        asked = 0;
        find(job.id());
        find(job.id());
        assertThat(asked).isEqualTo(2);
        cache.end();
        find(job.id());
        find(job.id());
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void whatIsNotThereOrCannotBeReadLeavesNothing() {
        JobId none = JobId.create(Clock.systemUTC(), random);
        assertThat(find(none)).isNull();
        assertThatThrownBy(() -> cache.find(none, () -> {
                    throw new IllegalStateException("the store is away");
                }))
                .hasMessage("the store is away");
        assertThat(cache.size()).isZero();
        Job job = stored();
        find(job.id());
        cache.clear();
        asked = 0;
        find(job.id());
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void noMoreAreKeptThanMayBe() {
        List<Job> jobs = List.of(stored(), stored(), stored());
        find(jobs.get(0).id());
        find(jobs.get(1).id());
        find(jobs.get(0).id());
        find(jobs.get(2).id());
        assertThat(cache.size()).isEqualTo(2);
        asked = 0;
        find(jobs.get(0).id());
        assertThat(asked).as("the one that was asked for longest ago went").isZero();
        Job job = stored();
        JobCache nothing = new JobCache(0);
        assertThat(nothing.find(job.id(), () -> job)).isEqualTo(job);
        assertThat(nothing.size()).isZero();
    }
}
