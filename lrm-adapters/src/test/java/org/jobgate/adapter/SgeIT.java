// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Extension;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grid Engine keeps the contract, a real one; and what is its own. */
class SgeIT extends LrmContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SgeLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SgeLab.tidy();
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings());
    }

    private String submitted(JobId tag, JobDescription.Builder description) {
        assertThat(room.trySubmit(tag, description, false)).isInstanceOf(SubmitResult.Accepted.class);
        return id(room, tag);
    }

    /** Grid Engine's number of the job. */
    private static String id(ContractRoom where, JobId tag) {
        return where.awaitEvent(tag, Kind.QUEUED).localIds().getFirst();
    }

    private JobDescription.Builder with(JobDescription.Builder job, String name, String value) {
        return job.extensions(List.of(new Extension("sgesubmit", Map.of("name", name), value, List.of())));
    }

    private static Fault faultOf(SubmitResult result) {
        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        return ((SubmitResult.Refused) result).fault();
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.of(
                Resource.SLOTS, "parallel environment: +smp range: 2",
                Resource.THREADS_PER_PROCESS, "parallel environment: +smp range: 2",
                Resource.MEMORY_PER_SLOT, "mem_free=50M",
                Resource.MEMORY, "mem_free=60M",
                Resource.HOSTS, "hostname=\\S+",
                Resource.ARCHITECTURE, "arch=\\*-amd64",
                Resource.OPERATING_SYSTEM, "arch=lx-\\*",
                Resource.MAIL, "mail_list: +nobody@example.org");
    }

    /** Grid Engine takes only names that it can resolve. */
    @Override
    String host() {
        return "localhost";
    }

    @Override
    Set<Resource> notInTheLab() {
        return Set.of(Resource.RESERVATION);
    }

    @Override
    String record(JobId tag) throws Exception {
        return SgeLab.run("qstat", "-j", room.localIds(tag).getFirst()).out();
    }

    /** Grid Engine would queue a job that exits with 99 again for ever, and hold one that exits with 100 in an error state. */
    @ParameterizedTest
    @ValueSource(ints = {99, 100})
    void exitCodesThatMeanSomethingToGridEngineMeanNothing(int code) {
        JobId tag = room.submit(room.sh("exit " + code));

        LrmEvent.End end = room.awaitEnd(tag);

        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).isEqualTo(code);
        assertThat(room.changes(tag)).containsExactly(Kind.QUEUED, Kind.STARTED, Kind.ENDED);
    }

    @Test
    void aJobThatIsSuspendedGoesOn() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, room.waiting("exit 0"));
        room.awaitEvent(tag, Kind.STARTED);

        assertThat(SgeLab.run("qmod", "-sj", id).exit()).isZero();
        room.awaitEvent(tag, Kind.SUSPENDED);
        SgeLab.run("qmod", "-usj", id);
        room.awaitChanges(tag, Kind.QUEUED, Kind.STARTED, Kind.SUSPENDED, Kind.STARTED);
        room.letGo();

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.changes(tag))
                .containsExactly(Kind.QUEUED, Kind.STARTED, Kind.SUSPENDED, Kind.STARTED, Kind.ENDED);
    }

    @Test
    void aJobThatIsHeldBeforeItRunsIsSuspendedAndGoesOn() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, with(room.job("/bin/true"), "h", ""));
        room.awaitEvent(tag, Kind.SUSPENDED);

        SgeLab.run("qrls", id);

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
    }

    @Test
    void aRunningJobThatIsDeletedBehindOurBackIsCancelledAndByWhom() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, room.job("/bin/sleep", "300"));
        room.awaitEvent(tag, Kind.STARTED);

        SgeLab.run("qdel", id);

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.CANCELLED);
        assertThat(requireNonNull(end.evidence()).output()).contains("deleted by root");
    }

    /** Such a job leaves no accounting record. */
    @Test
    void aWaitingJobThatIsDeletedBehindOurBackIsCancelledAndByWhom() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, with(room.job("/bin/true"), "h", ""));

        SgeLab.run("qdel", id);

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.CANCELLED);
        assertThat(requireNonNull(end.evidence()).output()).contains("deleted by root");
    }

    @Test
    void aJobThatItsUserKillsBySignalIsNotCancelled() {
        LrmEvent.End end = room.run(room.sh("kill -KILL $PPID; sleep 300"));

        assertThat(end.cause()).isEqualTo(Cause.SIGNALLED);
        assertThat(end.signal()).isEqualTo(9);
    }

    @Test
    void aJobThatIsPutBackIsQueuedAgainAndRunsAnew() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, with(room.sh("test -e second && exit 7; touch second; sleep 300"), "r", "y"));
        room.awaitEvent(tag, Kind.STARTED);
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("second")));

        assertThat(SgeLab.run("qmod", "-rj", id).exit()).isZero();

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(7);
        assertThat(room.changes(tag))
                .containsExactly(Kind.QUEUED, Kind.STARTED, Kind.REQUEUED, Kind.STARTED, Kind.ENDED);
    }

    /** State Eqw: it would stay in the queue for ever. */
    @Test
    void aJobThatCannotBeStartedEndsWithTheReasonAndIsRemoved() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(tag, with(room.job("/bin/true"), "h", ""));
        SgeLab.run("qalter", "-o", "/no/such/directory/out", id);
        SgeLab.run("qrls", id);

        LrmEvent.End end = room.awaitEnd(tag);

        assertThat(end.cause()).isEqualTo(Cause.NOT_STARTED);
        assertThat(requireNonNull(end.fault()).sentence()).contains("/no/such/directory/out");
        await().atMost(ContractRoom.PATIENCE)
                .untilAsserted(
                        () -> assertThat(SgeLab.run("qstat", "-j", id).exit()).isNotZero());
    }

    @Test
    void aJobThatUsesTooMuchMemoryIsEnded() {
        LrmEvent.End end = room.run(room.job("/usr/bin/perl", "-e", "fork; fork; $x = 'x' x 3e7; sleep 300")
                .maxMemoryMiB(64L));

        assertThat(end.cause()).isEqualTo(Cause.MEMORY);
    }

    @Test
    void aJobThatUsesTooMuchCpuTimeIsEnded() {
        LrmEvent.End end = room.run(room.job("/usr/bin/perl", "-e", "1 while 1").maxCpuTime(Duration.ofSeconds(1)));

        assertThat(end.cause()).isEqualTo(Cause.SIGNALLED);
        assertThat(end.signal()).isEqualTo(24);
    }

    @Test
    void whatAJobAsksForIsAskedForOfGridEngine() throws Exception {
        JobId tag = room.newTag();
        String id = submitted(
                tag,
                room.job("/bin/sleep", "300")
                        .queue("all.q")
                        .count(2)
                        .maxWallTime(Duration.ofMinutes(5))
                        .maxCpuTime(Duration.ofMinutes(1))
                        .maxMemoryMiB(100L));

        String said = SgeLab.run("qstat", "-j", id).out();

        assertThat(said)
                .contains("h_rt=300")
                .contains("h_cpu=65")
                .contains("h_vmem=148M")
                .containsPattern("hard_queue_list: +all\\.q")
                .containsPattern("parallel environment: +smp range: 2")
                .containsPattern("job_name: +jg_" + tag)
                .containsPattern("context: +JOBGATE_ID=" + tag);
    }

    /** With a launcher of the test's own, which starts all on this host. */
    @Test
    void aJobOfTypeMpiIsGivenItsSlotsAndStartedByTheSitesLauncher() throws Exception {
        Path mpiexec =
                room.write("mpiexec", "#!/bin/sh\nn=$2; shift 2; while [ $n -gt 0 ]; do \"$@\"; n=$((n - 1)); done\n");
        Files.setPosixFilePermissions(mpiexec, PosixFilePermissions.fromString("rwx------"));
        try (ContractRoom mpi =
                new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings(Map.of("mpiexec", mpiexec.toString())))) {
            LrmEvent.End end = mpi.run(mpi.sh("echo one of $NSLOTS in $PE")
                    .jobType(JobType.MPI)
                    .count(3)
                    .stdout("out"));

            assertThat(end.exitCode()).isZero();
            assertThat(mpi.read("out")).isEqualTo("one of 3 in mpi\n".repeat(3));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n-N y", "a\" + 1", "$(id)", "a;b", "a#b", "a b", "\\", "-N", "@/etc/passwd", "a,b", "*"})
    void aQueueOrProjectThatIsNoNameIsRefused(String name) {
        for (JobDescription.Builder description :
                List.of(room.job("/bin/true").queue(name), room.job("/bin/true").project(name))) {
            assertThat(faultOf(room.trySubmit(room.newTag(), description, false))
                            .code())
                    .isEqualTo(FaultCode.INVALID_DESCRIPTION);
        }
    }

    @Test
    void optionsOfTheClientAreThoseThatTheSiteLists() throws Exception {
        String id = submitted(room.newTag(), with(room.job("/bin/sleep", "300"), "p", "-7"));
        assertThat(SgeLab.run("qstat", "-j", id).out()).containsPattern("priority: +-7");
        for (String name : List.of("N", "o", "S", "V", "@", "p\n-N", "l")) {
            assertThat(faultOf(room.trySubmit(room.newTag(), with(room.job("/bin/true"), name, "x"), false))
                            .code())
                    .isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        }
        for (String value : List.of("1\n-N x", "1 -N x", "-N", "")) {
            assertThat(faultOf(room.trySubmit(room.newTag(), with(room.job("/bin/true"), "m", value), false))
                            .code())
                    .isEqualTo(FaultCode.INVALID_DESCRIPTION);
        }
    }

    @Test
    void aWrongQueueOrProjectIsRefusedWithGridEnginesWords() {
        Fault queue =
                faultOf(room.trySubmit(room.newTag(), room.job("/bin/true").queue("nowhere.q"), false));
        Fault project =
                faultOf(room.trySubmit(room.newTag(), room.job("/bin/true").project("nowhere"), false));

        assertThat(queue.code()).isEqualTo(FaultCode.LRM_REFUSED);
        assertThat(queue.sentence()).contains("unknown queue \"nowhere.q\"");
        assertThat(project.sentence()).contains("project \"nowhere\" does not exist");
    }

    /** Grid Engine would let it wait for ever. */
    @Test
    void moreSlotsThanThereAreIsRefused() {
        Fault fault =
                faultOf(room.trySubmit(room.newTag(), room.job("/bin/true").count(5000), false));

        assertThat(fault.code()).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(fault.sentence()).contains("5000");
    }

    @Test
    void anOldAccountingRecordWithTheSameNumberChangesNothing() throws Exception {
        assertThat(room.run(room.job("/bin/true")).exitCode()).isZero();
        JobId tag = room.newTag();
        String number = submitted(tag, room.waiting("exit 6"));
        // of this one number only: other tests read the same file
        String[] fields = Files.readAllLines(SgeLab.ACCOUNTING).getLast().split(":", -1);
        fields[3] = room.account;
        fields[4] = "jg_" + room.newTag();
        fields[5] = number;
        fields[12] = "42";
        Files.writeString(SgeLab.ACCOUNTING, String.join(":", fields) + "\n", StandardOpenOption.APPEND);
        assertThat(room.run(room.job("/bin/true")).exitCode()).isZero();
        room.letGo();

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(6);
    }

    @Test
    void aNumberThatBelongsToAnotherJobNowCancelsNothing() {
        JobId tag = room.newTag();
        String id = submitted(tag, room.job("/bin/sleep", "300"));

        assertThat(room.lrm().cancel(room.account, List.of(new LrmJob(room.newTag(), List.of(id)))))
                .containsExactly(new CancelResult.NotThere());

        room.run(room.sh("sleep 2"));
        assertThat(room.kinds(tag)).doesNotContain(Kind.ENDED);
    }

    /** As where the master's files are on a machine of its own: qacct and the list of finished jobs say the same, later. */
    @Test
    void endsAreLearntWithoutTheFilesOfTheMaster() throws Exception {
        LrmSettings settings = SgeLab.settings(
                Map.of("accounting_file", "/no/such/file", "reporting_file", "/no/such/file", "deleted_grace", "3"));
        try (ContractRoom blind = new ContractRoom(SgeLab.ACCOUNT, settings)) {
            JobId ended = blind.submit(blind.sh("exit 4"));
            JobId wall = blind.submit(blind.job("/bin/sleep", "300").maxWallTime(Duration.ofSeconds(2)));
            JobId cancelled = blind.submit(blind.job("/bin/sleep", "300"));
            blind.awaitEvent(cancelled, Kind.STARTED);
            JobId waiting = blind.newTag();
            blind.trySubmit(waiting, with(blind.job("/bin/true"), "h", ""), false);
            blind.cancel(cancelled);
            SgeLab.run("qdel", id(blind, waiting));

            assertThat(blind.awaitEnd(ended).exitCode()).isEqualTo(4);
            assertThat(blind.awaitEnd(wall).cause()).isEqualTo(Cause.WALL_TIME);
            assertThat(blind.awaitEnd(cancelled).cause()).isEqualTo(Cause.CANCELLED);
            assertThat(blind.awaitEnd(waiting).cause()).isEqualTo(Cause.CANCELLED);
        }
    }

    @Test
    void whyAJobWaitsIsToldToItsOwner() throws Exception {
        try (ContractRoom asking = new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings(Map.of("why_interval", "1")))) {
            JobId tag = asking.submit(with(asking.job("/bin/true"), "l", "arch=sparc"));

            await().atMost(ContractRoom.PATIENCE)
                    .untilAsserted(() -> assertThat(asking.events)
                            .anySatisfy(event -> assertThat(event.note()).contains("cannot run at host")));

            assertThat(asking.kinds(tag)).containsOnly(Kind.QUEUED);
        }
    }

    /** Without a master nothing is known: jobs wait. */
    @Test
    void aMasterThatDoesNotAnswerRefusesNothing() throws Exception {
        try (ContractRoom away = new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings(Map.of("sge_qmaster_port", "1")))) {
            assertThat(away.trySubmit(away.newTag(), away.job("/bin/true"), false))
                    .isInstanceOf(SubmitResult.Unclear.class);
        }
    }

    /** The worker dies while qsub is at work, before and after it has reached the master. */
    @ParameterizedTest
    @ValueSource(strings = {"touch BEGUN; WAIT; exec @ \"$@\"", "@ \"$@\"; touch BEGUN; WAIT"})
    void aWorkerThatDiesWhileItSubmitsLeavesOneJob(String script) throws Exception {
        Path bin = Files.createDirectory(room.directory.resolve("bin"));
        for (String name : SgeLab.COMMANDS.subList(1, SgeLab.COMMANDS.size())) {
            Files.createSymbolicLink(bin.resolve(name), SgeLab.BIN.resolve(name));
        }
        Path slow = Files.writeString(
                bin.resolve("qsub"),
                "#!/bin/sh\n"
                        + script.replaceFirst("@", SgeLab.BIN.resolve("qsub").toString())
                                .replace("BEGUN", room.work + "/begun")
                                .replace("WAIT", ContractRoom.until(room.work.resolve("go")))
                        + "\n");
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ContractRoom slowRoom =
                new ContractRoom(SgeLab.ACCOUNT, SgeLab.settings(Map.of("sge_bin", bin.toString())))) {
            JobId tag = slowRoom.newTag();
            JobDescription.Builder description = slowRoom.sh("echo ran >> ran; sleep 1");
            CompletableFuture<SubmitResult> first =
                    CompletableFuture.supplyAsync(() -> slowRoom.trySubmit(tag, description, false));
            await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("begun")));
            List<ProcessHandle> dead = slowRoom.workers();
            dead.forEach(ProcessHandle::destroyForcibly);
            assertThat(first.get()).isInstanceOf(SubmitResult.Unclear.class);
            CompletableFuture<SubmitResult> second =
                    slowRoom.beginAgain(dead, () -> slowRoom.trySubmit(tag, description, true));
            room.letGo();
            assertThat(second.get()).isNotInstanceOf(SubmitResult.Refused.class);

            await().atMost(ContractRoom.PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> assertThat(slowRoom.trySubmit(tag, description, true))
                            .isInstanceOf(SubmitResult.Accepted.class));

            assertThat(slowRoom.awaitEnd(tag).exitCode()).isZero();
            assertThat(slowRoom.read("ran")).isEqualTo("ran\n");
        }
    }
}
