// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference page is the one that the document makes. */
class ReferencePageTest {

    @Test
    void thePageIsCurrent() throws IOException {
        Path page = Path.of("../../docs/reference/rest.md");
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            Files.writeString(page, ReferencePage.render());
        }
        assertThat(page)
                .as("stale? rewrite it with -Dtest=ReferencePageTest -Djobgate.docs=write")
                .hasContent(ReferencePage.render());
    }
}
