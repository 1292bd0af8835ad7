// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every LRM does for a job, whichever it is: a description goes in, files, events and an exit code come out. A class for each LRM
 * opens the room.
 */
abstract class LrmContract extends LrmResourceContract {

    private static final List<String> ODD_TEXTS = List.of(
            "a b",
            "\"quoted\" 'twice'",
            "$HOME $(id) `id`",
            "$(Process) $$(Cpus) $$([1+1]) $ENV(HOME) $(DOLLAR)",
            "two\nlines\r\t",
            "x\nqueue 5\nexecutable = /bin/rm",
            "äöü € \uD83D\uDE00",
            "",
            "\\ \\n",
            "ends with \\",
            "*?[]{}~",
            ";&|<>#",
            "-n",
            "%41=,:");

    private static Fault faultOf(LrmEvent.End end) {
        assertThat(end.cause()).isEqualTo(Cause.NOT_STARTED);
        return requireNonNull(end.fault());
    }

    @Test
    void tellsQueuedStartedAndEndedInOrder() {
        JobId tag = room.submit(room.job("/bin/true"));

        LrmEvent.End end = room.awaitEnd(tag);

        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.fault()).isNull();
        assertThat(room.changes(tag)).containsExactly(Kind.QUEUED, Kind.STARTED, Kind.ENDED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 127, 255})
    void tellsTheExitCode(int code) {
        LrmEvent.End end = room.run(room.sh("exit " + code));

        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).isEqualTo(code);
    }

    @Test
    void tellsTheSignal() {
        LrmEvent.End end = room.run(room.sh("kill -ABRT $$"));

        assertThat(end.cause()).isEqualTo(Cause.SIGNALLED);
        assertThat(end.signal()).isEqualTo(6);
    }

    @Test
    void givesArgumentsByteForByte() throws IOException {
        room.run(room.job("/usr/bin/perl", perl("print join qq(\\0), @ARGV", ODD_TEXTS))
                .stdout("said"));

        assertThat(Files.readAllBytes(room.work.resolve("said")))
                .isEqualTo(String.join("\0", ODD_TEXTS).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void givesTheEnvironmentByteForByte() throws IOException {
        String value = String.join("", ODD_TEXTS);

        room.run(room.job("/usr/bin/perl", "-e", "print $ENV{'ODD NAME'}")
                .environment(List.of(new EnvironmentVariable("ODD NAME", value)))
                .stdout("said"));

        assertThat(room.read("said")).isEqualTo(value);
    }

    private static String[] perl(String program, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of("-e", program, "--"));
        all.addAll(arguments);
        return all.toArray(String[]::new);
    }

    @Test
    void connectsTheStandardFiles() throws IOException {
        room.write("in", "text\n");

        room.run(room.sh("cat; echo bad >&2").stdin("in").stdout("out").stderr("err"));

        assertThat(room.read("out")).isEqualTo("text\n");
        assertThat(room.read("err")).isEqualTo("bad\n");
    }

    @Test
    void takesOddFileNames() throws IOException {
        room.run(room.sh("echo said").stdout("o $(X)\n'\"=ut"));

        assertThat(room.read("o $(X)\n'\"=ut")).isEqualTo("said\n");
    }

    @Test
    void emptiesTheOutputFile() throws IOException {
        room.write("out", "what a former job had written, which is longer\n");

        room.run(room.sh("echo said").stdout("out"));

        assertThat(room.read("out")).isEqualTo("said\n");
    }

    @Test
    void keepsOutputFilesToTheAccount() throws IOException {
        room.run(room.sh("echo said").stdout("out"));

        assertThat(Files.getPosixFilePermissions(room.work.resolve("out")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getOwner(room.work.resolve("out")).getName()).isEqualTo(room.account);
    }

    @Test
    void runsInTheDirectoryAsTheAccount() throws IOException {
        room.run(room.sh("pwd; id -un; echo $USER; umask").stdout("out"));

        assertThat(room.read("out")).isEqualTo(room.work + "\n" + room.account + "\n" + room.account + "\n0077\n");
    }

    @Test
    void runsInTheHomeWithoutADirectory() throws IOException {
        room.run(JobDescription.builder("/bin/sh")
                .arguments(List.of("-c", "test \"$(pwd -P)\" = \"$(cd && pwd -P)\"; echo $?"))
                .stdout(room.work.resolve("out").toString()));

        assertThat(room.read("out")).isEqualTo("0\n");
    }

    @Test
    void findsAProgramOfTheDirectoryAndOfThePath() throws IOException {
        Path program = room.write("mine", "#!/bin/sh\necho mine\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

        room.run(room.job("mine").stdout("first"));
        room.run(room.job("echo", "path").stdout("second"));

        assertThat(room.read("first")).isEqualTo("mine\n");
        assertThat(room.read("second")).isEqualTo("path\n");
    }

    @Test
    void setsTheLibraryPath() throws IOException {
        room.run(room.sh("echo $LD_LIBRARY_PATH")
                .libraryPath(List.of("/a", "/b"))
                .stdout("out"));

        assertThat(room.read("out")).isEqualTo("/a:/b\n");
    }

    @Test
    void saysThatTheExecutableIsMissing() {
        Fault fault = faultOf(room.run(room.job("/no/such/program")));

        assertThat(fault.code()).isEqualTo(FaultCode.EXECUTABLE_NOT_FOUND);
        assertThat(fault.sentence()).contains("/no/such/program");
    }

    @Test
    void saysThatTheExecutableMayNotBeRun() throws IOException {
        room.write("data", "no program");

        assertThat(faultOf(room.run(room.job("./data"))).code()).isEqualTo(FaultCode.EXECUTABLE_NOT_PERMITTED);
    }

    @Test
    void saysThatTheDirectoryIsMissing() {
        assertThat(faultOf(room.run(room.job("/bin/true").directory("/no/such/directory")))
                        .code())
                .isEqualTo(FaultCode.DIRECTORY_NOT_FOUND);
    }

    @Test
    void saysThatStandardInputIsMissing() {
        assertThat(faultOf(room.run(room.job("/bin/true").stdin("/no/such/file")))
                        .code())
                .isEqualTo(FaultCode.STDIN_NOT_FOUND);
    }

    @Test
    void saysThatStandardOutputCannotBeWritten() {
        assertThat(faultOf(room.run(room.job("/bin/true").stdout("/no/such/directory/out")))
                        .code())
                .isEqualTo(FaultCode.STDOUT_NOT_WRITABLE);
    }

    @Test
    void startsAsManyProcessesAsCounted() throws IOException {
        JobId tag = room.submit(room.sh("echo one").count(3).stdout("out"));

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.read("out")).isEqualTo("one\none\none\n");
        assertThat(room.kinds(tag).stream().filter(kind -> kind == Kind.ENDED)).hasSize(1);
    }

    @Test
    void aJobOfManyFailsWithOneOfThem() {
        LrmEvent.End end =
                room.run(room.sh("mkdir one 2>/dev/null || exit 0; exit 9").count(3));

        assertThat(end.exitCode()).isEqualTo(9);
    }

    @Test
    void aSingleJobIsOneProcess() throws IOException {
        room.run(room.sh("echo one").jobType(JobType.SINGLE).count(3).stdout("out"));

        assertThat(room.read("out")).isEqualTo("one\n");
    }

    @Test
    void endsAJobThatIsOverItsWallTime() {
        LrmEvent.End end = room.run(room.job("/bin/sleep", "300").maxWallTime(Duration.ofSeconds(2)));

        assertThat(end.cause()).isEqualTo(Cause.WALL_TIME);
    }

    @Test
    void cancelsARunningJob() {
        JobId tag = room.submit(room.job("/bin/sleep", "300"));
        room.awaitEvent(tag, Kind.STARTED);

        assertThat(room.lrm().cancel(room.account, List.of(new LrmJob(tag, List.of()))))
                .containsExactly(new CancelResult.Ending());

        assertThat(room.awaitEnd(tag).cause()).isEqualTo(Cause.CANCELLED);
    }

    @Test
    void cancelsEachJobByItself() {
        JobId over = room.submit(room.job("/bin/true"));
        room.awaitEnd(over);
        JobId living = room.submit(room.job("/bin/sleep", "300"));
        JobId other = room.submit(room.job("/bin/sleep", "300"));
        JobId unknown = room.newTag();

        List<CancelResult> results = room.lrm()
                .cancel(
                        room.account,
                        List.of(
                                new LrmJob(unknown, List.of("1.0")),
                                new LrmJob(living, List.of()),
                                new LrmJob(over, List.of())));

        assertThat(results)
                .containsExactly(new CancelResult.NotThere(), new CancelResult.Ending(), new CancelResult.Ending());
        room.awaitEnd(living);
        assertThat(room.kinds(other)).doesNotContain(Kind.ENDED);
    }

    @Test
    void answersWhatItKnowsOfATag() throws Exception {
        JobId over = room.submit(room.sh("exit 4"));
        room.awaitEnd(over);
        JobId living = room.submit(room.job("/bin/sleep", "300"));
        room.awaitEvent(living, Kind.STARTED);
        JobId unknown = room.newTag();

        var known = room.lookup(over, living, unknown);

        assertThat(known.keySet()).containsExactlyInAnyOrder(over, living);
        assertThat(requireNonNull(known.get(over)).getLast().end())
                .satisfies(end -> assertThat(requireNonNull(end).exitCode()).isEqualTo(4));
        assertThat(requireNonNull(known.get(living)).getLast().kind()).isEqualTo(Kind.STARTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startsATagOnce(boolean mayExist) throws IOException {
        JobDescription.Builder description = room.sh("echo ran >> ran");
        JobId tag = room.newTag();
        assertThat(room.trySubmit(tag, description, false)).isInstanceOf(SubmitResult.Accepted.class);
        room.awaitEnd(tag);

        SubmitResult second = room.trySubmit(tag, description, mayExist);

        assertThat(second).isInstanceOf(SubmitResult.Accepted.class);
        room.run(room.job("/bin/true"));
        assertThat(room.read("ran")).isEqualTo("ran\n");
    }

    @Test
    void takesManyAtOnce() throws IOException {
        List<SubmitRequest> requests = IntStream.range(0, 25)
                .mapToObj(i ->
                        new SubmitRequest(room.newTag(), room.sh("exit " + i).build(), false))
                .toList();

        List<SubmitResult> results = room.lrm().submit(room.account, requests);

        Set<String> ids = new HashSet<>();
        results.forEach(result -> ids.addAll(((SubmitResult.Accepted) result).localIds()));
        assertThat(ids).hasSize(25);
        IntStream.range(0, 25)
                .forEach(i -> assertThat(room.awaitEnd(requests.get(i).tag()).exitCode())
                        .isEqualTo(i));
    }

    @Test
    void goesOnAfterARestartOfTheContainer() {
        JobId over = room.submit(room.job("/bin/true"));
        room.awaitEnd(over);
        JobId living = room.submit(room.sh("sleep 2; exit 6"));
        room.lrm().close();
        room.events.clear();

        String saved = room.records.records.values().toString();
        room.start();

        assertThat(room.awaitEnd(living).exitCode()).isEqualTo(6);
        assertThat(room.kinds(over)).as("from the checkpoint %s", saved).isEmpty();
    }

    @Test
    void tellsAllAgainToAContainerThatKnowsNothing() {
        JobId over = room.submit(room.sh("exit 5"));
        room.awaitEnd(over);
        room.lrm().close();
        room.events.clear();
        room.records.records.clear();

        room.start();

        assertThat(room.awaitEnd(over).exitCode()).isEqualTo(5);
        assertThat(room.kinds(over)).containsSubsequence(Kind.QUEUED, Kind.STARTED, Kind.ENDED);
    }

    @Test
    void goesOnAfterTheDeathOfTheWorker() {
        JobId living = room.submit(room.sh("sleep 2; exit 6"));

        room.workers().forEach(ProcessHandle::destroyForcibly);

        assertThat(room.awaitEnd(living).exitCode()).isEqualTo(6);
    }

    @Test
    void forgetsWhatIsOver() {
        JobId over = room.submit(room.job("/bin/true"));
        room.awaitEnd(over);

        room.lrm().forget(room.account, List.of(new LrmJob(over, List.of())));

        assertThat(room.run(room.sh("exit 2")).exitCode()).isEqualTo(2);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(room.lrm().health().well()).isTrue());
    }
}
