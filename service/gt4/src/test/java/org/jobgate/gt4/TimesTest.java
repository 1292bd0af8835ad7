// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T14:55:54.178999999Z, 2026-11-20T14:55:54.178Z",
        "2026-01-02T03:04:05Z, 2026-01-02T03:04:05.000Z",
        "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59.000Z",
        "2024-02-29T00:00:00.001Z, 2024-02-29T00:00:00.001Z",
    })
    void aTimeIsWrittenToTheMillisecond(Instant time, String text) {
        assertThat(Times.format(time)).isEqualTo(text);
    }

    @Test
    void whatIsWrittenIsWhatTheJdkWritesAndIsReadAgain() {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            Instant time = Instant.ofEpochMilli(random.nextLong(-60_000_000_000_000L, 250_000_000_000_000L));

            assertThat(Times.format(time)).isEqualTo(formatter.format(time));
            assertThat(Times.parse(Times.format(time))).isEqualTo(time);
        }
    }

    @Test
    void yearsThatHaveMoreDigitsAreWrittenToo() {
        assertThat(Times.format(Instant.parse("+12026-01-01T00:00:00Z"))).isEqualTo("+12026-01-01T00:00:00.000Z");
    }
}
