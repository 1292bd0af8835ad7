// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void percentilesAreInMilliseconds() {
        Latencies latencies = new Latencies();
        for (int millis = 1; millis <= 100; millis++) {
            latencies.record(TimeUnit.MILLISECONDS.toNanos(millis));
        }

        Latencies.Percentiles percentiles = latencies.percentiles();

        assertThat(percentiles.p50()).isCloseTo(50, within(0.1));
        assertThat(percentiles.p90()).isCloseTo(90, within(0.1));
        assertThat(percentiles.p99()).isCloseTo(99, within(0.1));
        assertThat(percentiles.max()).isCloseTo(100, within(0.1));
    }

    @Test
    void whatSeveralThreadsMeasuredAddsUp() {
        Latencies one = new Latencies();
        one.record(1_000_000);
        Latencies other = new Latencies();
        other.record(3_000_000);

        one.add(other);

        assertThat(one.count()).isEqualTo(2);
        assertThat(one.percentiles().max()).isCloseTo(3, within(0.01));
    }

    @Test
    void anAbsurdlyLongRequestIsCountedNotThrown() {
        Latencies latencies = new Latencies();

        latencies.record(TimeUnit.HOURS.toNanos(5));

        assertThat(latencies.count()).isEqualTo(1);
    }
}
