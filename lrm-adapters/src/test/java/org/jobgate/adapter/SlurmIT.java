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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slurm keeps the contract, in a real cluster of one node; and what is its own. */
class SlurmIT extends LrmContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SlurmLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings());
    }

    @Override
    Optional<JobDescription.Builder> waitingJob() {
        return Optional.of(room.job("/bin/true").extensions(List.of(sbatch("begin", "now+1hour"))));
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.of(
                Resource.SLOTS, " NumTasks=2 ",
                Resource.SLOTS_PER_HOST, " NtasksPerN:B:S:C=2:",
                Resource.THREADS_PER_PROCESS, " CPUs/Task=2 ",
                Resource.WHOLE_NODES, " OverSubscribe=NO ",
                Resource.MEMORY_PER_SLOT, " MinMemoryCPU=50M ",
                Resource.MEMORY, " MinMemoryNode=60M ",
                Resource.HOSTS, " ReqNodeList=node1 ",
                Resource.MAIL, " MailUser=nobody@example.org MailType=(?:INVALID_DEPEND,)?END,FAIL");
    }

    @Override
    Set<Resource> notInTheLab() {
        return Set.of(Resource.GPUS, Resource.GPU_MODEL, Resource.NODE_FEATURES, Resource.RESERVATION);
    }

    @Override
    String record(JobId tag) throws Exception {
        return scontrol("-o", "show", "job", idOf(tag));
    }

    private static String scontrol(String... arguments) throws IOException, InterruptedException {
        SlurmLab.Answer answer = SlurmLab.run("scontrol", arguments);
        assertThat(answer.exit()).as(answer.out()).isZero();
        return answer.out();
    }

    private String idOf(JobId tag) {
        return room.awaitEvent(tag, Kind.QUEUED).localIds().getFirst();
    }

    /** A field of what the controller says of the job. */
    private String field(JobId tag, String name) throws IOException, InterruptedException {
        String record = scontrol("-o", "show", "job", idOf(tag));
        Matcher matcher =
                Pattern.compile("(?:^| )" + Pattern.quote(name) + "=(\\S*)").matcher(record);
        assertThat(matcher.find()).as("%s of %s", name, record).isTrue();
        return matcher.group(1);
    }

    // --- how a job ends
    // -------------------------------------------------------------------------------------------------------

    @Test
    void aJobThatSlurmHoldsIsSuspendedAndGoesOnWhenItIsReleased() throws Exception {
        JobId tag = room.submit(room.sh("exit 3").extensions(List.of(sbatch("begin", "now+1hour"))));
        scontrol("hold", idOf(tag));
        LrmEvent held = room.awaitEvent(tag, Kind.SUSPENDED);

        scontrol("release", idOf(tag));
        scontrol("update", "jobid=" + idOf(tag), "starttime=now");

        assertThat(held.localIds()).containsExactly(idOf(tag));
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(3);
    }

    @Test
    void aSuspendedJobIsSuspendedAndItsWallTimeStandsStill() throws Exception {
        JobId tag = room.submit(room.waiting("exit 2").maxWallTime(Duration.ofSeconds(15)));
        room.awaitEvent(tag, Kind.STARTED);
        scontrol("suspend", idOf(tag));
        room.awaitEvent(tag, Kind.SUSPENDED);
        TimeUnit.SECONDS.sleep(16);

        scontrol("resume", idOf(tag));
        room.awaitChanges(tag, Kind.QUEUED, Kind.STARTED, Kind.SUSPENDED, Kind.STARTED);
        room.letGo();

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).isEqualTo(2);
        assertThat(room.changes(tag))
                .containsExactly(Kind.QUEUED, Kind.STARTED, Kind.SUSPENDED, Kind.STARTED, Kind.ENDED);
    }

    /** A worker told nothing before its call was over, and a hundred sbatch, one after the other, take seconds. */
    @Test
    void whileManyAreSubmittedWhatBecomesOfTheFirstIsToldInTheRightOrder() throws Exception {
        Map<String, String> options = new HashMap<>(SlurmLab.settings().options());
        options.putAll(Map.of("submit_at_once", "1", "poll_interval", "0.5"));
        try (ContractRoom slow =
                new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings().withOptions(options))) {
            List<SubmitRequest> requests = IntStream.range(0, 100)
                    .mapToObj(i -> new SubmitRequest(
                            slow.newTag(), slow.job("/bin/true").build(), false))
                    .toList();

            List<SubmitResult> results = slow.lrm().submit(slow.account, requests);
            List<Kind> toldBefore =
                    slow.events.stream().map(LrmEvent::kind).distinct().toList();

            assertThat(results).hasSize(100).allMatch(SubmitResult.Accepted.class::isInstance);
            assertThat(toldBefore).contains(Kind.ENDED);
            for (SubmitRequest request : requests) {
                assertThat(slow.awaitEnd(request.tag()).exitCode()).isZero();
                assertThat(slow.kinds(request.tag()))
                        .startsWith(Kind.QUEUED)
                        .endsWith(Kind.ENDED)
                        .doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void aJobThatIsCancelledBehindOurBackSaysByWhom() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "300"));
        room.awaitEvent(tag, Kind.STARTED);

        SlurmLab.runAs(SlurmLab.ACCOUNT, "scancel", idOf(tag));

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.CANCELLED);
        assertThat(requireNonNull(end.evidence()).output()).contains("CANCELLED by " + SlurmLab.ACCOUNT);
    }

    @Test
    void aWaitingJobThatIsCancelledWasNeverStarted() {
        JobId tag = room.submit(room.job("/bin/sleep", "300").extensions(List.of(sbatch("begin", "now+1hour"))));

        room.cancel(tag);

        assertThat(room.awaitEnd(tag).cause()).isEqualTo(Cause.CANCELLED);
        assertThat(room.kinds(tag)).doesNotContain(Kind.STARTED);
    }

    @Test
    void aRequeuedJobIsQueuedAgainAndRunsToItsEnd() throws Exception {
        JobId tag = room.submit(room.sh("test -e second && exit 4; touch second; sleep 300"));
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("second")));
        room.awaitEvent(tag, Kind.STARTED);

        scontrol("requeue", idOf(tag));
        room.awaitEvent(tag, Kind.REQUEUED);
        // Slurm lets a requeued job wait for two minutes unless it is told otherwise
        scontrol("update", "jobid=" + idOf(tag), "starttime=now");

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(4);
    }

    @Test
    void aJobThatSlurmCannotStartWasNotStarted() throws Exception {
        JobId tag = room.submit(room.sh("sleep 2").extensions(List.of(sbatch("nice", "10"))));
        // what Slurm opens before it starts the script: here its directory is taken away
        Path jobs = room.directory.resolve("spool/jobs");
        Path away = room.directory.resolve("spool/away");
        Files.move(jobs, away);
        try {
            LrmEvent.End end = room.awaitEnd(tag);
            // where it was started before, it ran to its end
            assertThat(end.cause()).isIn(Cause.NOT_STARTED, Cause.EXITED);
        } finally {
            Files.createDirectories(jobs);
            SlurmLab.command(List.of("cp", "-a", away + "/.", jobs.toString()));
        }
    }

    // --- what a job asks for
    // --------------------------------------------------------------------------------------------------

    private static Extension sbatch(String name, String value) {
        return new Extension("sbatch", Map.of("name", name), value, List.of());
    }

    private static Extension text(String name, String value) {
        return new Extension(name, Map.of(), value, List.of());
    }

    private static FaultCode refusal(SubmitResult result) {
        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        return ((SubmitResult.Refused) result).fault().code();
    }

    private SubmitResult tryTo(JobDescription.Builder description) {
        return room.trySubmit(room.newTag(), description, false);
    }

    @Test
    void whatTheJobAsksForIsAskedOfSlurm() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "60")
                .queue("short")
                .project("physics")
                .count(2)
                .hostCount(1)
                .maxWallTime(Duration.ofSeconds(90))
                .minMemoryMiB(100L)
                .maxMemoryMiB(200L)
                .extensions(List.of(sbatch("nice", "7"))));

        assertThat(field(tag, "Partition")).isEqualTo("short");
        assertThat(field(tag, "Account")).isEqualTo("physics");
        assertThat(field(tag, "NumTasks")).isEqualTo("2");
        assertThat(field(tag, "NumNodes")).startsWith("1");
        assertThat(field(tag, "TimeLimit")).isEqualTo("00:02:00");
        assertThat(field(tag, "MinMemoryNode")).isEqualTo("200M");
        assertThat(field(tag, "Nice")).isEqualTo("7");
        assertThat(field(tag, "JobName")).isEqualTo("jg-" + tag);
        assertThat(field(tag, "Comment")).isEqualTo("jobgate:" + tag);
    }

    @Test
    void anMpiJobIsStartedBySrunAsManyTimesAsCounted() throws Exception {
        LrmEvent.End end = room.run(room.sh("echo $SLURM_PROCID of $SLURM_NTASKS; test $SLURM_PROCID != 2 || exit 5")
                .jobType(JobType.MPI)
                .count(3)
                .stdout("out"));

        assertThat(end.exitCode()).isEqualTo(5);
        assertThat(room.read("out").lines().sorted()).containsExactly("0 of 3", "1 of 3", "2 of 3");
    }

    @Test
    void nodesAndResourceGroupsAreAskedOfSlurm() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "60").count(2).extensions(List.of(text("nodes", "1:ppn=2"))));
        JobId byGroup = room.submit(room.job("/bin/sleep", "60")
                .count(2)
                .extensions(List.of(new Extension(
                        "resourceAllocationGroup",
                        Map.of(),
                        "",
                        List.of(text("hostName", "node1"), text("processesPerHost", "2"), text("cpuCount", "4"))))));

        assertThat(field(tag, "NtasksPerN:B:S:C")).startsWith("2:");
        assertThat(field(byGroup, "ReqNodeList")).isEqualTo("node1");
        assertThat(field(byGroup, "CPUs/Task")).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n#SBATCH --wrap=id", "a;b", "$(id)", "a b", "'", "\"", "#", "--uid=0", "\\", "a,b", "é"})
    void aNameThatIsNoneIsRefused(String name) {
        for (JobDescription.Builder description : List.of(
                room.job("/bin/true").queue(name),
                room.job("/bin/true").project(name),
                room.job("/bin/true").extensions(List.of(text("nodes", name))),
                room.job("/bin/true")
                        .extensions(List.of(new Extension(
                                "resourceAllocationGroup", Map.of(), "", List.of(text("hostType", name))))))) {
            assertThat(refusal(tryTo(description))).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        }
    }

    @Test
    void onlyTheOptionsThatTheSiteListsAreTaken() throws Exception {
        for (String name :
                List.of("wrap", "uid", "array", "job-name", "output", "-p", "nice=1", "", "NICE", "export")) {
            assertThat(refusal(tryTo(room.job("/bin/true").extensions(List.of(sbatch(name, "x"))))))
                    .as(name)
                    .isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        }
        assertThat(refusal(tryTo(room.job("/bin/true").extensions(List.of(sbatch("nice", "1\n--uid=0"))))))
                .isEqualTo(FaultCode.INVALID_DESCRIPTION);
        SubmitResult odd =
                tryTo(room.job("/bin/true").extensions(List.of(sbatch("constraint", "$(touch /tmp/x); # '\""))));
        assertThat(refusal(odd)).isEqualTo(FaultCode.LRM_REFUSED);
    }

    @Test
    void whatCannotRunIsRefusedBeforeItWaitsForEver() {
        assertThat(refusal(tryTo(room.job("/bin/true").queue("nowhere")))).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(refusal(tryTo(room.job("/bin/true").queue("short").maxWallTime(Duration.ofMinutes(6)))))
                .isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(refusal(tryTo(room.job("/bin/true").count(1000)))).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(refusal(tryTo(room.job("/bin/true").hostCount(2)))).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(refusal(tryTo(room.job("/bin/true").jobType(JobType.CONDOR))))
                .isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
    }

    // --- exactly once
    // ---------------------------------------------------------------------------------------------------------

    /** A controller that nobody hears: jobs wait, and nothing fails for it. */
    @Test
    void aControllerThatDoesNotAnswerRefusesNothing() throws Exception {
        String away = Files.readString(SlurmLab.CONFIG)
                .replaceAll("(?m)^SlurmctldPort=.*", "SlurmctldPort=1")
                .replaceAll("(?m)^MessageTimeout=.*", "MessageTimeout=3");
        Path config = room.write("away.conf", away);
        try (ContractRoom awayRoom = new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings(SlurmLab.BIN, config))) {
            assertThat(awayRoom.trySubmit(awayRoom.newTag(), awayRoom.job("/bin/true"), false))
                    .isInstanceOf(SubmitResult.Unclear.class);
        }
    }

    /** A job of another life of Slurm has the same id: its record is not ours. */
    @Test
    void anOlderRecordWithTheSameIdIsNotOurs() throws Exception {
        Path bin = commands(
                "sacct",
                "echo '@ID@|" + SlurmLab.ACCOUNT
                        + "|FAILED|9:0|2020-01-01T00:00:00|2020-01-01T00:00:00|2020-01-01T00:00:01|something|@ID@'\nexec REAL \"$@\"");
        Path hidden = commandsIn(bin, "squeue", "test -e " + room.directory + "/hide && exit 0\nexec REAL \"$@\"");
        try (ContractRoom other = new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings(hidden, SlurmLab.CONFIG))) {
            Duration usual = toTheEnd(room, room.submit(room.sh("sleep 5; exit 3")));
            JobId tag = other.submit(other.waiting("exit 3"));
            long begin = System.nanoTime();
            String id = other.awaitEvent(tag, Kind.QUEUED).localIds().getFirst();
            Path sacct = bin.resolve("sacct");
            Files.writeString(sacct, Files.readString(sacct).replace("@ID@", id));
            Files.writeString(room.directory.resolve("hide"), "");

            await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            assertThat(other.kinds(tag)).doesNotContain(Kind.ENDED);
            other.letGo();
            // Slurm has forgotten the job, as it does after MinJobAge: its own record tells the end, before ours is
            // believed
            assertThat(other.awaitEnd(tag).exitCode()).isEqualTo(3);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(usual.multipliedBy(4));
        }
    }

    /** How long a job takes from now to the end that is told of it. */
    private static Duration toTheEnd(ContractRoom room, JobId tag) {
        long begin = System.nanoTime();
        room.awaitEnd(tag);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private Path commands(String name, String script) throws IOException {
        return commandsIn(Files.createDirectory(room.directory.resolve("bin")), name, script);
    }

    /** A script in the place of one command; REAL in it is the command itself. */
    private Path commandsIn(Path bin, String name, String script) throws IOException {
        for (String each : List.of("sbatch", "squeue", "sacct", "scancel", "scontrol", "sinfo")) {
            if (!Files.exists(bin.resolve(each))) {
                Files.createSymbolicLink(bin.resolve(each), SlurmLab.BIN.resolve(each));
            }
        }
        Files.delete(bin.resolve(name));
        Path file = Files.writeString(
                bin.resolve(name),
                "#!/bin/sh\n"
                        + script.replace("REAL", SlurmLab.BIN.resolve(name).toString()) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return bin;
    }

    /** The worker dies while sbatch is at work, before and after it has reached the controller; or the answer is a time-out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "touch BEGUN; WAIT; exec REAL \"$@\"",
                "REAL \"$@\"; touch BEGUN; WAIT",
                "touch BEGUN; cat > /dev/null; sleep 1; exit 1",
                "touch BEGUN; REAL \"$@\" > /dev/null; echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1"
            })
    void aLostAnswerLeavesOneJob(String script) throws Exception {
        Path begun = room.work.resolve("begun");
        Path bin = commands(
                "sbatch",
                "test -e " + begun + " && exec REAL \"$@\"\n"
                        + script.replace("BEGUN", begun.toString())
                                .replace("WAIT", ContractRoom.until(room.work.resolve("go"))));
        try (ContractRoom slow = new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings(bin, SlurmLab.CONFIG))) {
            JobId tag = slow.newTag();
            JobDescription.Builder description = slow.sh("echo ran >> ran; sleep 1; exit 6");
            CompletableFuture<SubmitResult> first =
                    CompletableFuture.supplyAsync(() -> slow.trySubmit(tag, description, false));
            await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(begun));
            List<ProcessHandle> dead = script.contains("exit 1") ? List.of() : slow.workers();
            dead.forEach(ProcessHandle::destroyForcibly);
            assertThat(first.get()).isInstanceOf(SubmitResult.Unclear.class);
            CompletableFuture<SubmitResult> second =
                    slow.beginAgain(dead, () -> slow.trySubmit(tag, description, true));
            room.letGo();
            assertThat(second.get()).isNotInstanceOf(SubmitResult.Refused.class);

            await().atMost(ContractRoom.PATIENCE)
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> assertThat(slow.trySubmit(tag, description, true))
                            .isInstanceOf(SubmitResult.Accepted.class));

            assertThat(slow.awaitEnd(tag).exitCode()).isEqualTo(6);
            assertThat(slow.read("ran")).isEqualTo("ran\n");
            assertThat(SlurmLab.run("squeue", "-h", "-t", "all", "-n", "jg-" + tag, "-o", "%A")
                            .out()
                            .lines())
                    .hasSize(1);
        }
    }
}
