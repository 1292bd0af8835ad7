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
import java.util.List;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scheduler event generator that is plugged in, in place of our own watch: a small program that reads the Fork starter's log as those of
 * GT 4 read their LRM's, and real jobs.
 */
class SegWatchTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private Path program;
    private Path notes;
    private EngineRoom room;

    @BeforeEach
    void open() throws IOException {
        program = Path.of("src/test/perl/seg-of-fork").toAbsolutePath();
        notes = directory.resolve("notes");
        room = room(program);
    }

    private EngineRoom room(Path command) {
        Path spool = directory.resolve("spool");
        return new EngineRoom(
                directory,
                LrmRoom.ACCOUNT,
                LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                        .withSpool(spool.toString())
                        .withGrace(Duration.ofSeconds(1))
                        .withIdleEnd(Duration.ofSeconds(5))
                        .withMonitor(new MonitorSettings(
                                Duration.ZERO,
                                true,
                                List.of(
                                        command.toString(),
                                        spool.resolve("events.0000000001.log").toString(),
                                        notes.toString()),
                                directory.resolve("seg.log"))));
    }

    @AfterEach
    void close() {
        room.close();
        ProcessHandle.allProcesses()
                .filter(process -> LrmRoom.commandLine(process.pid())
                        .contains("jobgate-fork-starter " + directory.resolve("spool")))
                .forEach(ProcessHandle::destroy);
    }

    /** Its process id, and the time it was given. */
    private static long number(String start, int which) {
        return Long.parseLong(start.split(" ", -1)[which]);
    }

    private List<String> starts() throws IOException {
        return Files.exists(notes) ? Files.readAllLines(notes) : List.of();
    }

    @Test
    void realJobsAreToldByThePluggedInProgramAndWrittenInItsLines() throws IOException {
        JobId id = room.submit("exit 3");
        Job done = room.awaitState(id, JobState.DONE);
        assertThat(requireNonNull(done.outcome()).exitCode()).isEqualTo(3);
        assertThat(done.started()).isNotNull();
        List<SegLine> written = Files.readAllLines(directory.resolve("seg.log")).stream()
                .map(line -> SegLine.parse(line).orElseThrow())
                .filter(line -> line.localId().equals(id.toString()))
                .toList();
        assertThat(written).extracting(SegLine::state).endsWith(SegLine.ACTIVE, SegLine.DONE);
        assertThat(written.getLast().exitCode()).isEqualTo(3);
    }

    @Test
    void aCancelledJobEndsAsOne() {
        JobId id = room.submit("sleep 1000");
        room.awaitState(id, JobState.ACTIVE);
        room.cancel(id);
        assertThat(requireNonNull(room.awaitState(id, JobState.CANCELLED).outcome())
                        .fault())
                .satisfies(fault -> assertThat(requireNonNull(fault).code()).isEqualTo(FaultCode.CANCELLED_BY_USER));
    }

    @Test
    void aProgramThatIsKilledIsStartedAgainFromWhereItWas() throws IOException {
        room.awaitState(room.submit("true"), JobState.DONE);
        await().atMost(PATIENCE).until(() -> !starts().isEmpty());
        long pid = number(starts().getFirst(), 0);
        Path go = directory.resolve("go");
        JobId id = room.submit(ContractRoom.until(go) + "; exit 4");
        room.awaitState(id, JobState.ACTIVE);
        ProcessHandle watching = ProcessHandle.of(pid).orElseThrow();
        watching.destroyForcibly();
        await().atMost(PATIENCE).until(() -> !watching.isAlive());
        Files.writeString(go, "");
        assertThat(requireNonNull(room.awaitState(id, JobState.DONE).outcome()).exitCode())
                .isEqualTo(4);
        long first = number(starts().get(0), 1);
        long second = number(starts().get(1), 1);
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void whatHappensWhileTheGatewayIsAwayIsToldAfterItsStart() throws IOException {
        Path go = directory.resolve("go");
        JobId id = room.submit(ContractRoom.until(go) + "; exit 5");
        room.awaitState(id, JobState.ACTIVE);
        room.stop();
        Files.writeString(go, "");
        room.start();
        assertThat(requireNonNull(room.awaitState(id, JobState.DONE).outcome()).exitCode())
                .isEqualTo(5);
    }

    @Test
    void aProgramThatCannotBeStartedIsNamedAndFailsNoJob() {
        room.close();
        room = room(directory.resolve("no-such-program"));
        JobId id = room.submit("exit 0");
        Job waiting = room.awaitJob(id, job -> !job.localIds().isEmpty() && job.pendingReason() != null);
        assertThat(waiting.state()).isEqualTo(JobState.PENDING);
        assertThat(requireNonNull(waiting.pendingReason()).because()).contains("no-such-program", "cannot be started");
        assertThat(room.lrm.health().well()).isFalse();
        room.close();
        room = room(program);
        room.awaitState(id, JobState.DONE);
    }
}
