// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that has failed is started once more in Fork, under a new tag. */
class RestartIT {

    @TempDir
    Path directory;

    @Test
    void aJobThatFailedRunsOnceMoreAndBothAttemptsAreKept() throws IOException {
        Path tries = directory.resolve("tries");
        try (EngineRoom room = new EngineRoom(
                directory,
                LrmRoom.ACCOUNT,
                LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                        .withSpool(directory.resolve("spool").toString())
                        .withGrace(Duration.ofSeconds(1)))) {
            JobId first = room.submit("echo x >> " + tries + "; [ $(wc -l < " + tries + ") -ge 2 ] || exit 7");
            Job failed = room.awaitState(first, JobState.DONE);
            assertThat(failed.settledOutcome().map(JobOutcome::exitCode)).contains(7);
            JobId second = room.engine
                    .restart(failed.owner().subject(), first)
                    .orElseThrow()
                    .job()
                    .id();
            room.stop();
            room.start();
            Job done = room.awaitState(second, JobState.DONE);
            assertThat(done.settledOutcome().map(JobOutcome::exitCode)).contains(0);
            assertThat(Files.readAllLines(tries)).hasSize(2);
            assertThat(room.find(first)).isEqualTo(failed.withVersion(failed.version() + 1));
        }
    }
}
