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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTCondor keeps the contract, in a real pool; and what is its own. */
class HtcondorIT extends LrmContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        HtcondorLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings());
    }

    private static String tagIs(JobId tag) {
        return "JobgateId == \"" + tag + "\"";
    }

    private static String attribute(JobId tag, String name) throws IOException, InterruptedException {
        return HtcondorLab.run("condor_q", "-allusers", "-constraint", tagIs(tag), "-af", name)
                .out()
                .strip();
    }

    /** Each process is a job of its own there, which no launcher stays with. */
    @Override
    Set<Resource> seenInTheJob() {
        return LIMITS;
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.ofEntries(
                Map.entry(Resource.SLOTS, "(?m)^RequestCpus = 2$"),
                Map.entry(Resource.THREADS_PER_PROCESS, "(?m)^RequestCpus = 2$"),
                Map.entry(Resource.GPUS, "(?m)^RequestGPUs = 1$"),
                Map.entry(Resource.GPU_MODEL, "(?m)^RequireGPUs = DeviceName == \"a100\"$"),
                Map.entry(Resource.MEMORY_PER_SLOT, "(?m)^RequestMemory = 50$"),
                Map.entry(Resource.MEMORY, "(?m)^RequestMemory = 60$"),
                Map.entry(Resource.NODE_FEATURES, "Requirements = .*TARGET.fast is true"),
                Map.entry(Resource.HOSTS, "Requirements = .*member\\(TARGET.Machine, ?\\{ ?\"node1\" ?\\}\\)"),
                Map.entry(Resource.ARCHITECTURE, "Requirements = .*TARGET.Arch == \"x86_64\""),
                Map.entry(Resource.OPERATING_SYSTEM, "Requirements = .*TARGET.OpSys == \"Linux\""),
                Map.entry(Resource.MAIL, "(?m)^NotifyUser = \"nobody@example.org\"$"));
    }

    @Override
    String record(JobId tag) throws Exception {
        return HtcondorLab.run("condor_q", "-allusers", "-long", "-constraint", tagIs(tag))
                .out()
                .replace("=?=", "is")
                .replace("TARGET.fast is True", "TARGET.fast is true");
    }

    @Test
    void aJobThatHtcondorHoldsIsSuspendedAndGoesOnWhenItIsReleased() throws Exception {
        JobId tag = room.submit(room.waiting("exit 0"));
        room.awaitEvent(tag, Kind.STARTED);

        HtcondorLab.run("condor_hold", "-constraint", tagIs(tag));
        room.awaitEvent(tag, Kind.SUSPENDED);
        room.letGo();
        HtcondorLab.run("condor_release", "-constraint", tagIs(tag));

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        // of a job that needs a moment to end HTCondor tells first that it was taken off its machine
        List<Kind> told = List.of(Kind.QUEUED, Kind.STARTED, Kind.SUSPENDED, Kind.REQUEUED, Kind.STARTED, Kind.ENDED);
        List<Kind> takenOff = new ArrayList<>(told);
        takenOff.add(2, Kind.REQUEUED);
        assertThat(room.changes(tag)).isIn(told, takenOff);
    }

    @Test
    void aJobThatIsRemovedBehindOurBackIsCancelledWithTheReason() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "300"));
        room.awaitEvent(tag, Kind.STARTED);

        HtcondorLab.run("condor_rm", "-reason", "the admin needs the machine", "-constraint", tagIs(tag));

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.CANCELLED);
        assertThat(String.valueOf(end.evidence())).contains("the admin needs the machine");
    }

    @Test
    void aJobThatIsTakenOffItsMachineIsQueuedAgain() throws Exception {
        JobId tag = room.submit(room.sh("test -e second && exit 0; touch second; sleep 300"));
        room.awaitEvent(tag, Kind.STARTED);
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("second")));

        HtcondorLab.run("condor_vacate_job", "-fast", "-constraint", tagIs(tag));

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.kinds(tag)).contains(Kind.REQUEUED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\nexecutable = /bin/rm", "a\" + 1", "$(id)", "a;b", "a#b", "a b", "\\"})
    void aQueueOrProjectThatIsNoNameIsRefused(String name) {
        for (JobDescription.Builder description :
                List.of(room.job("/bin/true").queue(name), room.job("/bin/true").project(name))) {
            assertThat(room.trySubmit(room.newTag(), description, false))
                    .isInstanceOfSatisfying(
                            SubmitResult.Refused.class,
                            refused -> assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION));
        }
    }

    @Test
    void aQueueAndAProjectAreAttributesOfTheJob() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "300").queue("long").project("physics"));

        assertThat(attribute(tag, "JobgateQueue")).isEqualTo("long");
        assertThat(attribute(tag, "AcctGroup")).isEqualTo("physics");
    }

    private JobDescription.Builder with(String name, String value) {
        return room.job("/bin/sleep", "300")
                .extensions(List.of(new Extension("condorsubmit", Map.of("name", name), value, List.of())));
    }

    @Test
    void aSubmitLineThatTheSiteAllowsIsGiven() throws Exception {
        assertThat(attribute(room.submit(with("my.color", "\"blue green\"")), "Color"))
                .isEqualTo("blue green");
    }

    @Test
    void anyOtherSubmitLineIsRefused() {
        assertThat(room.trySubmit(room.newTag(), with("Requirements", "true"), false))
                .isInstanceOf(SubmitResult.Refused.class);
        assertThat(room.trySubmit(room.newTag(), with("Rank", "1\nexecutable = /bin/rm"), false))
                .isInstanceOf(SubmitResult.Refused.class);
        assertThat(room.trySubmit(room.newTag(), with("Rank", "$(HOME)"), false))
                .isInstanceOf(SubmitResult.Refused.class);
        assertThat(room.trySubmit(room.newTag(), with("Rank", "1 \\"), false)).isInstanceOf(SubmitResult.Refused.class);
    }

    @Test
    void whatHtcondorRefusesIsRefusedWithItsWords() {
        assertThat(room.trySubmit(room.newTag(), with("Rank", "1 +"), false))
                .isInstanceOfSatisfying(SubmitResult.Refused.class, refused -> {
                    assertThat(refused.fault().code()).isEqualTo(FaultCode.LRM_REFUSED);
                    assertThat(refused.fault().sentence()).contains("Parse error");
                });
    }

    @Test
    void memoryIsAskedForAndAJobOfHtcondorsKindRuns() throws Exception {
        JobId tag = room.submit(room.waiting("exit 0")
                .jobType(JobType.CONDOR)
                .minMemoryMiB(100L)
                .maxMemoryMiB(200L));

        assertThat(attribute(tag, "RequestMemory")).isEqualTo("200");
        room.letGo();
        assertThat(room.awaitEnd(tag).exitCode()).isZero();
    }

    @Test
    void aJobThatUsesTooMuchMemoryIsEnded() {
        LrmEvent.End end = room.run(room.job(
                        "/usr/bin/perl",
                        "-e",
                        "$x = 'x' x 2e8; substr($x, $_ * 4096, 1) = 'y' for 0 .. 40000; sleep 300")
                .maxMemoryMiB(64L));

        assertThat(end.cause()).isEqualTo(Cause.MEMORY);
    }

    @Test
    void aJobThatIsOverItsProcessorTimeIsEndedByTheSignal() {
        LrmEvent.End end = room.run(room.sh("while :; do :; done").maxCpuTime(Duration.ofSeconds(1)));

        assertThat(end.cause()).isEqualTo(Cause.SIGNALLED);
        assertThat(end.signal()).isEqualTo(24);
    }

    /** As when a submission was made twice: only what has the job first runs it, and only its end is told. */
    @Test
    void aJobThatHtcondorHasTwiceRunsOnce() throws Exception {
        JobId tag = room.submit(room.sh("echo ran >> ran; " + ContractRoom.until("go") + "; exit 3"));
        room.awaitEvent(tag, Kind.STARTED);
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("ran")));
        String first = attribute(tag, "ClusterId");
        Path again = room.write(
                "again",
                HtcondorLab.runAs(
                                HtcondorLab.ACCOUNT,
                                "condor_q",
                                "-constraint",
                                tagIs(tag),
                                "-af",
                                "Arguments",
                                "UserLog")
                        .out()
                        .strip()
                        .replaceAll(
                                "(?s)^(.* )[0-9]+ (\\S+)$",
                                "executable = /usr/bin/perl\narguments = $1\\$(ClusterId)\nlog = $2\n"
                                        + "initialdir = /tmp\nshould_transfer_files = NO\ninput = /dev/null\ntransfer_executable = false\n"
                                        + "job_ad_information_attrs = JobgateId, JobgateProcess, JobgateCount\n"
                                        + "My.JobgateId = \"" + tag
                                        + "\"\nMy.JobgateProcess = 0\nMy.JobgateCount = 1\nqueue\n"));
        HtcondorLab.Answer second = HtcondorLab.runAs(HtcondorLab.ACCOUNT, "condor_submit", "-terse", again.toString());
        assertThat(second.exit()).as(second.out()).isZero();
        await().atMost(ContractRoom.PATIENCE)
                .until(() -> attribute(tag, "ClusterId").lines().allMatch(first::equals));
        room.letGo();

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(3);
        assertThat(room.read("ran")).isEqualTo("ran\n");
        assertThat(room.kinds(tag).stream().filter(kind -> kind == Kind.ENDED)).hasSize(1);
    }

    /** If the log is removed, HTCondor is asked for jobs that the log no longer shows. */
    @Test
    void theEndIsToldThoughTheEventLogWasRemoved() throws Exception {
        Map<String, String> options = new HashMap<>(HtcondorLab.settings().options());
        options.put("reconcile_interval", "2");
        try (ContractRoom other =
                new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings().withOptions(options))) {
            JobId one = other.submit(other.sh("sleep 3; exit 4"));
            JobId many = other.submit(other.sh("sleep 3; exit 5").count(2));
            other.awaitEvent(one, Kind.STARTED);
            Path log = other.directory.resolve("spool/events.000001.log");
            for (int i = 0;
                    i < 40 && (other.kinds(one).size() + other.kinds(many).size()) < 10;
                    i++) {
                Files.deleteIfExists(log); // each time that HTCondor makes it anew
                TimeUnit.MILLISECONDS.sleep(100);
            }

            assertThat(other.awaitEnd(one).exitCode()).isEqualTo(4);
            assertThat(other.awaitEnd(many).exitCode()).isEqualTo(5);
        }
    }

    /** Without a pool nothing is known: jobs wait. */
    @Test
    void aPoolThatDoesNotAnswerRefusesNothing() throws Exception {
        Path config = room.write("no-pool", "LOCAL_CONFIG_FILE =\nCOLLECTOR_HOST = 127.0.0.1:1\nLOG = /tmp\n");
        Map<String, String> options = new HashMap<>(HtcondorLab.settings().options());
        options.put("condor_config", config.toString());
        try (ContractRoom away =
                new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings().withOptions(options))) {
            assertThat(away.trySubmit(away.newTag(), away.job("/bin/true"), false))
                    .isInstanceOf(SubmitResult.Unclear.class);
            assertThat(away.lrm().health().why()).isNotNull();
        }
    }

    /** The worker dies while condor_submit is at work, before and after it has reached the schedd. */
    @ParameterizedTest
    @ValueSource(strings = {"touch BEGUN; WAIT; exec REAL \"$@\"", "REAL \"$@\"; touch BEGUN; WAIT"})
    void aWorkerThatDiesWhileItSubmitsLeavesOneJob(String script) throws Exception {
        Path bin = Files.createDirectory(room.directory.resolve("bin"));
        for (String name : List.of("condor_q", "condor_rm", "condor_history")) {
            Files.createSymbolicLink(bin.resolve(name), HtcondorLab.BIN.resolve(name));
        }
        Path slow = Files.writeString(
                bin.resolve("condor_submit"),
                "#!/bin/sh\n"
                        + script.replace(
                                        "REAL",
                                        HtcondorLab.BIN.resolve("condor_submit").toString())
                                .replace("BEGUN", room.work + "/begun")
                                .replace("WAIT", ContractRoom.until(room.work.resolve("go")))
                        + "\n");
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> options = new HashMap<>(HtcondorLab.settings().options());
        options.put("condor_bin", bin.toString());
        try (ContractRoom slowRoom =
                new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings().withOptions(options))) {
            JobId tag = slowRoom.newTag();
            JobDescription.Builder description = slowRoom.job("/bin/sleep", "300");
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

            assertThat(attribute(tag, "ClusterId").lines()).hasSize(1);
        }
    }
}
