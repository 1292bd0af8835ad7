// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times are written as {@link Instant#toString} writes them. */
class TimeTextTest {

    private final TimeText times = new TimeText();

    private String written(Instant time) {
        StringBuilder text = new StringBuilder();
        times.append(text, time);
        return text.toString();
    }

    @Test
    void timesOfAllYearsAndFractionsAreWrittenAsTheyAlwaysWere() {
        List<Instant> all = new ArrayList<>(List.of(
                Instant.EPOCH,
                Instant.MIN,
                Instant.MAX,
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.parse("-0001-12-31T23:59:59.999999999Z"),
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                Instant.parse("+10000-01-01T00:00:00Z"),
                Instant.parse("1969-12-31T23:59:59.1Z"),
                Instant.parse("2028-02-29T12:00:00.000000001Z")));
        Random random = new Random(21);
        int[] fractions = {0, 500_000_000, 7_000_000, 123_456_000, 123_456_789, 1};
        for (int i = 0; i < 20_000; i++) {
            long seconds = random.nextLong(-70_000_000_000L, 260_000_000_000L);
            all.add(Instant.ofEpochSecond(seconds, fractions[random.nextInt(fractions.length)]));
        }
        assertThat(all).allSatisfy(time -> assertThat(written(time)).isEqualTo(time.toString()));
    }
}
