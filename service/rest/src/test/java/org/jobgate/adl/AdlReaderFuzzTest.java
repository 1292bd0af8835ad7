// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.job.FaultException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any text at all is a description or is refused; and what was read survives being written.
 *
 * <p>The test replays seeds. To fuzz, give this class to Jazzer as its target class (docs/reference/gram4.md says how).
 */
public class AdlReaderFuzzTest {

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        List<AdlReader.Result> results;
        try {
            results = new AdlReader(Adl.SITE).readAll(new String(data, StandardCharsets.UTF_8));
        } catch (FaultException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        for (AdlReader.Result result : results) {
            if (result.activity() != null) {
                Activity again = Adl.read(AdlWriter.write(result.activity()));
                assertThat(again.uploads()).isEqualTo(result.activity().uploads());
                assertThat(again.description().arguments())
                        .isEqualTo(result.activity().description().arguments());
            }
        }
    }

    /** Texts that are read, or nearly so. */
    public static Stream<String> seeds() {
        return Stream.of(
                Adl.of("", "", ""),
                Adl.of("<Input>in</Input>", "<WallTime>1</WallTime>", "<InputFile><Name>in</Name></InputFile>"),
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'><Application><Executable><Path>&#0;</Path>",
                "<?xml version='1.1'?><a/>",
                "<a><![CDATA[",
                "\uFFFF",
                "");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsReadOrRefused(String seed) {
        fuzzerTestOneInput(seed.getBytes(StandardCharsets.UTF_8));
    }
}
