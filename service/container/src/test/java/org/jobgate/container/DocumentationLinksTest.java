// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages link to files of the checkout, among them sources that get other names: each link must lead to a file, and to a heading of it. */
class DocumentationLinksTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:)([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Stream.of("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "perf/RESULTS.md")
                .map(ROOT::resolve)
                .toList());
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @Test
    void everyLinkOfAPageLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : found(LINK, Files.readString(page))) {
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
                if (!Files.exists(target)
                        || (parts.length == 2
                                && target.toString().endsWith(".md")
                                && !headings(target).contains(parts[1]))) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(pages()).hasSizeGreaterThan(30);
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult one) -> one.group(1))
                .toList();
    }

    /** As the anchors of rendered pages are made: small letters, no punctuation, hyphens for blanks. */
    private static List<String> headings(Path page) throws IOException {
        return found(HEADING, Files.readString(page)).stream()
                .map(heading -> heading.strip()
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
