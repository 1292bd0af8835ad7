// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the owner of a job is told when a real HTCondor does not take the job or holds it, and what the gateway knows of the pool. */
class HtcondorDownIT {

    private Path directory = Path.of("/nonexistent");
    private EngineRoom room;

    @BeforeAll
    static void need() throws IOException, InterruptedException {
        HtcondorLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
    }

    /** The pool's own commands, but a condor_submit that finds no schedd while there is a file named down. */
    @BeforeEach
    void open() throws IOException {
        directory = Files.createTempDirectory("jobgate-down-");
        Path bin = Files.createDirectory(directory.resolve("bin"));
        try (Stream<Path> commands = Files.list(HtcondorLab.BIN)) {
            for (Path command : commands.filter(
                            path -> path.getFileName().toString().startsWith("condor_"))
                    .toList()) {
                Files.createSymbolicLink(bin.resolve(command.getFileName()), command);
            }
        }
        Files.delete(bin.resolve("condor_submit"));
        Path wrapper = Files.writeString(bin.resolve("condor_submit"), """
                #!/bin/sh
                if [ -e %s ]; then echo "ERROR: Can't find address of local schedd" >&2; exit 1; fi
                exec %s "$@"
                """.formatted(
                        directory.resolve("down"), HtcondorLab.BIN.resolve("condor_submit")));
        Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path spool = Files.createDirectory(directory.resolve("spool"));
        Files.setOwner(
                spool,
                spool.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(HtcondorLab.ACCOUNT));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        LrmSettings settings = HtcondorLab.settings();
        Map<String, String> options = new HashMap<>(settings.options());
        options.put("condor_bin", bin.toString());
        room = new EngineRoom(
                directory,
                HtcondorLab.ACCOUNT,
                settings.withSpool(spool.toString())
                        .withOptions(options)
                        .withMonitor(new MonitorSettings(Duration.ofSeconds(1), true, List.of(), null)));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
        HtcondorLab.command(List.of("rm", "-rf", directory.toString()));
    }

    @Test
    void aJobWaitsWithItsReasonForASchedDThatIsDownAndRunsThen() throws IOException {
        Path down = Files.writeString(directory.resolve("down"), "");
        JobId id = room.submit("exit 9");
        Job waiting = room.awaitJob(id, job -> job.pendingReason() != null);
        assertThat(waiting.state()).isEqualTo(JobState.UNSUBMITTED);
        assertThat(requireNonNull(waiting.pendingReason()).because()).contains("Can't find address of local schedd");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> room.engine.lrmAdministration().status().getFirst().backOffs().stream()
                        .anyMatch(one -> one.times() > 2));
        Files.delete(down);
        assertThat(requireNonNull(room.awaitState(id, JobState.DONE).outcome()).exitCode())
                .isEqualTo(9);
    }

    @Test
    void whyHtcondorHoldsAJobIsSaidUntilItIsReleased() throws IOException, InterruptedException {
        JobId id = room.submit("sleep 600");
        String localId = room.awaitState(id, JobState.ACTIVE).localIds().getFirst();
        HtcondorLab.run("condor_hold", localId, "-reason", "scratch is full");
        Job held = room.awaitState(id, JobState.SUSPENDED);
        assertThat(requireNonNull(held.pendingReason()).because()).contains("scratch is full");
        HtcondorLab.run("condor_release", localId);
        assertThat(room.awaitState(id, JobState.ACTIVE).pendingReason()).isNull();
        room.cancel(id);
        room.awaitState(id, JobState.CANCELLED);
    }

    @Test
    void thePoolIsKnown() {
        LrmCapabilities known = await().atMost(Duration.ofSeconds(60))
                .until(room.lrm::capabilities, found -> !found.queues().isEmpty());
        Queue pool = known.queues().getFirst();
        assertThat(pool.name()).isEqualTo("HTCondor");
        assertThat(requireNonNull(pool.processors())).isPositive();
        assertThat(requireNonNull(pool.runningJobs())).isNotNegative();
        assertThat(pool.architecture()).isEqualTo("x86_64");
    }
}
