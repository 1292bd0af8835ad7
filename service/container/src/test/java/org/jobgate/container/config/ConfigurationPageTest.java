// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    @Test
    void theReferencePageIsWhatTheClassesSay() throws IOException {
        Path page = Path.of(System.getProperty("jobgate.root"), "docs", "reference", "configuration.md");
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, ConfigurationPage.render());
        }
        assertThat(page)
                .as("stale? rewrite it with -Dtest=ConfigurationPageTest -Djobgate.docs=write")
                .hasContent(ConfigurationPage.render());
    }
}
