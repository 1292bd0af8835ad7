// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class OutagesTest {

    private static final String ONE = "one.example.org:8443";
    private static final Instant NOW = Instant.ofEpochMilli(1_000_000);

    private Instant now = NOW;
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };
    private final Outages outages = new Outages(clock, 500, 4);

    @Test
    void whatWasTooMuchForOneOwnerIsNotForAnother() {
        assertThat(outages.halved(ONE, "alice", 500)).isTrue();
        assertThat(outages.halved(ONE, "alice", 250)).isTrue();

        assertThat(outages.most(ONE, "alice")).isEqualTo(125);
        assertThat(outages.most(ONE, "bob")).isEqualTo(500);
        assertThat(outages.halved(ONE, "alice", 1)).isFalse();
    }

    @Test
    void anElementThatRefusesWhatOneOwnerNeedsIsOpenToOthers() {
        assertThat(outages.failed(ONE, "alice")).isEqualTo(NOW.toEpochMilli() + 1_000);

        assertThat(outages.opens("alice", ONE)).isEqualTo(NOW.toEpochMilli() + 1_000);
        assertThat(outages.opens("bob", ONE)).isZero();
        assertThat(outages.opens(ONE)).isZero();

        outages.answered(ONE, "alice");
        assertThat(outages.opens("alice", ONE)).isZero();
    }

    @Test
    void anElementThatIsAwayIsAwayForAll() {
        long again = outages.failed(ONE);

        assertThat(outages.opens("bob", ONE)).isEqualTo(again);
        outages.answered(ONE);
        assertThat(outages.opens("bob", ONE)).isZero();
    }

    @Test
    void smallerRequestsGrowAgainButNotToASizeThatWasRefusedJustNow() {
        assertThat(outages.halved(ONE, "alice", 500)).isTrue();
        assertThat(outages.halved(ONE, "alice", 250)).isTrue();

        outages.grown(ONE, "alice", 60);
        assertThat(outages.most(ONE, "alice")).as("it was not a full one").isEqualTo(125);
        outages.grown(ONE, "alice", 125);
        assertThat(outages.most(ONE, "alice")).isEqualTo(249);
        outages.grown(ONE, "alice", 249);
        assertThat(outages.most(ONE, "alice")).isEqualTo(249);

        now = NOW.plusSeconds(601);
        outages.grown(ONE, "alice", 249);
        assertThat(outages.most(ONE, "alice")).isEqualTo(498);
        outages.grown(ONE, "alice", 498);
        assertThat(outages.most(ONE, "alice")).isEqualTo(500);
    }

    @Test
    void whereOneJobWasTheReasonTheSizeWasNot() {
        for (int jobs : new int[] {4, 2}) {
            assertThat(outages.halved(ONE, "alice", jobs)).isTrue();
        }
        outages.refusedAlone(ONE, "alice");

        for (int grown = 1; grown < 500; grown *= 2) {
            outages.grown(ONE, "alice", grown);
        }

        assertThat(outages.most(ONE, "alice")).isEqualTo(500);
    }

    /** Threads that submit are 4 here. */
    @Test
    void elementsThatDoNotAnswerTieUpHalfOfTheThreadsAtMost() throws Exception {
        outages.answered("good:1");
        outages.taken(ONE);

        assertThat(outages.opens("alice", ONE))
                .as("for the thread that tries it")
                .isZero();
        assertThat(elsewhere(() -> outages.opens("bob", ONE))).isPositive();
        assertThat(elsewhere(() -> {
                    outages.taken("two:1");
                    return outages.opens("bob", "three:1");
                }))
                .isPositive();
        assertThat(elsewhere(() -> outages.opens("bob", "good:1"))).isZero();

        outages.answered(ONE);
        assertThat(elsewhere(() -> outages.opens("bob", ONE))).isZero();
        outages.left();
        assertThat(elsewhere(() -> outages.opens("bob", "three:1"))).isZero();
    }

    private static long elsewhere(Callable<Long> question) throws Exception {
        FutureTask<Long> answer = new FutureTask<>(question);
        Thread.ofPlatform().start(answer);
        return answer.get();
    }
}
