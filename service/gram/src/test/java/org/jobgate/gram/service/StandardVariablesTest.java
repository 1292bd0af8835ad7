// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.gram.jdd.Variables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardVariablesTest {

    private static FactoryFacts facts(String scratch) {
        return new FactoryFacts("/opt/jobgate", null, null, null, null, scratch.isEmpty() ? null : scratch, "1");
    }

    @Test
    void theFourVariablesHaveValuesAndOthersHaveNone() {
        Variables variables =
                new StandardVariables(facts(""), account -> Optional.of("/home/" + account), Map.of()).of("alice");

        assertThat(variables.value("GLOBUS_USER_HOME")).hasValue("/home/alice");
        assertThat(variables.value("GLOBUS_USER_NAME")).hasValue("alice");
        assertThat(variables.value("GLOBUS_LOCATION")).hasValue("/opt/jobgate");
        assertThat(variables.value("GLOBUS_SCRATCH_DIR")).hasValue("/home/alice/.globus/scratch");
        assertThat(variables.value("PATH")).isEmpty();
    }

    @Test
    void theSitesScratchDirectoryGoesBeforeTheHome() {
        Variables variables =
                new StandardVariables(facts("/scratch"), account -> Optional.empty(), Map.of()).of("alice");

        assertThat(variables.value("GLOBUS_SCRATCH_DIR")).hasValue("/scratch");
    }

    @Test
    void homesComeFromThePasswordFileAndElseFromTheCommand(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("passwd");
        Files.writeString(file, "alice:x:1:1:Alice:/home/alice:/bin/sh\n");
        Path command = directory.resolve("ask");
        Files.writeString(command, "#!/bin/sh\n[ \"$2\" = bob ] && echo \"bob:x:2:2::/net/bob:/bin/sh\"\nexit 0\n");
        PasswdHomes homes = new PasswdHomes(file, List.of("/bin/sh", command.toString()));

        assertThat(homes.home("alice")).hasValue("/home/alice");
        assertThat(homes.home("bob")).hasValue("/net/bob");
        assertThat(homes.home("carol")).isEmpty();
    }
}
