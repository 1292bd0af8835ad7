// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./check} does beside running the tests. */
class CheckScriptTest {

    @TempDir
    private Path room;

    private Script.Result run(String commands) throws IOException, InterruptedException {
        return Script.run(Map.of(), "TMPDIR", room, commands);
    }

    /** This test may itself be run by ./check, which then holds the lock. */
    @Test
    void aSecondOneInTheSameCheckoutIsRefusedInASentence() throws IOException, InterruptedException {
        Script.Result said = run("exec 5<check; flock -n 5; timeout 20 ./check");

        assertThat(said.status()).isEqualTo(1);
        assertThat(said.output())
                .contains("another ./check runs in this checkout; wait until it has ended")
                .hasLineCount(1);
    }

    @Test
    void theMinutesOfEachPartAndModuleStandInOneTable() throws IOException, InterruptedException {
        Path minutes = room.resolve("minutes");
        Script.Result said = run("""
                set -e
                scripts/minutes note $TMPDIR/minutes lab 66
                scripts/minutes maven $TMPDIR/minutes <<'END'
                [INFO] Scanning for projects...
                [INFO] --- maven-compiler-plugin:3.16.0:compile (default-compile) @ jobgate-core ---
                [INFO] --- maven-surefire-plugin:3.6.1:test (default-test) @ jobgate-core ---
                [INFO] --- exec-maven-plugin:3.6.1:exec (prove) @ jobgate-lrm-adapters ---
                [INFO] --- failsafe:3.6.1:integration-test (default) @ jobgate-lrm-adapters ---
                [INFO] Reactor Summary for Jobgate 0.1.0-SNAPSHOT:
                END
                scripts/minutes note $TMPDIR/minutes tests 3000
                scripts/minutes note $TMPDIR/minutes quickstart 30
                """);
        assertThat(said.status()).as(said.output()).isZero();
        assertThat(said.output()).startsWith("[INFO] Scanning").hasLineCount(6);
        assertThat(Files.readString(minutes).replaceAll("[0-9]+\\.[0-9]+", "SECONDS"))
                .isEqualTo("""
                part\tlab\t66
                module\tjobgate-core\tbuild\tSECONDS
                module\tjobgate-core\tunit tests\tSECONDS
                module\tjobgate-lrm-adapters\tPerl tests\tSECONDS
                module\tjobgate-lrm-adapters\tITs\tSECONDS
                part\ttests\t3000
                part\tquickstart\t30
                """);

        Files.writeString(minutes, """
                part\tlab\t66
                module\tjobgate-core\tbuild\t30.0
                module\tjobgate-core\tunit tests\t60.0
                module\tjobgate-lrm-adapters\tITs\t2400.4
                part\ttests\t3000
                """);
        assertThat(run("scripts/minutes table $TMPDIR/minutes").output()).isEqualTo("""
                 minutes  part                                   build  unit tests  Perl tests         ITs
                     1.1  lab
                    50.0  tests
                     1.5    jobgate-core                           0.5         1.0
                    40.0    jobgate-lrm-adapters                                                      40.0
                    51.1  all
                """);
    }
}
