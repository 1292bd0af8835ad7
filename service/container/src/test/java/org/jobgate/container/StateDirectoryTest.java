// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jobgate.container.config.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {

    @TempDir
    Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void isMadeForItsAccountOnly() throws IOException {
        try (StateDirectory state = StateDirectory.take(folder.resolve("a/state"))) {
            assertThat(permissions(state.path())).isEqualTo("rwx------");
            assertThat(permissions(state.logs())).isEqualTo("rwx------");
            assertThat(permissions(state.path().resolve("jobgate.pid"))).isEqualTo("rw-------");
        }
    }

    @Test
    void oneThatOthersCouldReadIsClosedToThem() throws IOException {
        Path wide = Files.createDirectory(folder.resolve("wide"));
        Files.setPosixFilePermissions(wide, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (StateDirectory state = StateDirectory.take(wide)) {
            assertThat(permissions(state.path())).isEqualTo("rwx------");
        }
    }

    @Test
    void namesItsProcessAndForgetsItAtTheEnd() throws IOException {
        Path file = folder.resolve("jobgate.pid");
        try (StateDirectory state = StateDirectory.take(folder)) {
            assertThat(state.path()).isEqualTo(folder);
            assertThat(file).hasContent(ProcessHandle.current().pid() + "\n");
        }
        assertThat(file).isEmptyFile();
    }

    @Test
    void canBeTakenAgainAfterItsEnd() {
        StateDirectory.take(folder).close();
        StateDirectory again = StateDirectory.take(folder);
        assertThat(again.path()).isEqualTo(folder);
        again.close();
    }

    @Test
    void belongsToOneAtATime() {
        try (StateDirectory state = StateDirectory.take(folder)) {
            assertThatThrownBy(() -> StateDirectory.take(state.path()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("another Jobgate (process "
                            + ProcessHandle.current().pid() + ") has it");
        }
    }

    @Test
    void whatIsNoDirectoryIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> StateDirectory.take(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("state.directory = " + file);
    }
}
