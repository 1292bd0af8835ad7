// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines as HTCondor 23.9 writes them. */
class CondorRecordTest {

    private static final String EVENTS = """
            001 (012.003.000) 2026-11-24 22:01:36.734Z Job executing on host: <127.0.0.1:9618?sock=startd>
            ...
            005 (012.003.000) 2026-11-24 22:01:36.746Z Job terminated.
            \t(1) Normal termination (return value 0)
            \tJob terminated of its own accord at 2026-11-24T22:01:36Z with exit-code 0.
            ...
            028 (012.003.000) 2026-11-24 22:01:36.746Z Job ad information event triggered.
            ...
            """;

    @TempDir
    Path directory;

    @Test
    void endsAreThoseThatWereRecordedSince() throws IOException {
        Path log = Files.writeString(directory.resolve("EventLog"), EVENTS.replace("(012", "(011"));
        CondorRecord since = CondorRecord.fromNow(log);
        assertThat(since.ends()).isEmpty();

        Files.writeString(log, EVENTS, StandardOpenOption.APPEND);

        assertThat(since.ends()).hasSize(1).containsEntry("12.3", Instant.parse("2026-11-24T22:01:36.746Z"));
    }

    @Test
    void aLineThatIsNotWholeYetTellsNothing() {
        assertThat(CondorRecord.read("005 (012.003.000) 2026-11-24 22:01:3")).isEmpty();
        assertThat(CondorRecord.read("005 (1.0.0) 11/24 22:01:36 Job terminated."))
                .as("a log in local time")
                .isEmpty();
    }

    @Test
    void aLogThatWasBegunAnewIsAnError() throws IOException {
        Path log = Files.writeString(directory.resolve("EventLog"), EVENTS);
        CondorRecord since = CondorRecord.fromNow(log);
        Files.writeString(log, "");

        assertThatIOException().isThrownBy(since::ends).withMessageContaining("begun anew");
    }
}
