// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobChangesTest {

    @Test
    void aJobIsShownToItsOwnerOnlyAndEachCommitIsHeard(@TempDir Path directory) {
        try (JobStore store = TestStores.sqlite(directory)) {
            JobChanges changes = JobChanges.of(store);
            AtomicInteger commits = new AtomicInteger();
            changes.onCommit(commits::incrementAndGet);
            Job job = Job.create(
                    JobId.create(Clock.systemUTC(), new Random(1)),
                    new SubmissionKey("/CN=Alice", "test", "one"),
                    "line",
                    new Owner("/CN=Alice", "alice"),
                    "Fork",
                    null,
                    Instant.now(),
                    null);
            store.create(new NewJob(job, JobDescription.of("/bin/true"), List.of()))
                    .join();

            assertThat(changes.job(job.id(), "/CN=Alice")).isPresent();
            assertThat(changes.description(job.id(), "/CN=Alice")).isPresent();
            assertThat(changes.job(job.id(), "/CN=Bob")).isEmpty();
            assertThat(changes.description(job.id(), "/CN=Bob")).isEmpty();
            assertThat(changes.after(0, 10)).hasSize(1);
            assertThat(changes.last()).isEqualTo(changes.after(0, 10).getFirst().sequence());
            // who wrote is answered before those who follow the commits are told
            await().atMost(Duration.ofSeconds(60)).until(() -> commits.get() == 1);
            changes.saveCursor("reader", 7).join();
            assertThat(changes.cursor("reader")).isEqualTo(7);
        }
    }
}
