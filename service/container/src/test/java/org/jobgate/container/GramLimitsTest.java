// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.GramConfig;
import org.jobgate.gram.service.BulkLimits;
import org.jobgate.gram.service.LifetimeRules;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.xml.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GramLimitsTest {

    @TempDir
    Path directory;

    @Test
    void whatNoConfigurationSaysIsTheDefaultOfTheDoor() throws IOException {
        GramConfig gram = emptyConfiguration();

        assertThat(GramLimits.lifetimes(gram)).isEqualTo(LifetimeRules.defaults());
        assertThat(GramLimits.bulk(gram)).isEqualTo(BulkLimits.defaults());
        assertThat(GramLimits.query(gram)).isEqualTo(QueryLimits.defaults());
        assertThat(GramLimits.xml(gram)).isEqualTo(XmlLimits.defaults());
    }

    private GramConfig emptyConfiguration() throws IOException {
        Path file = Files.writeString(directory.resolve("jobgate.yaml"), "");
        return ConfigurationFile.read(file, Map.of()).gram();
    }
}
