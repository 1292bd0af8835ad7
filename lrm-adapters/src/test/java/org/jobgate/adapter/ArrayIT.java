// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jobgate.job.ElementState;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.GroupSubmission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An array of real processes in Fork, over a restart of the service. */
class ArrayIT {

    private static final int SIZE = 30;
    private static final String SUBJECT = "/O=Test/CN=Alice";

    @TempDir
    Path directory;

    private static JobGroup awaitOver(EngineRoom room, JobId id) {
        return await().atMost(Duration.ofSeconds(120))
                .until(() -> room.engine.groups().find(SUBJECT, id).orElseThrow(), JobGroup::isOver);
    }

    @Test
    void everyElementRunsOnceAndWhatFailedOnceMore() throws IOException {
        Path out = Files.createDirectory(directory.resolve("out"));
        // an element adds a line to its own file, and fails where it is number 7 and has run for the first time
        String script = "f=\"$1/$2\"; echo \"$2\" >> \"$f\"; [ \"$2\" != 7 ] || [ $(wc -l < \"$f\") -ge 2 ]";
        GroupTemplate array = GroupTemplate.ofIndexes(
                JobDescription.of("/bin/sh", "-c", script, "sh", out.toString(), "{index}"),
                new GroupIndexes(0, 1, SIZE));
        try (EngineRoom room = new EngineRoom(
                directory,
                LrmRoom.ACCOUNT,
                LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                        .withSpool(directory.resolve("spool").toString())
                        .withGrace(Duration.ofSeconds(1)))) {
            GroupSubmission submission = new GroupSubmission(
                    room.engine.newId(),
                    EngineRoom.ORIGIN,
                    new Owner(SUBJECT, LrmRoom.ACCOUNT),
                    "array",
                    "Fork",
                    array,
                    4,
                    null);
            JobId id = room.engine.groups().submit(submission).group().id();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> room.engine
                                    .groups()
                                    .find(SUBJECT, id)
                                    .orElseThrow()
                                    .counts()
                                    .of(ElementState.DONE)
                            >= 3);
            room.stop();
            room.start();
            JobGroup over = awaitOver(room, id);
            assertThat(over.counts().of(ElementState.DONE)).isEqualTo(SIZE - 1);
            assertThat(over.counts().of(ElementState.FAILED)).isEqualTo(1);
            room.engine.groups().retryFailed(SUBJECT, id, null);
            assertThat(awaitOver(room, id).counts().of(ElementState.DONE)).isEqualTo(SIZE);
            List<Job> attempts = room.engine.groups().attempts(SUBJECT, id, 7).orElseThrow();
            assertThat(attempts).extracting(ElementState::of).containsExactly(ElementState.FAILED, ElementState.DONE);
            for (int index = 0; index < SIZE; index++) {
                assertThat(Files.readAllLines(out.resolve(String.valueOf(index))))
                        .as("element %d", index)
                        .hasSize(index == 7 ? 2 : 1);
            }
        }
    }
}
