// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to jobs when Slurm's nodes and daemons go: in a Slurm of its own, which is brought up beside that of the lab. */
class SlurmEndsIT {

    private static final Path SCRIPT =
            Path.of("../docker/lab/slurm").toAbsolutePath().normalize();
    /** Beside that of the lab: 26917 where it has its usual port. */
    private static final String PORT =
            String.valueOf(Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_SLURM_PORT", "6817")) + 20_100);

    private static final Duration SLOW = Duration.ofSeconds(150);
    private static final Path LAB =
            Path.of("/tmp/jobgate-slurm-ends-" + ProcessHandle.current().pid());
    private static final Path CONFIG = LAB.resolve("slurm/etc/slurm.conf");

    private ContractRoom room;

    @BeforeAll
    static void bringUp() throws IOException, InterruptedException {
        SlurmLab.need();
        lab("up");
    }

    @AfterAll
    static void takeDown() throws IOException, InterruptedException {
        if (Files.exists(LAB)) {
            lab("down");
            SlurmLab.command(List.of("rm", "-rf", LAB.toString()));
        }
        SlurmLab.tidy();
    }

    @BeforeEach
    void open() throws IOException {
        Map<String, String> options =
                new HashMap<>(SlurmLab.settings(SlurmLab.BIN, CONFIG).options());
        options.put("submit_options", "no-requeue time deadline");
        room = new ContractRoom(
                SlurmLab.ACCOUNT, SlurmLab.settings(SlurmLab.BIN, CONFIG).withOptions(options));
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    private static void lab(String... words) throws IOException, InterruptedException {
        lab(Map.of(), words);
    }

    private static void lab(Map<String, String> more, String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(words));
        builder.environment().put("JOBGATE_LAB", LAB.toString());
        builder.environment().put("JOBGATE_LAB_SLURM_PORT", PORT);
        builder.environment().remove("SLURM_CONF");
        builder.environment().putAll(more);
        Path log = Files.createTempFile("jobgate-slurm-ends", ".log");
        builder.redirectInput(Path.of("/dev/null").toFile()).redirectOutput(log.toFile());
        Process process = builder.start();
        boolean isOver = process.waitFor(120, TimeUnit.SECONDS);
        String said = Files.readString(log);
        Files.delete(log);
        assertThat(isOver).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static void scontrol(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(SlurmLab.BIN.resolve("scontrol").toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("SLURM_CONF", CONFIG.toString());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
    }

    private JobDescription.Builder with(JobDescription.Builder job, String name, String value) {
        return job.extensions(List.of(sbatch(name, value)));
    }

    private static Extension sbatch(String name, String value) {
        return new Extension("sbatch", Map.of("name", name), value, List.of());
    }

    private LrmEvent.End awaitEnd(JobId tag) {
        await().atMost(SLOW).until(() -> room.kinds(tag).contains(Kind.ENDED));
        return room.awaitEnd(tag);
    }

    private LrmEvent.End endOfAJobOverItsMemory() {
        return awaitEnd(room.submit(room.job(
                        "/usr/bin/perl",
                        "-e",
                        "$x = 'x' x 2e8; substr($x, $_ * 4096, 1) = 'y' for 0 .. 40000; sleep 300")
                .maxMemoryMiB(64L)));
    }

    @Test
    void aJobOverItsMemoryIsEndedForIt() {
        LrmEvent.End end = endOfAJobOverItsMemory();

        assertThat(end.cause()).isEqualTo(Cause.MEMORY);
        assertThat(requireNonNull(end.evidence()).output()).contains("memory limit");
    }

    @Test
    void aJobThatTheKernelEndsForItsMemoryIsOutOfMemory() throws Exception {
        assumeTrue(
                Files.isDirectory(Path.of("/sys/fs/cgroup/memory")), "no control groups of version 1 for memory here");
        lab("down", "keep-jobs");
        lab(Map.of("JOBGATE_LAB_SLURM_CGROUPS", "1"), "up");
        LrmEvent.End end;
        try {
            end = endOfAJobOverItsMemory();
        } finally {
            lab("down", "keep-jobs");
            lab("up");
        }

        assertThat(end.cause()).isEqualTo(Cause.MEMORY);
        assertThat(requireNonNull(end.evidence()).output()).contains("OUT_OF_MEMORY");
    }

    /** Both are looked at every 30 s, and waited for together. */
    @Test
    void slurmsOwnTimeLimitAndADeadlineAreWallTime() {
        JobId limited = room.submit(with(room.job("/bin/sleep", "300"), "time", "1"));
        JobId late = room.submit(with(room.job("/bin/sleep", "300"), "deadline", "now+30"));

        LrmEvent.End deadline = awaitEnd(late);
        LrmEvent.End limit = awaitEnd(limited);

        assertThat(limit.cause()).isEqualTo(Cause.WALL_TIME);
        assertThat(requireNonNull(limit.evidence()).output()).contains("TIMEOUT");
        assertThat(deadline.cause()).isEqualTo(Cause.WALL_TIME);
        assertThat(requireNonNull(deadline.evidence()).output()).contains("DEADLINE");
        assertThat(requireNonNull(deadline.fault()).sentence()).containsIgnoringCase("deadline");
    }

    @Test
    void aJobThatMakesRoomForOthersIsPreempted() throws Exception {
        JobId spare = room.submit(room.job("/bin/sleep", "300")
                .queue("spare")
                .jobType(JobType.MULTIPLE)
                .count(32));
        room.awaitEvent(spare, Kind.STARTED);

        JobId other = room.submit(room.job("/bin/true").queue("main"));

        LrmEvent.End end = awaitEnd(spare);
        assertThat(end.cause()).isEqualTo(Cause.PREEMPTED);
        assertThat(requireNonNull(end.evidence()).output()).contains("PREEMPTED");
        assertThat(awaitEnd(other).exitCode()).isZero();
    }

    @Test
    void aJobWhoseNodeFailsIsToldSoAndOneThatMayBeRequeuedRunsAgain() throws Exception {
        JobId lost = room.submit(with(room.job("/bin/sleep", "300"), "no-requeue", ""));
        JobId again = room.submit(room.sh("test -e second && exit 7; touch second; sleep 300"));
        room.awaitEvent(lost, Kind.STARTED);
        room.awaitEvent(again, Kind.STARTED);
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("second")));

        scontrol("update", "nodename=node1", "state=down", "reason=test");
        LrmEvent.End end = awaitEnd(lost);
        room.awaitEvent(again, Kind.REQUEUED);
        // the node comes back by itself (ReturnToService=2); Slurm lets a requeued job wait for two minutes unless it
        // is told otherwise
        String id = room.awaitEvent(again, Kind.QUEUED).localIds().getFirst();
        scontrol("update", "jobid=" + id, "starttime=now");

        assertThat(end.cause()).isEqualTo(Cause.NODE_FAILED);
        assertThat(awaitEnd(again).exitCode()).isEqualTo(7);
    }

    @Test
    void jobsLiveThroughAStopOfAllOfSlurmsDaemons() throws Exception {
        JobId tag = room.submit(room.waiting("sleep 1; exit 5"));
        room.awaitEvent(tag, Kind.STARTED);

        lab("down", "keep-jobs");
        await().atMost(SLOW).until(() -> !room.lrm().health().well());
        assertThat(room.kinds(tag)).doesNotContain(Kind.ENDED);
        room.letGo();
        lab("up");

        assertThat(awaitEnd(tag).exitCode()).isEqualTo(5);
    }
}
