// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-20T14:55:54Z",
                "2026-11-20T14:55:54.1Z",
                "2026-11-20T14:55:54.123456789Z",
                "2024-02-29T00:00:00Z",
                "2026-11-20T14:55Z",
                "2026-11-20T14:55:54.5+01:00",
            })
    void whatClientsWriteIsReadAsTheJdkReadsIt(String text) {
        assertThat(Times.parse(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-11-20T14:55:54.1234567890Z",
                "2026-11-20T14:55:54.12x4Z",
                "2026-11-20T14:55:54,5Z",
                "2026-13-20T14:55:54Z",
                "2025-02-29T00:00:00Z",
                "2026-11-20T24:00:00Z",
                "2026-11-20T14:55:60Z",
                "0000-01-01T00:00:00Z",
                "2026-11-2xT14:55:54Z",
                "2026-11-20 14:55:54Z",
                "\u0662026-11-20T14:55:54Z",
                "2026-11-20T14:55:5\u0664Z",
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> Times.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a time of the form");
    }

    @Test
    void yearsThatHaveMoreDigitsAreWrittenToo() {
        assertThat(Times.format(Instant.parse("+12026-01-01T00:00:00Z"))).isEqualTo("+12026-01-01T00:00:00.000Z");
    }
}
