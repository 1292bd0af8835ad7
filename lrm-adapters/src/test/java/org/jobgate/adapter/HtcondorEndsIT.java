// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.lrm.LrmEvent.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens to jobs when HTCondor's machines and daemons go, and jobs of several processors: in a pool of its own with one slot that can be
 * divided, which is brought up beside that of the lab from its programs.
 */
class HtcondorEndsIT {

    private static final Path SCRIPT =
            Path.of("../docker/lab/htcondor").toAbsolutePath().normalize();
    private static final Duration SLOW = Duration.ofSeconds(150);
    /** Beside that of the lab: 29618 where it has its usual port. */
    private static final String PORT = String.valueOf(
            Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_HTCONDOR_PORT", "9618")) + 20_000);

    private static final Path LAB =
            Path.of("/tmp/jobgate-htcondor-ends-" + ProcessHandle.current().pid());
    private static final Path POOL = LAB.resolve("htcondor");
    private static final Path CONFIG = POOL.resolve("etc/condor_config");

    private ContractRoom room;

    @BeforeAll
    static void bringUp() throws IOException, InterruptedException {
        HtcondorLab.need();
        Files.createDirectories(POOL);
        Path other = HtcondorLab.LAB.resolve("htcondor");
        for (String name : List.of("root", "lib", "complete")) {
            Files.createSymbolicLink(POOL.resolve(name), other.resolve(name));
        }
        lab("up");
        Files.writeString(CONFIG, """

                NUM_CPUS = 4
                NUM_SLOTS = 1
                NUM_SLOTS_TYPE_1 = 1
                SLOT_TYPE_1 = cpus=100%, memory=100%
                SLOT_TYPE_1_PARTITIONABLE = True
                MASTER_BACKOFF_CONSTANT = 1
                """, StandardOpenOption.APPEND);
        pool("../sbin/condor_restart", "-fast", "-startd");
        await().atMost(SLOW)
                .until(() -> pool("condor_status", "-af", "Cpus").strip().equals("4"));
    }

    @AfterAll
    static void takeDown() throws IOException, InterruptedException {
        if (Files.exists(CONFIG)) {
            lab("down");
        }
        HtcondorLab.command(List.of("rm", "-rf", LAB.toString()));
        HtcondorLab.tidy();
    }

    @BeforeEach
    void open() throws IOException {
        Path mpiexec = Files.writeString(LAB.resolve("mpiexec"), """
                #!/bin/sh
                # stands in for mpiexec: mpiexec -n COUNT PROGRAM...
                count=$2 rank=0
                shift 2
                while [ $rank -lt $count ]; do PMI_RANK=$rank "$@" & rank=$((rank + 1)); done
                wait
                """);
        Files.setPosixFilePermissions(mpiexec, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> options = new HashMap<>(HtcondorLab.settings().options());
        options.put("condor_config", CONFIG.toString());
        options.put("mpiexec", mpiexec.toString());
        room = new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings().withOptions(options));
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    private static void lab(String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(words));
        builder.environment()
                .putAll(Map.of(
                        "JOBGATE_LAB", LAB.toString(), "JOBGATE_LAB_HTCONDOR_PORT", PORT, "JOBGATE_LAB_SLOTS", "4"));
        builder.environment().remove("CONDOR_CONFIG");
        Path log = Files.createTempFile("jobgate-htcondor-ends", ".log");
        builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(log.toFile());
        Process process = builder.start();
        boolean isOver = process.waitFor(120, TimeUnit.SECONDS);
        String said = Files.readString(log);
        Files.delete(log);
        assertThat(isOver).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static String pool(String name, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(HtcondorLab.BIN.resolve(name).toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("CONDOR_CONFIG", CONFIG.toString());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }

    /** The startd of this pool: a child of its master. */
    private static ProcessHandle startd() throws IOException {
        long master = Long.parseLong(
                Files.readString(POOL.resolve("run/master.started")).replaceAll("(?s)\\s.*", ""));
        return ProcessHandle.of(master)
                .orElseThrow()
                .children()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("condor_startd"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aJobOfMpiIsStartedOnceWithAsManyProcessorsAsProcesses() throws Exception {
        JobId tag = room.submit(
                room.waiting("echo $PMI_RANK").jobType(JobType.MPI).count(3).stdout("ranks"));
        room.awaitEvent(tag, Kind.STARTED);

        assertThat(pool("condor_q", "-allusers", "-constraint", "JobgateId == \"" + tag + "\"", "-af", "RequestCpus")
                        .strip())
                .isEqualTo("3");
        room.letGo();
        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.read("ranks").lines()).containsExactlyInAnyOrder("0", "1", "2");
    }

    @Test
    void aJobWhoseMachineDiesIsQueuedAgainAndRunsOnAnother() throws Exception {
        JobId tag = room.submit(room.sh("test -e second && exit 7; touch second; sleep 300"));
        await().atMost(SLOW).until(() -> Files.exists(room.work.resolve("second")));
        ProcessHandle startd = startd();
        List<ProcessHandle> all = startd.descendants().toList();

        startd.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);

        await().atMost(SLOW).until(() -> room.kinds(tag).contains(Kind.ENDED));
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(7);
        assertThat(room.kinds(tag)).contains(Kind.REQUEUED);
        assertThat(room.awaitEvent(tag, Kind.REQUEUED).note()).isNotBlank();
    }
}
