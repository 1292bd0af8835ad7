// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir
    Path folder;

    private Path directory(String yaml, Map<String, String> environment) throws IOException, AdminException {
        Path file = folder.resolve("jobgate.yaml");
        Files.writeString(file, yaml);
        return StateDirectory.of(file, environment).path();
    }

    @Test
    void isReadAsTheServerReadsIt() throws Exception {
        assertThat(directory("state: { directory: /x/state }", Map.of())).isEqualTo(Path.of("/x/state"));
        assertThat(directory("state:\n  directory: here\n", Map.of())).isEqualTo(folder.resolve("here"));
        assertThat(directory("state: { directory: \"${HERE:/d}/s\" }", Map.of()))
                .isEqualTo(Path.of("/d/s"));
        assertThat(directory("state: { directory: \"${HERE:/d}/s\" }", Map.of("HERE", "/e")))
                .isEqualTo(Path.of("/e/s"));
        assertThat(directory("state: { directory: '/a$${b' }", Map.of())).isEqualTo(Path.of("/a${b"));
        assertThat(directory("server: {}", Map.of())).isEqualTo(Path.of("/var/lib/jobgate"));
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> directory("state: { directory: \"${NOT_SET}\" }", Map.of()))
                .hasMessageContaining("NOT_SET");
        assertThatThrownBy(() -> directory("state: [", Map.of())).isInstanceOf(AdminException.class);
    }
}
