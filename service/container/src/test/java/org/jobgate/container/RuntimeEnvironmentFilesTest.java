// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeEnvironmentFilesTest {

    @TempDir
    Path directory;

    @Test
    void aProgramAndVariablesMakeAnEnvironment() throws Exception {
        Path environments = Files.createDirectories(directory.resolve("rte"));
        Files.createDirectories(environments.resolve("APPS/BIO"));
        Files.writeString(environments.resolve("APPS/BIO/BLAST-2.16"), "#!/bin/sh\n");
        Files.writeString(environments.resolve("APPS/BIO/BLAST-2.16.env"), "# where\nBLAST=/opt/a b\n\nX==\n");
        Files.writeString(environments.resolve("ONLY.env"), "A=");
        RuntimeEnvironmentFiles files = new RuntimeEnvironmentFiles(environments);
        var blast = files.find("APPS/BIO/BLAST", "2.16").orElseThrow();
        assertThat(blast.command())
                .containsExactly(environments.resolve("APPS/BIO/BLAST-2.16").toString());
        assertThat(blast.environment())
                .containsExactly(new EnvironmentVariable("BLAST", "/opt/a b"), new EnvironmentVariable("X", "="));
        assertThat(files.find("APPS/BIO/BLAST-2.16", null)).isPresent();
        assertThat(files.find("ONLY", null).orElseThrow().command()).isEmpty();
        assertThat(files.find("APPS/BIO/BLAST", null)).isEmpty();
        assertThat(files.find("APPS/BIO", null)).isEmpty();
    }

    @Test
    void clientsAreToldOfWhatIsThereNow() throws Exception {
        Path environments = Files.createDirectories(directory.resolve("rte"));
        RuntimeEnvironmentFiles files = new RuntimeEnvironmentFiles(environments);
        assertThat(files.offered()).isEmpty();
        Path bio = Files.createDirectories(environments.resolve("APPS/BIO"));
        Files.writeString(bio.resolve("BLAST-2.16"), "#!/bin/sh\n");
        Files.writeString(bio.resolve("BLAST-2.16.env"), "A=b\n");
        Files.writeString(bio.resolve(".hidden"), "x");
        Files.writeString(bio.resolve("no name"), "x");
        Files.createDirectories(environments.resolve(".git"));
        Files.writeString(environments.resolve(".git/config"), "x");
        Files.writeString(environments.resolve("ONLY.env"), "A=");
        Files.createSymbolicLink(environments.resolve("LINK-1"), bio.resolve("BLAST-2.16"));
        Files.createSymbolicLink(environments.resolve("nowhere"), environments.resolve("absent"));
        Files.createSymbolicLink(bio.resolve("circle"), environments);
        assertThat(files.offered())
                .containsExactly(
                        new RuntimeEnvironments.Offered("APPS/BIO/BLAST-2.16", true),
                        new RuntimeEnvironments.Offered("LINK-1", true),
                        new RuntimeEnvironments.Offered("ONLY", false))
                .allSatisfy(one -> assertThat(files.find(one.name(), null)).isPresent());
        assertThat(new RuntimeEnvironmentFiles(directory.resolve("absent")).offered())
                .isEmpty();
    }

    /** A checkout of a version control system has thousands of files that are none. */
    @Test
    void filesThatAreNoEnvironmentsTakeNoPlaceOfOnesThatAre() throws Exception {
        Path objects = Files.createDirectories(directory.resolve(".git/objects"));
        for (int i = 0; i < 1_100; i++) {
            Files.createFile(objects.resolve("o" + i));
            Files.createFile(directory.resolve("no name " + i));
        }
        Files.createFile(Files.createDirectories(directory.resolve("APPS")).resolve("X-1.0"));
        assertThat(new RuntimeEnvironmentFiles(directory).offered())
                .containsExactly(new RuntimeEnvironments.Offered("APPS/X-1.0", true));
    }

    @Test
    void ofVeryManyFilesSomeAreTold() throws Exception {
        for (int i = 0; i < 1_100; i++) {
            Files.createFile(directory.resolve("E-" + i));
        }
        RuntimeEnvironmentFiles files = new RuntimeEnvironmentFiles(directory);
        assertThat(files.offered()).hasSize(1_000);
        assertThat(files.find("E-1099", null)).isPresent();
    }

    @Test
    void noNameLeadsOutOfTheDirectory() throws Exception {
        Path environments = Files.createDirectories(directory.resolve("rte"));
        Files.writeString(directory.resolve("secret"), "x");
        Files.writeString(environments.resolve(".hidden"), "x");
        RuntimeEnvironmentFiles files = new RuntimeEnvironmentFiles(environments);
        for (String name :
                List.of("../secret", "a/../../secret", directory + "/secret", ".hidden", "", "a//b", "a\0")) {
            assertThat(files.find(name, null)).as(name).isEmpty();
        }
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws Exception {
        Files.writeString(directory.resolve("BAD.env"), "A=b\nsecret\n");
        RuntimeEnvironmentFiles files = new RuntimeEnvironmentFiles(directory);
        assertThatThrownBy(() -> files.find("BAD", null))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("BAD.env")
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("secret");
    }
}
