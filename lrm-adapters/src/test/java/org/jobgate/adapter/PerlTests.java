// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Perl tests that need real processes or long seconds ({@code src/test/perl/its}): the quick ones are run by the build itself. */
final class PerlTests {

    private PerlTests() {}

    /** Runs a file of them; it is skipped with its own words where it lacks what it needs. */
    static void run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("prove", "src/test/perl/its/" + name, "::"));
        words.addAll(List.of(arguments));
        Process prove = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(prove.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(prove.waitFor()).as(said).isZero();
        assumeFalse(said.contains("skipped: SKIPPED"), said);
    }
}
