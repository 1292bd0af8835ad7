// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Grid Engine's daemons go down and come up again, in a lab of our own beside the one that others use. */
class SgeDownIT {

    /** Beside that of the lab: 7444 where it has its usual port. */
    private static final String PORT = String.valueOf(Integer.parseInt(SgeLab.PORT) + 1000);

    private static final Path SCRIPT =
            Path.of("../docker/lab/sge").toAbsolutePath().normalize();
    private static final Path LAB =
            Path.of("/tmp/jobgate-sge-lab-" + ProcessHandle.current().pid());
    private static final Map<String, String> OURS = Map.of("JOBGATE_LAB", LAB.toString(), "JOBGATE_LAB_SGE_PORT", PORT);

    /** An execution daemon that comes up reports what has ended meanwhile after about a minute. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private ContractRoom room;

    @BeforeAll
    static void bringUp() throws IOException, InterruptedException {
        SgeLab.need();
        Files.createDirectories(LAB.resolve("sge"));
        Files.setPosixFilePermissions(LAB, PosixFilePermissions.fromString("rwxr-xr-x"));
        // the programs are those that the other lab has fetched
        Files.createSymbolicLink(
                LAB.resolve("sge/root"), SgeLab.BIN.resolve("../../..").normalize());
        Files.createFile(LAB.resolve("sge/complete"));
        lab(OURS, "up");
    }

    @AfterAll
    static void takeDown() throws IOException, InterruptedException {
        SgeLab.tidy();
        if (Files.exists(LAB)) {
            lab(OURS, "down");
            SgeLab.command(List.of("rm", "-rf", LAB.toString()));
        }
    }

    private static void lab(Map<String, String> environment, String what) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), what).inheritIO();
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s %s", SCRIPT, what).isZero();
    }

    @BeforeEach
    void open() throws IOException {
        room = new ContractRoom(
                SgeLab.ACCOUNT,
                SgeLab.settings(Map.of(
                        "sge_root", LAB.resolve("sge/cell").toString(),
                        "sge_qmaster_port", PORT,
                        "sge_execd_port", String.valueOf(Integer.parseInt(PORT) + 1))));
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    private static void kill(String daemon) throws IOException {
        String started = Files.readString(LAB.resolve("sge/run/" + daemon + ".started"));
        ProcessHandle process = ProcessHandle.of(Long.parseLong(started.substring(0, started.indexOf(' '))))
                .orElseThrow();
        process.destroy();
        await().atMost(ContractRoom.PATIENCE).until(() -> !process.isAlive());
    }

    private void awaitEnded(JobId tag) {
        await().atMost(PATIENCE).until(() -> room.kinds(tag).contains(Kind.ENDED));
    }

    @Test
    void aJobThatEndsWhileItsExecutionDaemonIsDownEndsRightWhenItIsUpAgain() throws Exception {
        JobId tag = room.submit(room.waiting("touch over; exit 5"));
        room.awaitEvent(tag, Kind.STARTED);

        kill("execd");
        room.letGo();
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("over")));
        TimeUnit.SECONDS.sleep(5);
        assertThat(room.kinds(tag)).doesNotContain(Kind.ENDED);
        lab(OURS, "up");

        awaitEnded(tag);
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(5);
        assertThat(room.changes(tag)).containsExactly(Kind.QUEUED, Kind.STARTED, Kind.ENDED);
    }

    @Test
    void withoutTheMasterNothingChangesAndNothingIsRefused() throws Exception {
        JobId running = room.submit(room.waiting("exit 6"));
        room.awaitEvent(running, Kind.STARTED);
        JobId later = room.newTag();

        kill("qmaster");
        room.letGo();
        assertThat(room.trySubmit(later, room.sh("echo ran >> ran"), false)).isInstanceOf(SubmitResult.Unclear.class);
        await().atMost(ContractRoom.PATIENCE).until(() -> room.lrm().health().why() != null);
        TimeUnit.SECONDS.sleep(8);
        assertThat(room.kinds(running)).doesNotContain(Kind.ENDED);
        lab(OURS, "up");

        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> room.trySubmit(later, room.sh("echo ran >> ran"), true) instanceof SubmitResult.Accepted);
        awaitEnded(later);
        awaitEnded(running);
        assertThat(room.awaitEnd(running).exitCode()).isEqualTo(6);
        assertThat(room.read("ran")).isEqualTo("ran\n");
    }
}
