// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference page says of every capture which test replays it, or why it cannot hold. */
class CaptureTableTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root", "."));

    @Test
    void everyCaptureHasItsRow() throws IOException {
        Path captures = ROOT.resolve("../shared/captures/gt4");
        assumeTrue(Files.isDirectory(captures), "NOT TESTED: there are no captures at " + captures.toAbsolutePath());
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/reference/gram4.md")).stream()
                .filter(line -> line.matches("\\| [0-9][0-9]-.*"))
                .map(line -> line.replaceAll("^\\| ([^ |]+) .*", "$1"))
                .toList();
        try (Stream<Path> files = Files.list(captures)) {
            List<String> names = files.map(file -> file.getFileName().toString().replace(".txt", ""))
                    .sorted()
                    .toList();
            assertThat(rows).containsExactlyElementsOf(names);
        }
    }
}
