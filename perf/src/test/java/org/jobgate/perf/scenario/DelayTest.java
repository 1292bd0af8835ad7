// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.wire.ToldEnd;
import org.junit.jupiter.api.Test;

/** From when a job ended, and when who was told it, to the figures. */
class DelayTest {

    private static final Instant END = Instant.parse("2026-11-24T22:01:36.500Z");

    private final Report report = new Report("notice");
    private final Delay pushed = new Delay("pushed", "pushed", job -> Ending.millis(job.ended(), job.pushed()));

    private static Optional<ToldEnd> told(String state, long millis) {
        return Optional.of(new ToldEnd(state, END.plusMillis(millis)));
    }

    private static Ending pushedAfter(long millis) {
        return new Ending(Optional.of(END), Optional.empty(), told("Done", millis), told("Done", 1));
    }

    @Test
    void aTurnHasItsMedianAndItsGreatestAndAllJobsThePercentileOfTheBudget() {
        pushed.add(
                IntStream.rangeClosed(0, 100).mapToObj(DelayTest::pushedAfter).toList());
        pushed.add(List.of(pushedAfter(3_000)));
        pushed.report(report, Budget.atMost(50));

        assertThat(report.json())
                .contains(
                        "pushed: median of a turn", "pushed: 99th percentile of a turn", "pushed: greatest of a turn");
        assertThat(report.figures()).containsEntry("pushed_p99_ms", 99.99);
        assertThat(report.missed()).containsExactly("pushed_p99_ms <= 50.00 MISSED");
    }

    @Test
    void aJobOfWhichOneMomentIsNotKnownMakesNoFigure() {
        pushed.add(List.of(
                new Ending(Optional.empty(), Optional.empty(), told("Done", 5), told("Done", 5)),
                new Ending(Optional.of(END), Optional.empty(), Optional.empty(), told("Done", 5))));
        pushed.report(report, Budget.atMost(50));

        assertThat(report.figures()).containsOnlyKeys("scenario");
    }

    @Test
    void aJobIsToldOfWhenBothWereTold() {
        assertThat(pushedAfter(5).isTold()).isTrue();
        assertThat(new Ending(Optional.of(END), Optional.empty(), Optional.empty(), told("Done", 5)).isTold())
                .isFalse();
        assertThat(new Ending(Optional.of(END), Optional.empty(), told("Done", 5), Optional.empty()).isTold())
                .isFalse();
    }

    @Test
    void aJobIsDoneWhenItDidItsLastActAndNobodyHeardOfAFailure() {
        assertThat(pushedAfter(5).isDone()).isTrue();
        assertThat(new Ending(Optional.empty(), Optional.empty(), told("Done", 5), told("Done", 5)).isDone())
                .isFalse();
        assertThat(new Ending(Optional.of(END), Optional.empty(), told("Failed", 5), Optional.empty()).isDone())
                .isFalse();
    }

    @Test
    void aStateThatIsNoEndIsNotTakenForOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ToldEnd("CleanUp", END))
                .withMessageContaining("CleanUp");
    }
}
