// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.jobgate.cli.command.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTimeTest {
    private static final Instant NOW = Instant.parse("2026-11-20T14:57:46.764Z");

    @ParameterizedTest
    @CsvSource({
        "+24:00, 2026-11-21T14:57:46.764Z",
        "+0:05, 2026-11-20T15:02:46.764Z",
        "12/31/2026 23:59, 2026-12-31T23:59:00Z",
        "1/2/2027 3:04 GMT, 2027-01-02T03:04:00Z",
    })
    void readsGtsTerminationTimes(String text, Instant expected) throws CommandException {
        assertThat(XmlTime.termination(text, NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "24:00", "+24", "+1:60", "13/01/2026 00:00", "02/30/2026 00:00", "tomorrow"})
    void refusesOthers(String text) {
        assertThatThrownBy(() -> XmlTime.termination(text, NOW)).isInstanceOf(CommandException.class);
    }

    @Test
    void showsTheWiresTimesInGmt() {
        assertThat(XmlTime.toConsole("2026-11-21T14:57:46.764Z")).isEqualTo("11/21/2026 14:57 GMT");
        assertThat(XmlTime.toConsole("2026-11-21T01:30:00+02:00")).isEqualTo("11/20/2026 23:30 GMT");
        assertThat(XmlTime.toConsole(null)).isEqualTo("never");
        assertThat(XmlTime.toConsole("")).isEqualTo("never");
    }
}
