// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When one more session is opened. Times in milliseconds. */
class OpeningsTest {

    private static final long OPENING = 200;

    private final Openings openings = new Openings(0);

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private long dueIn(long begun, long now) {
        return Duration.ofNanos(openings.dueIn(nanos(begun), nanos(now))).toMillis();
    }

    private void opens(long begun, long ended) {
        openings.begun();
        openings.ended(Duration.ofMillis(ended - begun), nanos(ended));
    }

    /** A lease that waits from one time to the other. */
    private void waited(long from, long to) {
        openings.waits(nanos(from));
        openings.waitsNoMore(nanos(to));
    }

    @Test
    void theFirstIsOpenedAtOnce() {
        assertThat(dueIn(0, 0)).isZero();
    }

    @Test
    void whoHasWaitedAsLongAsAnOpeningTakesHasOneOpened() {
        opens(0, OPENING);
        assertThat(dueIn(1_000, 1_000)).isEqualTo(OPENING);
        assertThat(dueIn(1_000, 1_150)).isEqualTo(50);
        assertThat(dueIn(1_000, 1_200)).isZero();
    }

    @Test
    void nobodyOpensASecondWhileTheFirstIsBeingOpened() {
        openings.begun();
        assertThat(openings.dueIn(0, nanos(60_000))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oneThatWasIdleIsTheFirstAsWell() {
        openings.lent(nanos(100));
        openings.begun();
        assertThat(dueIn(100, 10_000)).as("a second one is being opened").isNotPositive();
        openings.begun();
        assertThat(openings.hasTurn()).isFalse();
    }

    @Test
    void whatAFailedOpeningTookIsNotLearnt() {
        opens(0, OPENING);
        openings.begun();
        openings.ended(null, nanos(3_000));
        openings.back();
        assertThat(dueIn(5_000, 5_000)).isEqualTo(OPENING);
    }

    @Test
    void whatIsLearntHasBounds() {
        opens(0, 1);
        assertThat(dueIn(1_000, 1_000)).isEqualTo(50);
        opens(2_000, 62_000);
        openings.back();
        assertThat(dueIn(70_000, 70_000)).isEqualTo(3_000);
    }

    @Test
    void eachOpeningThatEndsLetsTheOthersWaitAnew() {
        assertThat(openings.sinceLastEnd(nanos(100), nanos(400))).isEqualTo(nanos(300));
        openings.begun();
        openings.ended(null, nanos(300));
        assertThat(openings.sinceLastEnd(nanos(100), nanos(400))).isEqualTo(nanos(100));
    }

    @Test
    void whoCameBeforeTheFirstWasOpenedCountsFromWhenItWas() {
        opens(0, OPENING);
        assertThat(dueIn(0, OPENING)).isEqualTo(OPENING);
        assertThat(dueIn(0, 2 * OPENING)).isZero();
    }

    @Test
    void manyWhoWaitBrieflyHaveOneOpenedTogether() {
        opens(0, OPENING);
        waited(1_000, 1_150);
        assertThat(dueIn(2_000, 2_000)).isEqualTo(50);
        waited(2_000, 2_050);
        assertThat(dueIn(3_000, 3_000)).isZero();
    }

    @Test
    void timeInWhichSeveralWaitCountsOnce() {
        opens(0, OPENING);
        openings.waits(nanos(1_000));
        openings.waits(nanos(1_000));
        openings.waitsNoMore(nanos(1_100));
        assertThat(dueIn(1_100, 1_100)).isEqualTo(100);
        openings.waitsNoMore(nanos(1_100));
        assertThat(dueIn(5_000, 5_000)).isEqualTo(100);
    }

    @Test
    void theMoreThereAreTheLongerTheyMustHaveWaitedTogether() {
        opens(0, OPENING);
        opens(300, 300 + OPENING);
        waited(1_000, 1_000 + OPENING);
        assertThat(dueIn(2_000, 2_000)).as("two, so twice an opening").isEqualTo(OPENING);
        waited(2_000, 2_000 + OPENING);
        assertThat(dueIn(3_000, 3_000)).isZero();
    }

    @Test
    void whatWasWaitedBeforeAnOpeningCountsNoMoreAfterIt() {
        opens(0, OPENING);
        waited(1_000, 1_000 + OPENING);
        opens(1_200, 1_200 + OPENING);
        openings.back();
        assertThat(dueIn(2_000, 2_000)).isEqualTo(OPENING);
    }

    @Test
    void twoAreOpenedAtATime() {
        opens(0, OPENING);
        openings.begun();
        assertThat(openings.hasTurn()).isTrue();
        openings.begun();
        assertThat(openings.hasTurn()).isFalse();
        assertThat(openings.dueIn(0, nanos(60_000))).isEqualTo(Long.MAX_VALUE);
        openings.ended(null, nanos(60_000));
        openings.back();
        assertThat(openings.hasTurn()).isTrue();
    }

    @Test
    void itIsOverWhenNobodyHasOneOrWaits() {
        assertThat(openings.isOver()).isTrue();
        openings.waits(0);
        assertThat(openings.isOver()).isFalse();
        openings.begun();
        openings.waitsNoMore(0);
        openings.ended(null, 0);
        assertThat(openings.isOver()).as("a failed one comes back as any other").isFalse();
        openings.back();
        assertThat(openings.isOver()).isTrue();
        openings.lent(0);
        assertThat(openings.isOver()).isFalse();
    }
}
