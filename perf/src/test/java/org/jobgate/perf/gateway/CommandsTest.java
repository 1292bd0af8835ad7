// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {

    /** A guard against hanging only. */
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    @Test
    void theWholeLifeOfTheProcessIsMeasured() throws Exception {
        long begin = System.nanoTime();
        Duration taken = commands(LONG).run(List.of("/bin/sh", "-c", "sleep 0.2"));
        Duration around = Duration.ofNanos(System.nanoTime() - begin);

        assertThat(taken).isBetween(Duration.ofMillis(200), around);
    }

    @Test
    void theEnvironmentIsHandedOver() throws Exception {
        new Commands(directory.resolve("out"), Map.of("MARK", "seen"), LONG)
                .run(List.of("/bin/sh", "-c", "test \"$MARK\" = seen"));
    }

    @Test
    void aFailureShowsWhatTheProgramSaid() {
        assertThatIOException()
                .isThrownBy(() -> commands(LONG).run(List.of("/bin/sh", "-c", "echo why >&2; exit 3")))
                .withMessageContaining("status 3")
                .withMessageContaining("why");
    }

    @Test
    void aProgramThatHangsIsEnded() {
        assertThatIOException()
                .isThrownBy(() -> commands(Duration.ofMillis(200)).run(List.of("/bin/sleep", "60")))
                .withMessageContaining("did not end");
    }

    private Commands commands(Duration timeout) {
        return new Commands(directory.resolve("out"), Map.of(), timeout);
    }
}
