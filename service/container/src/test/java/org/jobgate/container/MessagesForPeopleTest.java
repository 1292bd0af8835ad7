// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Looks into the source for messages that are made of an exception as it prints itself: with the name of its class, and often with nothing else
 * than the name of a file. {@code Reason} has the words.
 */
class MessagesForPeopleTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));

    /** The names that exceptions have here. */
    private static final String EXCEPTION = "(?:e|failure|cause|exception|thrown|innermost)";

    private static final Pattern PRINTED = Pattern.compile("\" \\+ " + EXCEPTION + "(?: \\+|[,;)])|[(,]\\s*" + EXCEPTION
            + "\\.toString\\(\\)|\\b" + EXCEPTION + "\\.getClass\\(\\)\\.get(?:Simple)?Name\\(\\)");

    /** What is for a log of developers only: each must not tell more, for what the parser says could repeat a key. */
    private static final List<String> ALLOWED = List.of("SshIdentity.java");

    @Test
    void noMessageHoldsAnExceptionAsItPrintsItself() throws IOException {
        assertThat(sources().stream()
                        .filter(file -> !ALLOWED.contains(file.getFileName().toString()))
                        .flatMap(MessagesForPeopleTest::printed))
                .isEmpty();
    }

    @Test
    void allSourcesAreLookedAt() throws IOException {
        assertThat(sources().stream().map(file -> file.getFileName().toString()))
                .contains(
                        "JobEngine.java", "GramDoor.java", "Main.java", "Transfer.java", "PerlLrm.java", "Jobgate.java")
                .hasSizeGreaterThan(700);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> ROOT.relativize(file).toString().matches("(?!perf/).*/src/main/java/.*"))
                    .toList();
        }
    }

    private static Stream<String> printed(Path file) {
        try {
            return PRINTED.matcher(Files.readString(file))
                    .results()
                    .map(match -> ROOT.relativize(file) + ": " + match.group());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
