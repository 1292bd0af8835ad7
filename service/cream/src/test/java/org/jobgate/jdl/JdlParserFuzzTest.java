// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any text at all is a description or is refused.
 *
 * <p>The test replays the seeds. To fuzz, give this class to Jazzer as its target class, with the seeds as its corpus
 * (docs/reference/jdl.md says how).
 */
public class JdlParserFuzzTest {

    private static final String SEEDS = "/org/jobgate/jdl/seeds";

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        Jdl jdl;
        JobDescription job;
        try {
            jdl = JdlTexts.read(text);
            assertThat(jdl.uploads()).noneMatch(name -> name.isEmpty() || name.contains("/") || name.equals(".."));
            job = jdl.description(JdlTexts.PLACES);
        } catch (FaultException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(job.executable()).startsWith("/");
        job.transfers()
                .stageIn()
                .forEach(copy -> assertThat(inside(copy.destination(), "/scratch/work/"))
                        .as(copy.destination())
                        .isTrue());
        // what is kept for the client stays in the job's own directory; the text may name other places of its account
        // as destinations
        Set<String> named = jdl.output().stream()
                .map(Jdl.OutputFile::destination)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(HashSet::new));
        Jdl.Perusal perusal = jdl.perusal();
        if (perusal != null) {
            named.add(perusal.destination().directory() + "/");
        }
        job.transfers().stageOut().stream()
                .filter(copy -> !named.contains(copy.destination()))
                .forEach(copy -> assertThat(inside(copy.destination(), "/scratch/out/"))
                        .as(copy.destination())
                        .isTrue());
    }

    private static boolean inside(String url, String directory) {
        return url.startsWith("file://" + directory)
                && !List.of(url.split("/", -1)).contains("..");
    }

    static List<Path> seeds() throws IOException, URISyntaxException {
        Path folder = Path.of(JdlParserFuzzTest.class.getResource(SEEDS).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsReadOrRefused(Path seed) throws IOException {
        fuzzerTestOneInput(Files.readAllBytes(seed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "]",
                "[]",
                "[ a",
                "[ a =",
                "[ a = ; ]",
                "[ a = \"",
                "[ a = \"\\",
                "[ a = {",
                "[ a = {1 2} ]",
                "[ a = 1 ] b",
                "[ a = 1 b = 2 ]",
                "a = 1; /* x",
                "a = ) ;",
                "a = (;",
                "a = [ b = { [ c = 1 ] } ]; =",
                "1 = 2",
                "a=1;a=2",
                "[ a = \"x\" \"y\"; ]",
                "Executable = \"/x\0y\"",
                "Executable = \"/x\"; PerusalFileEnable = true; PerusalTimeInterval = 10; PerusalFilesDestURI = \"gsiftp://h/p\";"
                        + " PerusalListFileURI = \"gsiftp://h/l\";"
            })
    void anOddTextIsReadOrRefused(String text) {
        fuzzerTestOneInput(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[ a = ", "a = {", "a = ", "a = [ b = {"})
    void nestingHasAnEnd(String opening) {
        String brackets = opening.endsWith("{") ? "{" : opening.contains("[ a") ? "[ a = " : "(";
        assertThatThrownBy(() -> JdlTexts.read(opening + brackets.repeat(20_000)))
                .hasMessageContaining("nested deeper than 32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = \"", "a = /*", "a = \"x\" + \"", "[ a = {\""})
    void whatDoesNotEndIsRefusedAtOnce(String opening) {
        String text = opening + "x".repeat(1_000_000);
        Assertions.assertTimeout(
                Duration.ofMinutes(1),
                () -> assertThatThrownBy(() -> JdlTexts.read(text)).hasMessageContaining("does not end"));
    }

    @Test
    void aMegabyteOfAnythingIsReadInNoTime() {
        for (String piece : List.of(
                "{", "(", "a&&", "\"x\",", "/**/", "other.a > 1 && ", "\\\"", "a = 1;", "' ", "((", "{\"a\" b,")) {
            String many = piece.repeat(1_000_000 / piece.length());
            for (String text : List.of(
                    many, "CERequirements = " + many, "Executable = \"/x\"; CERequirements = \"" + many + "\"")) {
                Assertions.assertTimeout(
                        Duration.ofMinutes(1), () -> fuzzerTestOneInput(text.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
