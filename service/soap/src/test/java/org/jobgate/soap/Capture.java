// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.xmlunit.builder.DiffBuilder;
import org.xmlunit.diff.Diff;

/**
 * A conversation of a real GT4 client, as kept beside the project in {@code ../shared/captures}.
 *
 * @param service the last part of the request's address
 * @param request the request's body as on the wire
 * @param reply the reply's body; empty where only the request was kept
 */
public record Capture(String service, String request, String reply) {

    /** Reads the capture whose name begins with this number; skips the test where the captures are not there. */
    public static Capture read(String number) {
        Path directory = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "captures", "gt4");
        assumeTrue(
                Files.isDirectory(directory),
                "NOT TESTED against real clients: there are no captures at " + directory.toAbsolutePath());
        try (Stream<Path> files = Files.list(directory)) {
            Path file = files.filter(path -> path.getFileName().toString().startsWith(number + "-"))
                    .findFirst()
                    .orElseThrow();
            return parse(Files.readAllLines(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Checks that two messages have the same body: the same elements, attributes and texts in the same order. Headers are free.
     *
     * @param free elements, by their local names, whose texts differ from run to run; they have one in both
     */
    public static void assertSameBody(String expected, String actual, String... free) {
        Diff diff = DiffBuilder.compare(comparable(expected, free))
                .withTest(comparable(actual, free))
                .ignoreWhitespace()
                .checkForSimilar()
                .build();
        assertThat(diff.hasDifferences()).as(diff + " in " + actual).isFalse();
    }

    private static String comparable(String envelope, String... free) {
        String plain = envelope.replaceFirst("(?s)<(soap|SOAP-ENV):Header.*</\\1:Header>", "")
                .replaceFirst("(?s)^<\\?xml.*?\\?>", "");
        for (String name : free) {
            plain = plain.replaceAll("(<\\w+:" + name + "(?: [^>]*)?>)[^<]+", "$1" + name);
        }
        return plain;
    }

    private static Capture parse(List<String> lines) {
        String post = lines.stream()
                .filter(line -> line.startsWith("POST "))
                .findFirst()
                .orElseThrow();
        String service = post.replaceAll("^POST .*/([A-Za-z]+) HTTP.*$", "$1");
        String title = "== REQUEST BODY, as on the wire (base64 trimmed) ==";
        if (!lines.contains(title)) {
            return new Capture(
                    service,
                    lines.reversed().stream()
                            .filter(line -> !line.isBlank())
                            .findFirst()
                            .orElseThrow(),
                    "");
        }
        String request = section(lines, title);
        String reply = section(lines, "== REPLY BODY, indented ==");
        assertThat(request).isNotBlank();
        return new Capture(service, request, reply);
    }

    private static String section(List<String> lines, String title) {
        int start = lines.indexOf(title) + 1;
        int end = start;
        while (end < lines.size() && !lines.get(end).startsWith("== ")) {
            end++;
        }
        return String.join("\n", lines.subList(start, end)).strip();
    }
}
