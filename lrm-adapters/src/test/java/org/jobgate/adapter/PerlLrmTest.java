// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Fork LRM from the port down to real processes. */
class PerlLrmTest {

    private static final List<String> ODD_TEXTS = List.of(
            "a b",
            "\"quoted\" 'twice'",
            "$HOME $(id) `id`",
            "two\nlines\r\t",
            "äöü € \uD83D\uDE00",
            "",
            "\\ \\n",
            "*?[]{}~",
            ";&|<>#",
            "-n",
            "%41=,:");

    @TempDir
    Path directory;

    private LrmRoom room;

    @BeforeEach
    void open() throws IOException {
        room = new LrmRoom(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private JobDescription.Builder sh(String script) {
        return room.job("/bin/sh", "-c", script);
    }

    @Test
    void tellsQueuedStartedAndEndedInOrder() {
        JobId tag = room.submit(room.job("/bin/true"));
        LrmEvent.End end = room.awaitEnd(tag);

        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.EXITED);
        assertThat(end.exitCode()).isZero();
        assertThat(end.fault()).isNull();
        assertThat(room.events.stream().filter(event -> event.tag().equals(tag)).map(LrmEvent::kind))
                .containsExactly(LrmEvent.Kind.QUEUED, LrmEvent.Kind.STARTED, LrmEvent.Kind.ENDED);
        assertThat(room.awaitEvent(tag, LrmEvent.Kind.ENDED).localIds())
                .singleElement()
                .asString()
                .matches(tag + ":\\d+");
    }

    @Test
    void tellsExitCodesAndSignals() {
        assertThat(room.run(sh("exit 255")).exitCode()).isEqualTo(255);
        LrmEvent.End killed = room.run(sh("kill -ABRT $$"));
        assertThat(killed.cause()).isEqualTo(LrmEvent.Cause.SIGNALLED);
        assertThat(killed.signal()).isEqualTo(6);
    }

    @Test
    void givesArgumentsAndEnvironmentByteForByte() throws IOException {
        Path program = Files.writeString(
                room.work.resolve("say"), "#!/usr/bin/perl\nprint join(\"\\0\", @ARGV, $ENV{'ODD NAME'});\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        LrmEvent.End end = room.run(room.job(program.toString(), ODD_TEXTS.toArray(String[]::new))
                .environment(List.of(new EnvironmentVariable("ODD NAME", "x=\n€")))
                .stdout("said"));

        List<String> expected = new ArrayList<>(ODD_TEXTS);
        expected.add("x=\n€");
        assertThat(end.exitCode()).isZero();
        assertThat(Files.readAllBytes(room.work.resolve("said")))
                .isEqualTo(String.join("\0", expected).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void connectsTheStandardFiles() throws IOException {
        Files.writeString(room.work.resolve("in"), "text\n");

        room.run(sh("cat; echo bad >&2").stdin("in").stdout("out").stderr("err"));

        assertThat(room.read("out")).isEqualTo("text\n");
        assertThat(room.read("err")).isEqualTo("bad\n");
    }

    @Test
    void startsCountProcesses() throws IOException {
        JobId tag = room.submit(sh("echo x").count(5).stdout("out"));

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.read("out")).isEqualTo("x\n".repeat(5));
        assertThat(room.awaitEvent(tag, LrmEvent.Kind.ENDED).localIds()).hasSize(5);
    }

    @Test
    void saysWhyAJobCouldNotBeStarted() {
        LrmEvent.End end = room.run(room.job("/no/such/program"));

        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.NOT_STARTED);
        assertThat(end.fault()).isNotNull().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(FaultCode.EXECUTABLE_NOT_FOUND);
            assertThat(fault.sentence()).contains("/no/such/program");
            assertThat(fault.part()).isEqualTo(DescriptionPart.EXECUTABLE);
            assertThat(fault.remedy()).isNotEmpty();
        });
    }

    @Test
    void refusesAJobTypeItCannotRun() {
        List<SubmitResult> results = room.lrm.submit(
                LrmRoom.ACCOUNT,
                List.of(new SubmitRequest(
                        room.newTag(),
                        room.job("/bin/true").jobType(JobType.CONDOR).build(),
                        false)));

        assertThat(results)
                .singleElement()
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE));
    }

    @Test
    void endsAJobAtItsWallTimeLimit() {
        LrmEvent.End end = room.run(sh("sleep 1000").maxWallTime(Duration.ofMillis(900)));

        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.WALL_TIME);
        assertThat(end.wallTime()).isNotNull().isBetween(Duration.ofMillis(950), Duration.ofMinutes(2));
    }

    @Test
    void cancels() {
        JobId tag = room.submit(sh("sleep 1000 & wait"));
        room.awaitEvent(tag, LrmEvent.Kind.STARTED);

        List<CancelResult> results = room.lrm.cancel(
                LrmRoom.ACCOUNT, List.of(new LrmJob(tag, List.of()), new LrmJob(room.newTag(), List.of("x:1"))));

        assertThat(results).containsExactly(new CancelResult.Ending(), new CancelResult.NotThere());
        assertThat(room.awaitEnd(tag).cause()).isEqualTo(LrmEvent.Cause.CANCELLED);
    }

    @Test
    void looksUpAndForgets() throws Exception {
        JobId ended = room.submit(sh("exit 3"));
        room.awaitEnd(ended);
        JobId unknown = room.newTag();

        Map<JobId, List<LrmEvent>> found = room.lrm.lookup(LrmRoom.ACCOUNT, List.of(ended, unknown));
        assertThat(found).containsOnlyKeys(ended);
        assertThat(found.get(ended))
                .last()
                .satisfies(event -> assertThat(event.end()).isNotNull());

        room.lrm.forget(LrmRoom.ACCOUNT, List.of(new LrmJob(ended, List.of())));
        assertThat(room.lrm.lookup(LrmRoom.ACCOUNT, List.of(ended))).isEmpty();
    }

    @Test
    void takesManyJobsAtOnce() {
        List<SubmitRequest> requests = IntStream.range(0, 500)
                .mapToObj(i ->
                        new SubmitRequest(room.newTag(), sh("exit " + i % 3).build(), false))
                .toList();

        assertThat(room.lrm.submit(LrmRoom.ACCOUNT, requests))
                .hasSize(500)
                .allMatch(SubmitResult.Accepted.class::isInstance);

        for (int i = 0; i < requests.size(); i++) {
            assertThat(room.awaitEnd(requests.get(i).tag()).exitCode()).isEqualTo(i % 3);
        }
    }

    @Test
    void runsAJobOnceWhenTheWorkerDiesAndItIsSubmittedAgain() throws Exception {
        List<SubmitRequest> requests = IntStream.range(0, 100)
                .mapToObj(i -> new SubmitRequest(
                        room.newTag(), sh("echo x >> once-" + i).build(), false))
                .toList();
        Thread killer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 5; i++) {
                workers().forEach(ProcessHandle::destroyForcibly);
                pause(7);
            }
        });

        Set<JobId> accepted = new HashSet<>();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    for (SubmitRequest request : requests) {
                        if (!accepted.contains(request.tag())
                                && room.lrm
                                                .submit(LrmRoom.ACCOUNT, List.of(request))
                                                .getFirst()
                                        instanceof SubmitResult.Accepted) {
                            accepted.add(request.tag());
                        }
                    }
                    return accepted.size() == requests.size();
                });
        killer.join();

        for (int i = 0; i < requests.size(); i++) {
            assertThat(room.awaitEnd(requests.get(i).tag()).exitCode()).isZero();
            assertThat(room.read("once-" + i)).isEqualTo("x\n");
        }
    }

    @Test
    void goesOnFromItsCheckpointAfterARestartOfTheContainer() {
        JobId before = room.submit(room.job("/bin/true"));
        room.awaitEnd(before);
        JobId over = room.submit(sh("sleep 0.7; exit 4"));
        room.awaitEvent(over, LrmEvent.Kind.STARTED);
        room.lrm.close();
        assertThat(room.records.records).containsKey("lrm.checkpoint Fork/" + LrmRoom.ACCOUNT);
        room.events.clear();
        pause(1000);

        room.start();

        assertThat(room.awaitEnd(over).exitCode()).isEqualTo(4);
        assertThat(room.event(before, LrmEvent.Kind.ENDED))
                .as("told before the restart")
                .isEmpty();
    }

    @Test
    void tellsTheEndOfAJobWhoseStarterWasKilled() throws IOException {
        JobId tag = room.submit(sh(ContractRoom.until("go")));
        room.awaitEvent(tag, LrmEvent.Kind.STARTED);

        ProcessHandle starter = ProcessHandle.of(room.starterPid()).orElseThrow();
        starter.destroyForcibly();
        await().atMost(Duration.ofMinutes(1)).until(() -> !starter.isAlive());
        Files.writeString(room.work.resolve("go"), "");

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.LOST);
        assertThat(end.fault())
                .isNotNull()
                .satisfies(fault -> assertThat(fault.sentence()).isNotEmpty());
    }

    @Test
    void tellsEventsAgainThatCouldNotBeStored() {
        room.failStores(3);
        JobId tag = room.submit(sh("exit 2"));

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(2);
    }

    @Test
    void isWellWithLittleLag() {
        room.run(room.job("/bin/true"));

        assertThat(room.lrm.health().well()).isTrue();
        assertThat(room.lrm.health().lag()).isLessThan(Duration.ofMinutes(1));
    }

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("/jobgate-worker "))
                .toList();
    }

    private static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
