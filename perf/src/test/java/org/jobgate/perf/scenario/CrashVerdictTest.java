// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.perf.scenario.CrashVerdict.Observation;
import org.junit.jupiter.api.Test;

class CrashVerdictTest {

    private static final Observation GOOD = new Observation(
            "k", 3, Optional.of("id"), Optional.of("id"), List.of("k"), 1, Optional.of("Done"), Optional.of(3));

    @Test
    void oneLineOneJobAndTheRightExitCodeIsClean() {
        CrashVerdict verdict = judge(GOOD);

        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.acknowledged()).isEqualTo(1);
        assertThat(verdict.findings()).isEmpty();
    }

    @Test
    void noLineIsLost() {
        assertThat(judge(with(List.of(), 1, "id", "Done", 3)).lost()).isEqualTo(1);
    }

    @Test
    void aJobThatTheServiceForgotIsLost() {
        CrashVerdict verdict = judge(new Observation(
                "k", 3, Optional.of("id"), Optional.of("id"), List.of("k"), 0, Optional.empty(), Optional.empty()));

        assertThat(verdict.lost()).isEqualTo(1);
        assertThat(verdict.unknownExit()).isEqualTo(1);
    }

    @Test
    void twoLinesAreDoubled() {
        assertThat(judge(with(List.of("k", "k"), 1, "id", "Done", 3)).doubled()).isEqualTo(1);
    }

    @Test
    void twoJobsOfOneKeyAreDoubled() {
        assertThat(judge(with(List.of("k"), 2, "id", "Done", 3)).doubled()).isEqualTo(1);
    }

    @Test
    void aKeyThatNamesAnotherJobLaterIsDoubled() {
        assertThat(judge(with(List.of("k"), 1, "other", "Done", 3)).doubled()).isEqualTo(1);
    }

    @Test
    void aJobThatIsNotDoneIsChanged() {
        CrashVerdict verdict = judge(with(List.of("k"), 1, "id", "Failed", 3));

        assertThat(verdict.changed()).isEqualTo(1);
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void exitCodesAreCompared() {
        CrashVerdict verdict = judge(with(List.of("k"), 1, "id", "Done", 4));

        assertThat(verdict.wrongExit()).isEqualTo(1);
        assertThat(verdict.findings()).singleElement().asString().contains("4").contains("3");
    }

    @Test
    void whatWasNeverAcknowledgedIsCountedApart() {
        CrashVerdict verdict = judge(new Observation(
                "k", 3, Optional.empty(), Optional.empty(), List.of(), 0, Optional.empty(), Optional.empty()));

        assertThat(verdict.unacknowledged()).isEqualTo(1);
        assertThat(verdict.acknowledged()).isZero();
        assertThat(verdict.lost()).isZero();
        assertThat(verdict.isClean()).isFalse();
    }

    @Test
    void heldJobsMustStandAsTheyStood() {
        CrashVerdict verdict = CrashVerdict.of(
                List.of(), Map.of("a", "held", "b", "held", "c", "held"), Map.of("a", "held", "b", "Failed"));

        assertThat(verdict.changed()).isEqualTo(1);
        assertThat(verdict.lost()).isEqualTo(1);
    }

    private static CrashVerdict judge(Observation observation) {
        return CrashVerdict.of(List.of(observation), Map.of(), Map.of());
    }

    private static Observation with(List<String> lines, int jobsOfKey, String again, String state, int exit) {
        return new Observation(
                "k", 3, Optional.of("id"), Optional.of(again), lines, jobsOfKey, Optional.of(state), Optional.of(exit));
    }
}
