// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.junit.jupiter.api.Test;

class JobViewTest {
    private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

    private static Job keptBack(JobState state) {
        return Job.create(
                        JobId.parse("01a2135a-7978-7b7e-b09b-04b38dd7aee4"),
                        new SubmissionKey("/CN=Alice", "rest", "one"),
                        "json",
                        new Owner("/CN=Alice", "alice"),
                        "Fork",
                        null,
                        NOW,
                        null)
                .withState(state)
                .withHolding(true);
    }

    private static Change change(Job job) {
        return new Change(1, job.id(), "/CN=Alice", 1, NOW, null, null, job.state(), job.holding(), null);
    }

    @Test
    void aJobThatWaitsForOthersIsNotHeldByItsOwner() {
        Job waits = keptBack(JobState.UNSUBMITTED);
        Job held = keptBack(JobState.PENDING);

        assertThat(JobView.summary(waits)).containsEntry("holding", false).containsEntry("waitsForOthers", true);
        assertThat(JobView.summary(held)).containsEntry("holding", true).containsEntry("waitsForOthers", false);
        assertThat(JobView.full(waits, null, List.of(change(waits))).toString())
                .contains("changes=[{")
                .doesNotContain("holding=true");
        assertThat(JobView.full(held, null, List.of(change(held))).toString()).doesNotContain("holding=false");
    }
}
