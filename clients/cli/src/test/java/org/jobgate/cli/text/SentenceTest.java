// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentenceTest {

    @ParameterizedTest
    @CsvSource({
        "it is away, it is away.",
        "it is away., it is away.",
        "it is away.., it is away.",
        "' it is away. ', it is away.",
        "is it away?, is it away?",
        "'', No reason is known.",
        ", No reason is known.",
    })
    void hasOneFullStopAtItsEnd(String text, String sentence) {
        assertThat(Sentence.of(text)).isEqualTo(sentence);
    }

    /** Reasons that others wrote end with a full stop or not; only {@link Sentence} knows. */
    @Test
    void noMessagePutsAFullStopBehindAReasonByItself() throws IOException {
        Path sources = Path.of(System.getProperty("jobgate.root")).resolve("clients/cli/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> all =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(all)
                    .hasSizeGreaterThan(50)
                    .allSatisfy(file -> assertThat(read(file)).doesNotContain("getMessage() + \".\""));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
