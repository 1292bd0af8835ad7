// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The LRM is down when the gateway comes up, or goes down while jobs run: they wait, their owner sees why, and nothing fails for it. */
class LrmDownTest {

    @TempDir
    Path directory;

    private EngineRoom room() {
        return new EngineRoom(
                directory,
                LrmRoom.ACCOUNT,
                LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                        .withSpool(directory.resolve("spool").toString())
                        .withRequestTimeout(Duration.ofSeconds(3))
                        .withIdleEnd(Duration.ofSeconds(5))
                        .withGrace(Duration.ofSeconds(1)));
    }

    private ProcessHandle starter() {
        return ProcessHandle.allProcesses()
                .filter(process -> LrmRoom.commandLine(process.pid())
                        .contains("jobgate-fork-starter " + directory.resolve("spool")))
                .findFirst()
                .orElseThrow();
    }

    private static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void jobsWaitForAnLrmThatIsDownAtTheStart() throws IOException {
        Files.writeString(directory.resolve("spool"), "in the way: no starter can be there");
        try (EngineRoom room = room()) {
            JobId id = room.submit("exit 6");
            Job waiting = room.awaitJob(id, job -> job.pendingReason() != null);
            assertThat(waiting.state()).isEqualTo(JobState.UNSUBMITTED);
            assertThat(requireNonNull(waiting.pendingReason()).because()).contains("spool");
            assertThat(room.engine.lrmAdministration().status().getFirst().backOffs())
                    .singleElement()
                    .satisfies(backOff -> assertThat(backOff.account()).isEqualTo(LrmRoom.ACCOUNT));
            Files.delete(directory.resolve("spool"));
            assertThat(requireNonNull(room.awaitState(id, JobState.DONE).outcome())
                            .exitCode())
                    .isEqualTo(6);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(room.engine
                                    .lrmAdministration()
                                    .status()
                                    .getFirst()
                                    .backOffs())
                            .isEmpty());
        } finally {
            starter().destroy();
        }
    }

    @Test
    void jobsWaitForAnLrmThatStopsInTheMiddleAndRunningOnesGoOn() throws IOException, InterruptedException {
        try (EngineRoom room = room()) {
            Path go = directory.resolve("go");
            JobId running = room.submit(ContractRoom.until(go) + "; exit 7");
            room.awaitState(running, JobState.ACTIVE);
            ProcessHandle starter = starter();
            signal(starter, "STOP");
            try {
                JobId late = room.submit("exit 8");
                Job waiting = room.awaitJob(late, job -> job.pendingReason() != null);
                assertThat(waiting.state()).isEqualTo(JobState.UNSUBMITTED);
                assertThat(requireNonNull(waiting.pendingReason()).because()).contains("did not answer");
                room.awaitJob(running, job -> job.pendingReason() != null);
                assertThat(room.find(running).state()).isEqualTo(JobState.ACTIVE);
                signal(starter, "CONT");
                Files.writeString(go, "");
                assertThat(requireNonNull(
                                        room.awaitState(running, JobState.DONE).outcome())
                                .exitCode())
                        .isEqualTo(7);
                assertThat(requireNonNull(room.awaitState(late, JobState.DONE).outcome())
                                .exitCode())
                        .isEqualTo(8);
            } finally {
                signal(starter, "CONT");
            }
        } finally {
            starter().destroy();
        }
    }
}
