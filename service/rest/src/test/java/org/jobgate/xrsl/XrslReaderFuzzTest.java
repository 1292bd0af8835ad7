// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.adl.Activity;
import org.jobgate.adl.Adl;
import org.jobgate.adl.AdlReader;
import org.jobgate.adl.AdlWriter;
import org.jobgate.job.FaultException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any text at all is a description or is refused; and what was read can be said in ADL.
 *
 * <p>The test replays seeds. To fuzz, give this class to Jazzer as its target class (docs/reference/gram4.md says how).
 */
public class XrslReaderFuzzTest {

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        for (XrslDialect dialect : XrslDialect.values()) {
            List<XrslReader.Result> results;
            try {
                results = new XrslReader(Adl.SITE, dialect).readAll(text);
            } catch (FaultException e) {
                assertThat(e.getMessage()).isNotBlank();
                continue;
            }
            for (XrslReader.Result result : results) {
                if (result.activity() != null) {
                    Activity again = new AdlReader(Adl.SITE).read(AdlWriter.write(result.activity()));
                    assertThat(again.uploads().size())
                            .isEqualTo(result.activity().uploads().size());
                }
            }
        }
    }

    static Stream<String> seeds() {
        return Stream.of(
                "&(executable=/bin/date)",
                "+(&(executable=run.sh)(inputfiles=(run.sh \"\")))(&(executable=$(X)))",
                "&(rsl_substitution=(A b))(executable=$(A)/c)(arguments=^#a#b ' ')(stdout=o)(join=yes)",
                "&(executable=\"a\"\"b\")(walltime=\"1 day\")(count=2)(countpernode=1)(memory=100)",
                "&(executable=a$",
                "&(executable=^",
                "&(executable=' ')",
                "&(executable=/bin/date)(inputfiles=(' ' ''))",
                "&(executable=/bin/date)(environment=(' ' x))",
                "&(executable=/bin/date)(queue=' ')",
                "&(executable=%s)".formatted("\u0004".repeat(90)),
                "");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsReadOrRefused(String seed) {
        fuzzerTestOneInput(seed.getBytes(StandardCharsets.UTF_8));
    }
}
