// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ads as the real 23.9 prints them, and whatever else. To fuzz, give this class to Jazzer as its target class, with the samples as corpus. */
public class ClassAdParserTest {

    private static final Path SAMPLES = Path.of("../docker/lab/samples/htcondor");

    /** Jazzer's entry point: any text is an ad or is refused; what was read is printed so that it is read again. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        readAgain(() -> ClassAdParser.parseLong(text));
        readAgain(() -> ClassAdParser.parse(text));
        try {
            ClassAdJson.parse(text).forEach(ad -> readAgain(() -> ad));
        } catch (ClassAdException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    /** Something that is an ad or not. */
    private interface Read {
        ClassAd get() throws ClassAdException;
    }

    private static void readAgain(Read read) {
        ClassAd ad;
        try {
            ad = read.get();
        } catch (ClassAdException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        boolean isPrintable =
                ad.attributes().keySet().stream().allMatch(name -> name.matches("[A-Za-z_][A-Za-z0-9_.]*"));
        if (isPrintable && !ad.toString().contains("'") && ad.toString().length() < 1000) {
            try {
                assertThat(ClassAdParser.parse(ad.toString()).attributes().keySet())
                        .isEqualTo(ad.attributes().keySet());
            } catch (ClassAdException e) {
                // an expression is not checked for sense: one with a stray bracket or semicolon does not stand inside
                // an ad
                assertThat(ad.attributes().values().stream().anyMatch(ClassAdParserTest::hasExpression))
                        .as(ad.toString())
                        .isTrue();
            }
        }
    }

    private static boolean hasExpression(ClassAdValue value) {
        return switch (value) {
            case ClassAdValue.Expression expression -> true;
            case ClassAdValue.Sequence sequence ->
                sequence.values().stream().anyMatch(ClassAdParserTest::hasExpression);
            case ClassAdValue.Nested nested ->
                nested.ad().attributes().values().stream().anyMatch(ClassAdParserTest::hasExpression);
            default -> false;
        };
    }

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aSampleIsReadOrRefused(Path sample) throws IOException {
        fuzzerTestOneInput(Files.readAllBytes(sample));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "[ a = ",
                "[ a = \"",
                "[ a = 1; ]",
                "a = {{{{",
                "[{\"a\":",
                "[{\"a\":1}]",
                "a = \"\\",
                "a = ]",
                "a = 1 ; b"
            })
    void aTextIsReadOrRefused(String text) {
        fuzzerTestOneInput(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ok", "exit3", "signal", "cancelled", "walltime"})
    void readsARecordOfTheHistory(String job) throws IOException {
        ClassAd ad = ClassAdParser.parseLong(Files.readString(SAMPLES.resolve(job + ".condor_history-long.txt")));

        assertThat(ad.text("owner")).contains("jobgate-a");
        assertThat(ad.text("JobgateId").orElseThrow()).startsWith("7f1e0c52-9a44-4d0b-8c1e-00000000000");
        assertThat(ad.integer("JobUniverse")).hasValue(5);
        // what was removed while it ran was killed
        assertThat(ad.truth("ExitBySignal")).contains(!job.equals("ok") && !job.equals("exit3"));
    }

    @Test
    void readsEveryKindOfValue() throws ClassAdException {
        ClassAd ad = ClassAdParser.parse(
                "[ a = 1; b = -2.5; c = \"x\\\"; y\"; d = true; e = undefined; f = { 1, { \"}\" } }; g = [ h = 1 ]; i = (a > 1) ? \"]\" : b ]");

        assertThat(ad.attributes().values().stream().map(ClassAdValue::printed))
                .containsExactly(
                        "1",
                        "-2.5",
                        "\"x\\\"; y\"",
                        "true",
                        "undefined",
                        "{ 1, { \"}\" } }",
                        "[ h = 1 ]",
                        "(a > 1) ? \"]\" : b");
        assertThat(ClassAdParser.parse(ad.toString())).isEqualTo(ad);
    }

    @Test
    void refusesWhatIsTooDeep() {
        assertThatThrownBy(() -> ClassAdParser.parseValue("{".repeat(5000) + "}".repeat(5000)))
                .isInstanceOf(ClassAdException.class)
                .hasMessageContaining("deeper than 32");
        assertThatThrownBy(() -> ClassAdJson.parse("[".repeat(5000)))
                .isInstanceOf(ClassAdException.class)
                .hasMessageContaining("depth");
    }

    @Test
    void readsTheQueueAsJson() throws IOException {
        List<ClassAd> live = ClassAdJson.parse(Files.readString(SAMPLES.resolve("live.condor_q-json.json")));
        List<ClassAd> ended = ClassAdJson.parse(Files.readString(SAMPLES.resolve("ended.condor_history-json.json")));

        assertThat(live)
                .hasSize(7)
                .allSatisfy(ad -> assertThat(ad.text("Owner")).contains("jobgate-a"));
        assertThat(ended).anySatisfy(ad -> assertThat(ad.integer("ExitCode")).hasValue(3));
        assertThat(ClassAdJson.parse(Files.readString(SAMPLES.resolve("none.condor_q-json.json"))))
                .isEmpty();
    }
}
