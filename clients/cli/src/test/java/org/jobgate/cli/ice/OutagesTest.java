// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class OutagesTest {

    private static final String ONE = "one.example.org:8443";
    private static final Instant NOW = Instant.ofEpochMilli(1_000_000);

    private final Outages outages = new Outages(Clock.fixed(NOW, ZoneOffset.UTC), 500);

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
}
