// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArcStateTest {

    private static final Fault FAULT = Fault.of(FaultCode.LOST, "The job is lost.", "Submit it again.");

    private static Job job(JobState state, @Nullable JobOutcome outcome) {
        JobId id = new JobId(new UUID(7, 7));
        return Job.create(
                        id,
                        new SubmissionKey("/CN=a", "arc", id.toString()),
                        "adl",
                        new Owner("/CN=a", "a"),
                        "Fork",
                        null,
                        Instant.EPOCH,
                        null)
                .withState(state)
                .withOutcome(outcome);
    }

    private static Session session(@Nullable Integer successCode, @Nullable String late) {
        return new Session(
                "a", "/s", null, List.of(), List.of(), successCode, 0, late, List.of(), null, null, null, null);
    }

    @Test
    void whatItsOwnerHoldsIsHeldBeforeTheLrmAndInIt() {
        Job before = job(JobState.PENDING, null).withHolding(true);

        assertThat(ArcState.of(before)).isEqualTo(new ArcState("HELD", "SUBMIT"));
        assertThat(ArcState.of(before.withLocalIds(List.of("7")))).isEqualTo(new ArcState("HELD", "INLRMS:H"));
        assertThat(ArcState.of(before.withLocalIds(List.of("7")).withState(JobState.SUSPENDED)))
                .isEqualTo(new ArcState("HELD", "INLRMS:H"));
        // it is not for the client's files that it waits: nothing but its owner's word lets it go on
        assertThat(Uploads.isAwaited(before)).isFalse();
        assertThat(Uploads.isAwaited(
                        job(JobState.STAGE_IN, null).withHolding(true).withHoldAt(JobState.STAGE_IN)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "UNSUBMITTED, ACCEPTED",
        "STAGE_IN, PREPARING",
        "PENDING, QUEUING",
        "ACTIVE, RUNNING",
        "SUSPENDED, HELD",
        "STAGE_OUT, FINISHING",
        "CLEAN_UP, EXECUTED",
        "DONE, FINISHED",
        "FAILED, FAILED",
        "CANCELLED, KILLED"
    })
    void eachStateHasItsWord(JobState state, String word) {
        JobOutcome outcome = switch (state) {
            case DONE -> JobOutcome.done(0, null);
            case FAILED -> JobOutcome.failed(FAULT);
            case CANCELLED -> JobOutcome.cancelled(FAULT);
            default -> null;
        };
        assertThat(ArcState.of(job(state, outcome)).rest()).isEqualTo(word);
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void aJobThatIsBeingCancelledIsKilling(JobState state) {
        ArcState told = ArcState.of(job(state, JobOutcome.cancelled(FAULT)));
        assertThat(told.rest().equals("KILLING")).isEqualTo(!state.isTerminal());
    }

    @Test
    void aJobWithInputOnItsWayToTheLrmIsSubmitting() {
        assertThat(ArcState.of(job(JobState.UNSUBMITTED, null).withInputReady(true))
                        .rest())
                .isEqualTo("SUBMITTING");
    }

    @Test
    void anotherExitCodeThanZeroHasFailedUnlessItIsTheOneThatWasWanted() {
        Job job = job(JobState.DONE, JobOutcome.done(3, null));
        assertThat(ArcState.of(job).rest()).isEqualTo("FAILED");
        assertThat(ActivityInfo.state(job, session(3, null)).rest()).isEqualTo("FINISHED");
        assertThat(ActivityInfo.state(job, session(4, null)).rest()).isEqualTo("FAILED");
        assertThat(ActivityInfo.error(job, session(null, null))).contains("The program ended with the exit code 3.");
    }

    @Test
    void aJobWhoseFilesWereLateHasFailedAndSaysSo() {
        Job job = job(JobState.CANCELLED, JobOutcome.cancelled(FAULT));
        assertThat(ActivityInfo.state(job, session(null, "too late")).rest()).isEqualTo("FAILED");
        assertThat(ActivityInfo.error(job, session(null, "too late"))).contains("too late");
    }
}
