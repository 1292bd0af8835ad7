// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

/** What a request has come to when some of its transfers are over. */
class RequestOutcomeTest {

    private static final TransferTask FIRST = copy("first");
    private static final TransferTask SECOND = copy("second");
    private static final TransferTask DELETION = TransferTask.deletion(URI.create("file:///scratch/old"), Map.of());
    private static final TransferRecord FINISHED = TransferRecord.NEW.finished(10, null);

    private static TransferTask copy(String name) {
        return new TransferTask(
                URI.create("gsiftp://data.example.org/" + name),
                URI.create("file:///scratch/" + name),
                Map.of(),
                false);
    }

    private static TransferRecord failed(String why) {
        return TransferRecord.NEW.failed(TransferState.FAILED, 3, why, "Try again later.");
    }

    private static RequestOutcome outcome(boolean allOrNone, boolean othersGoOn) {
        return new RequestOutcome(new TransferRequest(
                "request",
                new JobId(UUID.randomUUID()),
                "/O=Grid/CN=Alice",
                "alice",
                null,
                List.of(FIRST, SECOND, DELETION),
                0,
                0,
                allOrNone,
                null,
                othersGoOn));
    }

    @Test
    void aRequestWhoseTransfersWereAllMadeHasNoFailure() {
        RequestOutcome outcome = outcome(false, false);
        outcome.over(FIRST, FINISHED);
        outcome.over(SECOND, FINISHED);
        outcome.over(DELETION, FINISHED);
        assertThat(outcome.result(false, 0))
                .isEqualTo(new TransferResult(null, null, new Tally(3, 0, 0, 0, 0, 0, 30, null), List.of()));
    }

    @Test
    void theFirstFailureIsTheResultAndTheNewestIsTheFaultOfTheTally() {
        RequestOutcome outcome = outcome(false, true);
        outcome.over(SECOND, failed("no route"));
        outcome.over(FIRST, failed("disk full"));
        TransferResult result = outcome.result(true, 1);
        assertThat(result.failed()).isEqualTo(SECOND);
        assertThat(result.record()).isEqualTo(failed("no route"));
        assertThat(result.tally()).isEqualTo(new Tally(0, 0, 2, 0, 1, 0, 6, "disk full"));
    }

    @Test
    void aRequestThatWasStoppedWithoutAFailureSaysSo() {
        RequestOutcome outcome = outcome(false, false);
        outcome.over(FIRST, TransferRecord.NEW.cancelled());
        TransferResult result = outcome.result(true, 2);
        assertThat(result.failed()).isEqualTo(FIRST);
        assertThat(result.record())
                .extracting(TransferRecord::state, TransferRecord::error)
                .containsExactly(TransferState.CANCELLED, "it was cancelled");
        assertThat(result.tally()).isEqualTo(new Tally(0, 0, 0, 0, 2, 1, 0, null));
    }

    @Test
    void aFailureEndsARequestUnlessTheOthersGoOn() {
        for (boolean allOrNone : List.of(true, false)) {
            for (boolean othersGoOn : List.of(true, false)) {
                RequestOutcome outcome = outcome(allOrNone, othersGoOn);
                outcome.over(FIRST, FINISHED);
                assertThat(outcome.isLost()).isFalse();
                outcome.over(SECOND, failed("no route"));
                assertThat(outcome.isLost())
                        .as("all or none: %s, others go on: %s", allOrNone, othersGoOn)
                        .isEqualTo(allOrNone || !othersGoOn);
            }
        }
    }

    @Test
    void copiesAreUnwantedOnlyWhereAllOrNoneWasAskedForAndOneFailed() {
        RequestOutcome either = outcome(false, false);
        RequestOutcome allOrNone = outcome(true, false);
        for (RequestOutcome outcome : List.of(either, allOrNone)) {
            outcome.over(DELETION, FINISHED);
            outcome.over(FIRST, FINISHED);
            assertThat(outcome.unwantedCopies()).isEmpty();
            outcome.over(SECOND, failed("no route"));
        }
        assertThat(either.unwantedCopies()).isEmpty();
        assertThat(allOrNone.unwantedCopies()).as("a deletion left no copy").containsExactly(FIRST);
    }

    @Test
    void theTallyCountsWhatIsOverAndWhatIsUnderWay() {
        RequestOutcome outcome = outcome(false, true);
        outcome.over(FIRST, FINISHED);
        outcome.attemptFailed("no route");
        outcome.attemptFailed(null);
        Tally tally = outcome.tally(
                4,
                List.of(
                        TransferRecord.NEW.withState(TransferState.ACTIVE).at(null, 7),
                        TransferRecord.NEW.withState(TransferState.RETRYING).at(null, 100),
                        TransferRecord.NEW,
                        FINISHED));
        assertThat(tally).isEqualTo(new Tally(1, 1, 0, 1, 5, 0, 117, "no route"));
    }

    @Test
    void theOwnerIsToldTheNotesOfFilesThatWereMadeUpToALimit() {
        RequestOutcome outcome = outcome(false, true);
        outcome.over(FIRST, TransferRecord.NEW.finished(10, "it was cut"));
        outcome.over(SECOND, FINISHED);
        assertThat(outcome.result(false, 0).notes()).containsExactly("it was cut");
        for (int i = 0; i < 100; i++) {
            outcome.over(FIRST, TransferRecord.NEW.finished(0, "it was cut"));
        }
        assertThat(outcome.result(false, 0).notes()).hasSize(32);
    }

    @Test
    void aTransferThatIsNotOverIsNotCounted() {
        assertThatThrownBy(() -> outcome(false, false).over(FIRST, TransferRecord.NEW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PENDING");
    }
}
