// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JobIdTest {

    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00.125Z");

    private static JobId created(Instant at) {
        return JobId.create(Clock.fixed(at, ZoneOffset.UTC), new Random(3));
    }

    @Test
    void theLeastIdOfAMomentLiesBetweenTheJobsBeforeItAndThoseOfIt() {
        String least = JobId.least(NOON).toString();

        assertThat(least).isLessThan(created(NOON).toString());
        assertThat(least).isGreaterThan(created(NOON.minusMillis(1)).toString());
    }

    @Test
    void everyMomentHasALeastId() {
        String now = JobId.least(NOON).toString();

        assertThat(JobId.least(Instant.MIN).toString()).isLessThan(now);
        assertThat(JobId.least(Instant.MAX).toString()).isGreaterThan(now);
    }
}
