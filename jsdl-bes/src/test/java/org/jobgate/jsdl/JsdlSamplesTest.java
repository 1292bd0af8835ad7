// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.JobDescription;
import org.junit.jupiter.api.Test;

/** The documents that independent clients of OGSA-BES sent, as they were captured. */
class JsdlSamplesTest {

    private static final Pattern DOCUMENT =
            Pattern.compile("<((?:\\w+:)?)JobDefinition\\b.*?</\\1JobDefinition>", Pattern.DOTALL);

    private static List<String> documents() throws IOException {
        Path captures = Schemas.shared("captures/bes");
        List<String> found = new ArrayList<>();
        try (var files = Files.list(captures)) {
            for (Path file : files.sorted().toList()) {
                Matcher matcher = DOCUMENT.matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(matcher.group());
                }
            }
        }
        return found;
    }

    @Test
    void eachIsValidAndReadAndWrittenAgain() throws IOException {
        List<String> documents = documents();
        assertThat(documents).hasSizeGreaterThan(2);
        for (String document : documents) {
            Schemas.validate(document);
            JobDescription job = Documents.read(document);
            String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(job);
            Schemas.validate(written);
            assertThat(Documents.read(written)).isEqualTo(job);
            assertThat(job.executable()).isIn("/bin/echo", "/bin/netstat");
        }
    }
}
