// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real jobs of two real accounts in one gateway: needs root, sudo and the lab's accounts jobgate-a and jobgate-b. */
class TwoAccountsIT {

    private static final long PID = ProcessHandle.current().pid();
    private static final String SPOOL = ".jobgate/it-" + PID;
    private static final Owner ATTACKER = new Owner("/O=Test/CN=A", "jobgate-a");
    private static final Owner VICTIM = new Owner("/O=Test/CN=B", "jobgate-b");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final Path perl = Path.of("/tmp/jobgate-it2-perl-" + PID);
    private EngineRoom room;

    @BeforeEach
    void open() throws Exception {
        assumeTrue(
                System.getProperty("user.name").equals("root") && Files.exists(Path.of("/usr/bin/sudo")),
                "SKIPPED: jobs of two accounts are tested by root only, with sudo");
        for (Owner owner : List.of(ATTACKER, VICTIM)) {
            assumeTrue(
                    command("id", owner.account()) == 0,
                    "SKIPPED: the account " + owner.account() + " of the lab is not there; docker/lab/up makes it");
        }
        // the checkout may be closed to other accounts
        assertThat(command("cp", "-r", LrmRoom.PERL.toString(), perl.toString()))
                .isZero();
        assertThat(command("chmod", "-R", "a+rX", perl.toString())).isZero();
        room = new EngineRoom(
                directory,
                VICTIM.account(),
                LrmSettings.defaults("Fork", "fork", perl)
                        .withSpool("~/" + SPOOL)
                        .withGrace(Duration.ofSeconds(1))
                        .withRequestTimeout(Duration.ofSeconds(10)));
    }

    @AfterEach
    void close() throws Exception {
        if (room == null) {
            return;
        }
        processes("jobgate-worker", ATTACKER).forEach(process -> signal("CONT", process));
        room.close();
        for (Owner owner : List.of(ATTACKER, VICTIM)) {
            processes("jobgate-fork-starter", owner).forEach(process -> signal("KILL", process));
            assertThat(command("rm", "-rf", home(owner).resolve(SPOOL).toString()))
                    .isZero();
        }
        assertThat(command("rm", "-rf", perl.toString())).isZero();
    }

    private static Path home(Owner owner) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields[0].equals(owner.account()))
                .map(fields -> Path.of(fields[5]))
                .findFirst()
                .orElseThrow();
    }

    private static int command(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** Those of this test: its own Perl directory or spool is on their command lines. */
    private List<ProcessHandle> processes(String program, Owner owner) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().user().orElse("").equals(owner.account()))
                .filter(process -> {
                    String line = LrmRoom.commandLine(process.pid());
                    return line.contains(program) && (line.contains(perl.toString()) || line.contains(SPOOL));
                })
                .toList();
    }

    private static void signal(String name, ProcessHandle process) {
        try {
            command("kill", "-" + name, String.valueOf(process.pid()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Job awaitState(Owner owner, JobId id, JobState state) {
        return await().atMost(PATIENCE)
                .until(() -> room.engine.find(owner.subject(), id).orElseThrow(), job -> job.state() == state);
    }

    /** Each kind of record, in the words of the starter's own log. */
    @Test
    void aJobThatWritesIntoItsAccountsEventFileChangesNobodyElsesJob() throws IOException {
        JobId victim = room.submitAs(VICTIM, "sleep 600");
        Job before = awaitState(VICTIM, victim, JobState.ACTIVE);
        long now = Instant.now().toEpochMilli();
        String lines = Stream.of(
                        "2;0;is=started;tag=%1$s;at=%2$d",
                        "1;0;is=suspended;tag=%1$s;at=%2$d;note=forged",
                        "1;0;is=requeued;tag=%1$s;at=%2$d;note=forged",
                        "1;0;is=unknown;tag=%1$s;at=%2$d;note=forged",
                        "4;0;is=ended;tag=%1$s;at=%2$d;cause=CANCELLED",
                        "8;0;is=ended;tag=%1$s;at=%2$d;cause=EXITED;exit=0")
                .map(rest -> "001;" + now / 1000 + ";" + victim + ";" + rest.formatted(victim, now))
                .collect(Collectors.joining("\\n", "", "\\n"));
        Path forged = home(ATTACKER).resolve(SPOOL).resolve("forged");
        room.submitAs(
                ATTACKER,
                "cd $HOME/" + SPOOL + " && for f in events.*.log; do printf '" + lines + "' >> $f; done; touch forged");
        await().atMost(PATIENCE).until(() -> Files.exists(forged));
        // its starter reads on with the next line of its own
        room.submitAs(ATTACKER, "exit 0");
        await().atMost(PATIENCE).until(() -> room.engine.lrmAdministration().strayRecords("Fork") >= 6);
        assertThat(room.engine.find(VICTIM.subject(), victim).orElseThrow().state())
                .isEqualTo(before.state());
        assertThat(room.engine.find(VICTIM.subject(), victim).orElseThrow().outcome())
                .isNull();
        room.engine.cancel(VICTIM.subject(), victim);
        awaitState(VICTIM, victim, JobState.CANCELLED);
    }

    /** The engine of this room has two submit workers: both waited for the stopped account before. */
    @Test
    void aStoppedWorkerOfOneAccountDoesNotDelayTheOthers() {
        awaitState(ATTACKER, room.submitAs(ATTACKER, "exit 0"), JobState.DONE);
        awaitState(VICTIM, room.submitAs(VICTIM, "exit 0"), JobState.DONE);
        Duration floor = timed();
        List<ProcessHandle> workers = processes("jobgate-worker", ATTACKER);
        assertThat(workers).isNotEmpty();
        workers.forEach(process -> signal("STOP", process));
        for (int i = 0; i < 20; i++) {
            room.submitAs(ATTACKER, "exit 0");
            room.submitAs(new Owner("/O=Test/CN=A" + i, ATTACKER.account()), "exit 0");
        }
        Duration beside = timed();
        // an answer is waited for ten seconds here
        assertThat(beside).isLessThan(floor.multipliedBy(4).plusSeconds(2));
    }

    private Duration timed() {
        Instant began = Instant.now();
        for (int i = 0; i < 5; i++) {
            awaitState(VICTIM, room.submitAs(VICTIM, "exit 0"), JobState.DONE);
        }
        return Duration.between(began, Instant.now());
    }
}
