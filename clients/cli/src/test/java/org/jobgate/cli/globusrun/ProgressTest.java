// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jobgate.cli.command.Console;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final JobState ACTIVE = new JobState("Active", false, 0, "");
    private static final JobState HELD = new JobState("CleanUp", true, 0, "");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private Progress progress(boolean isTerminal) {
        return new Progress(new Console("x", stream(out), stream(errors), false, () -> isTerminal));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    @Test
    void tellsAPersonHowLongThereIsNoNewsAndWipesThatBeforeTheNextLine() {
        Progress progress = progress(true);
        progress.unchanged(ACTIVE, Duration.ofSeconds(5), "");
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
        progress.unchanged(ACTIVE, Duration.ofSeconds(75), "");
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualTo("(Active for 1 min 15 s)");
        progress.changed(HELD);
        assertThat(errors.toString(StandardCharsets.UTF_8)).endsWith("\r" + " ".repeat(23) + "\r");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("Current job state: CleanUp-Hold\n");
        progress.unchanged(HELD, Duration.ofMinutes(125), "");
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .endsWith("(CleanUp-Hold for 2 h 5 min; globusrun-ws -release lets it go on)");
    }

    @Test
    void tellsNothingToFilesAndPipes() {
        progress(false).unchanged(ACTIVE, Duration.ofHours(3), "");
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void tellsOnceWhyAJobDoesNotGoOnAlsoToFilesAndPipes() {
        Progress progress = progress(false);
        progress.unchanged(ACTIVE, Duration.ofSeconds(6), "no node\nis free");
        progress.unchanged(ACTIVE, Duration.ofSeconds(12), "no node\nis free");
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualTo("x: What stands in its way: no node is free.\n");
        progress.unchanged(ACTIVE, Duration.ofSeconds(18), "another");
        assertThat(errors.toString(StandardCharsets.UTF_8)).endsWith("x: What stands in its way: another.\n");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
