// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void aClosedLoopEndsAfterItsTime() {
        Pace pace = Pace.closedLoop(Duration.ofMillis(100), Long.MAX_VALUE);
        while (pace.next().isPresent()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - pace.begin())
                .isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
    }

    @Test
    void aRunEndsAfterItsNumber() {
        Pace pace = Pace.closedLoop(Duration.ofMinutes(1), 3);

        assertThat(pace.next()).isPresent();
        assertThat(pace.next()).isPresent();
        assertThat(pace.next()).isPresent();
        assertThat(pace.next()).isEmpty();
    }

    @Test
    void inAnOpenLoopARequestIsDueAtItsTimeHoweverLateItIsSent() throws InterruptedException {
        Pace pace = Pace.openLoop(Duration.ofMinutes(1), Long.MAX_VALUE, 1_000);
        long first = pace.next().orElseThrow();
        Thread.sleep(50);

        long second = pace.next().orElseThrow();

        assertThat(second - first).isEqualTo(1_000_000);
        assertThat(System.nanoTime() - second).isGreaterThan(40_000_000);
    }

    @Test
    void inAnOpenLoopNoRequestIsSentTooEarly() {
        Pace pace = Pace.openLoop(Duration.ofMinutes(1), Long.MAX_VALUE, 50);
        for (int i = 0; i < 5; i++) {
            long due = pace.next().orElseThrow();
            assertThat(System.nanoTime()).isGreaterThanOrEqualTo(due);
        }
    }

    @Test
    void aRunThatIsEndedSendsNothingMore() {
        Pace open = Pace.openLoop(Duration.ofHours(1), Long.MAX_VALUE, 1);
        Pace closed = Pace.closedLoop(Duration.ofHours(1), Long.MAX_VALUE);
        assertThat(open.next()).isPresent();
        assertThat(closed.next()).isPresent();

        open.end();
        closed.end();

        assertThat(open.next()).isEmpty();
        assertThat(closed.next()).isEmpty();
    }

    @Test
    void aRateOfNothingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Pace.openLoop(Duration.ofSeconds(1), 1, 0));
    }
}
