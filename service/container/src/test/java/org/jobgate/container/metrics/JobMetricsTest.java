// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobMetricsTest {

    private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00Z");
    private static final Random RANDOM = new Random(7);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final JobMetrics metrics = new JobMetrics(registry);
    private final JobId job = newJob();

    private static JobId newJob() {
        return JobId.create(Clock.fixed(CREATED, ZoneOffset.UTC), RANDOM);
    }

    private void change(JobId id, long millis, @Nullable JobEvent event, @Nullable JobState from, JobState to) {
        metrics.committed(
                List.of(new Change(1, id, "/CN=Alice", 1, CREATED.plusMillis(millis), event, from, to, false, null)));
    }

    private double millis(String meter, String tag, String value) {
        return registry.get(meter).tag(tag, value).timer().totalTime(TimeUnit.MILLISECONDS);
    }

    private void runThrough() {
        change(job, 0, null, null, JobState.UNSUBMITTED);
        change(job, 20, JobEvent.LRM_ACCEPTED, JobState.UNSUBMITTED, JobState.PENDING);
        change(job, 50, JobEvent.LRM_STARTED, JobState.PENDING, JobState.ACTIVE);
        change(job, 150, JobEvent.CLEAN_UP_STARTED, JobState.ACTIVE, JobState.CLEAN_UP);
        change(job, 155, JobEvent.COMPLETED, JobState.CLEAN_UP, JobState.DONE);
    }

    @Test
    void timesTheWayOfAJobFromItsCreation() {
        runThrough();
        assertThat(millis("jobgate.job.since.creation", "reached", "accepted")).isEqualTo(20);
        assertThat(millis("jobgate.job.since.creation", "reached", "started")).isEqualTo(50);
        assertThat(millis("jobgate.job.since.creation", "reached", "over")).isEqualTo(155);
    }

    @Test
    void timesEachStateFromTheChangeIntoItToTheChangeOutOfIt() {
        runThrough();
        assertThat(millis("jobgate.job.in.state", "state", "unsubmitted")).isEqualTo(20);
        assertThat(millis("jobgate.job.in.state", "state", "pending")).isEqualTo(30);
        assertThat(millis("jobgate.job.in.state", "state", "active")).isEqualTo(100);
        assertThat(millis("jobgate.job.in.state", "state", "clean_up")).isEqualTo(5);
    }

    @Test
    void countsTransitions() {
        runThrough();
        assertThat(registry.get("jobgate.job.transitions")
                        .tags("from", "none", "to", "unsubmitted")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("jobgate.job.transitions")
                        .tags("from", "clean_up", "to", "done")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aChangeOfSomethingElseThanTheStateIsNoTransition() {
        change(job, 0, null, null, JobState.UNSUBMITTED);
        change(job, 10, null, JobState.UNSUBMITTED, JobState.UNSUBMITTED);
        assertThat(registry.get("jobgate.job.transitions").counters()).hasSize(1);
        change(job, 20, JobEvent.LRM_ACCEPTED, JobState.UNSUBMITTED, JobState.PENDING);
        assertThat(millis("jobgate.job.in.state", "state", "unsubmitted")).isEqualTo(20);
    }

    @Test
    void aJobOfAnEarlierRunIsTimedFromItsCreationOnly() {
        change(job, Duration.ofDays(2).toMillis(), JobEvent.LRM_STARTED, JobState.PENDING, JobState.ACTIVE);
        assertThat(millis("jobgate.job.since.creation", "reached", "started")).isEqualTo(172_800_000.0);
        assertThat(registry.find("jobgate.job.in.state").timers()).isEmpty();
    }

    @Test
    void remembersABoundedNumberOfJobs() {
        change(job, 0, null, null, JobState.UNSUBMITTED);
        for (int i = 0; i < JobMetrics.MAX_REMEMBERED; i++) {
            change(newJob(), 1, null, null, JobState.UNSUBMITTED);
        }
        change(job, 20, JobEvent.LRM_ACCEPTED, JobState.UNSUBMITTED, JobState.PENDING);
        assertThat(registry.find("jobgate.job.in.state").timers()).isEmpty();
    }
}
