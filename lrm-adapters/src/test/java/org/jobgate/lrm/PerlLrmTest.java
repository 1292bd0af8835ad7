// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.jobgate.lifecycle.LrmEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerlLrmTest {

    @TempDir
    Path directory;

    private LrmRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new LrmRoom(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void tellsTheExitCode() {
        LrmEvent.End end = room.run(room.job("/bin/sh", "-c", "exit 7"));

        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.EXITED);
        assertThat(end.exitCode()).isEqualTo(7);
    }
}
