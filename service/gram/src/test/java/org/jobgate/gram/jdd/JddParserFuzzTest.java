// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.xml.MalformedXmlException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes at all are a job description or are refused; and what was read survives being rendered.
 *
 * <p>The test replays the seeds. To fuzz, give this class to Jazzer as its target class, with the seeds as its corpus
 * (docs/reference/gram4.md says how).
 */
public class JddParserFuzzTest {

    private static final String SEEDS = "/org/jobgate/gram/jdd/seeds";

    /** Jazzer's entry point. */
    public static void fuzzerTestOneInput(byte[] data) {
        JobDescription description;
        try {
            description = Jdd.parse(data);
        } catch (FaultException | MalformedXmlException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(Jdd.parse(Jdd.render(description))).isEqualTo(description);
    }

    static List<Path> seeds() throws IOException, URISyntaxException {
        Path folder = Path.of(JddParserFuzzTest.class.getResource(SEEDS).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeedIsReadOrRefused(Path seed) throws IOException {
        fuzzerTestOneInput(Files.readAllBytes(seed));
    }
}
