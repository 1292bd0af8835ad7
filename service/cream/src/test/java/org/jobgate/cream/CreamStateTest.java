// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.junit.jupiter.api.Test;

/** Each state of the core has one of CREAM, and the numbers of CREAM's states are those of its events (facts/cream.md section 3). */
class CreamStateTest {

    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    private static Job job(JobState state) {
        return Job.create(
                        JobId.create(java.time.Clock.systemUTC(), new Random(1)),
                        new SubmissionKey("/CN=A", "cream", "x"),
                        "jdl",
                        new Owner("/CN=A", "a"),
                        "Fork",
                        null,
                        NOW,
                        null)
                .withState(state);
    }

    @Test
    void everyStateOfTheCoreHasOneOfCream() {
        Map<JobState, CreamState> map = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            map.put(state, CreamState.of(job(state)));
        }

        assertThat(map)
                .containsEntry(JobState.UNSUBMITTED, CreamState.PENDING)
                .containsEntry(JobState.STAGE_IN, CreamState.PENDING)
                .containsEntry(JobState.PENDING, CreamState.IDLE)
                .containsEntry(JobState.ACTIVE, CreamState.REALLY_RUNNING)
                .containsEntry(JobState.SUSPENDED, CreamState.HELD)
                .containsEntry(JobState.DONE, CreamState.DONE_OK)
                .containsEntry(JobState.FAILED, CreamState.ABORTED)
                .containsEntry(JobState.CANCELLED, CreamState.CANCELLED)
                .hasSize(JobState.values().length);
    }

    @Test
    void whatTheJobHasDoneSoFarDecidesWhereOneStateOfTheCoreHasSeveral() {
        Job ending = job(JobState.STAGE_IN)
                .withHoldAt(JobState.STAGE_IN)
                .withOutcome(JobOutcome.cancelled(Fault.of(FaultCode.CANCELLED_BY_USER, "x.", "")));

        assertThat(CreamState.of(job(JobState.UNSUBMITTED).withHoldAt(JobState.STAGE_IN)))
                .isEqualTo(CreamState.REGISTERED);
        assertThat(CreamState.of(
                        job(JobState.STAGE_IN).withHoldAt(JobState.STAGE_IN).withHolding(true)))
                .isEqualTo(CreamState.REGISTERED);
        assertThat(CreamState.of(job(JobState.PENDING).withHolding(true))).isEqualTo(CreamState.HELD);
        assertThat(CreamState.of(job(JobState.UNSUBMITTED).withHolding(true)))
                .as("it waits for other jobs")
                .isEqualTo(CreamState.PENDING);
        assertThat(CreamState.of(ending)).isEqualTo(CreamState.PENDING);
        assertThat(CreamState.of(job(JobState.STAGE_OUT).withQueued(NOW).withStarted(NOW)))
                .isEqualTo(CreamState.REALLY_RUNNING);
        assertThat(CreamState.of(job(JobState.CLEAN_UP).withQueued(NOW))).isEqualTo(CreamState.IDLE);
        assertThat(CreamState.of(job(JobState.CLEAN_UP))).isEqualTo(CreamState.PENDING);
        assertThat(CreamState.of(job(JobState.FAILED).withQueued(NOW))).isEqualTo(CreamState.DONE_FAILED);
    }

    @Test
    void theNumbersAreThoseOfCreamsEvents() {
        assertThat(Arrays.stream(CreamState.values()).map(state -> state.number() + " " + state.word()))
                .containsExactly(
                        "0 REGISTERED",
                        "1 PENDING",
                        "2 IDLE",
                        "3 RUNNING",
                        "4 REALLY-RUNNING",
                        "5 CANCELLED",
                        "6 HELD",
                        "7 DONE-OK",
                        "8 DONE-FAILED",
                        "9 PURGED",
                        "10 ABORTED");
        assertThat(CreamState.of("REALLY-RUNNING")).contains(CreamState.REALLY_RUNNING);
        assertThat(CreamState.of("10")).contains(CreamState.ABORTED);
        assertThat(CreamState.of("11")).isEmpty();
    }

    /** In each state a job can be ended or forgotten, so that none is stuck. */
    @Test
    void aJobInWhateverStateCanBeCancelledOrPurged() {
        Set<CreamState> ways = Arrays.stream(CreamState.values())
                .filter(state -> JobOrders.allowed(Operation.CANCEL).contains(state)
                        || JobOrders.allowed(Operation.PURGE).contains(state))
                .collect(Collectors.toSet());

        assertThat(ways)
                .containsAll(Arrays.stream(CreamState.values())
                        .filter(state -> state != CreamState.PURGED)
                        .toList());
        assertThat(JobOrders.allowed(Operation.START)).isEqualTo(Set.of(CreamState.REGISTERED));
        assertThat(JobOrders.allowed(Operation.PURGE))
                .doesNotContainAnyElementsOf(List.of(CreamState.PENDING, CreamState.IDLE, CreamState.HELD));
    }
}
