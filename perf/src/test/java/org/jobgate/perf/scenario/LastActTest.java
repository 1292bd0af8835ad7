// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastActTest {

    @TempDir
    Path directory;

    @Test
    void theProgramWritesWhenItEnds() throws Exception {
        LastAct act = new LastAct(directory.resolve("a b $(c)'"), Duration.ofMillis(250));
        assertThat(act.ended()).isEmpty();

        Instant before = Instant.now();
        Process process = new ProcessBuilder(act.program()).start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

        assertThat(process.exitValue()).isZero();
        assertThat(act.ended().orElseThrow()).isBetween(before.plusMillis(250), Instant.now());
    }

    @Test
    void aJobThatDidNotComeSoFarHasNoEnd() throws Exception {
        assertThat(new LastAct(Files.createFile(directory.resolve("empty")), Duration.ZERO).ended())
                .isEmpty();
    }

    @Test
    void jobsOneAfterAnotherRunForDifferentTimesOfOneToTwoSeconds() {
        assertThat(IntStream.range(0, 1_000)
                        .mapToObj(number -> LastAct.of(directory, number).run()))
                .doesNotHaveDuplicates()
                .allMatch(run -> run.toMillis() >= 1_000 && run.toMillis() < 2_000);
        assertThat(LastAct.of(directory, 1).program()).endsWith(directory.resolve("ended.1") + "", "1.377");
    }

    @Test
    void timesAreReadToTheNanosecond() throws Exception {
        assertThat(LastAct.time("1795557696.000000001\n")).isEqualTo(Instant.parse("2026-11-24T22:01:36.000000001Z"));
        assertThatIOException().isThrownBy(() -> LastAct.time("1795557696.N\n")).withMessageContaining("1795557696.N");
        assertThatIOException().isThrownBy(() -> LastAct.time("1795557696.0000"));
    }
}
