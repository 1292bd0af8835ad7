// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a program is ended that takes too long. */
class ProgramsIT {

    @TempDir
    private Path directory;

    @Test
    void aProgramThatTakesTooLongCanEndWhatItHasStarted() {
        String script = "trap 'kill $child; : > cleaned; exit 0' TERM; cd " + directory + "; sleep 60 & child=$!; wait";
        assertThatThrownBy(
                        () -> new Programs(directory, Map.of()).run(List.of("sh", "-c", script), Duration.ofSeconds(3)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not end within PT3S");
        assertThat(directory.resolve("cleaned")).exists();
    }
}
