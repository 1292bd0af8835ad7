// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reference pages name a test beside each promise: each named test must exist, so that no promise stands on one that is gone. */
class DocumentedTestsTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));
    private static final Set<String> NOT_LOOKED_AT = Set.of("target", "node_modules", ".git", "venv");
    private static final Pattern JAVA =
            Pattern.compile("\\b([A-Z][A-Za-z0-9]*[a-z0-9](?:Test|IT|Contract))\\b(?:#(\\w+))?");
    private static final Pattern OTHERS = Pattern.compile("\\b([a-z][\\w-]*\\.t|test_\\w+\\.py)\\b");

    @Test
    void everyTestThatAPageNamesExists() throws IOException {
        Map<String, Path> sources = sources();
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            for (MatchResult match : JAVA.matcher(text).results().toList()) {
                named++;
                if (!exists(sources.get(match.group(1) + ".java"), match.group(2))) {
                    missing.add(ROOT.relativize(page) + ": " + match.group());
                }
            }
            for (MatchResult match : OTHERS.matcher(text).results().toList()) {
                named++;
                if (!sources.containsKey(match.group(1))) {
                    missing.add(ROOT.relativize(page) + ": " + match.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(100);
    }

    private static boolean exists(@Nullable Path source, @Nullable String method) throws IOException {
        return source != null
                && (method == null
                        || Pattern.compile("\\b" + method + "\\(")
                                .matcher(Files.readString(source))
                                .find());
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("docs/reference", "docs/user", "docs/operate")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
    }

    /** All files of the checkout that may be a test, by their names. */
    private static Map<String, Path> sources() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_LOOKED_AT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().matches(".*/(src/test|tests)/.*\\.(java|t|py)")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found.stream()
                .collect(toMap(file -> file.getFileName().toString(), file -> file, (first, second) -> first));
    }
}
