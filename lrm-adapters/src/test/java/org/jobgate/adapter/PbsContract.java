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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A PBS keeps the contract, as far as its stand-in is one; and what is its own. A class for each dialect gives the stand-in. */
abstract class PbsContract extends LrmContract {

    abstract PbsStandin pbs();

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(PbsStandin.ACCOUNT, pbs().settings());
    }

    /** Only operators suspend jobs that run. */
    @Override
    Set<JobState> canSuspend() {
        return Set.of(JobState.PENDING);
    }

    @Override
    Optional<JobDescription.Builder> waitingJob() {
        return Optional.of(room.job("/bin/true").queue("stopped"));
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        boolean isTorque = pbs().dialect.equals("torque");
        Map<Resource, String> shown = new EnumMap<>(Resource.class);
        shown.put(Resource.SLOTS, isTorque ? "nodes=1:ppn=2" : "select=1:ncpus=2");
        shown.put(Resource.SLOTS_PER_HOST, isTorque ? "nodes=1:ppn=2" : "select=1:ncpus=2:mpiprocs=2");
        shown.put(
                Resource.THREADS_PER_PROCESS, isTorque ? "nodes=1:ppn=2" : "select=1:ncpus=2:mpiprocs=1:ompthreads=2");
        shown.put(Resource.GPUS, isTorque ? "nodes=1:ppn=1:gpus=1" : "select=1:ncpus=1:mpiprocs=1:ngpus=1");
        shown.put(Resource.MEMORY_PER_SLOT, isTorque ? "pmem=50mb" : "select=1:ncpus=1:mpiprocs=1:mem=50mb");
        shown.put(Resource.MEMORY, isTorque ? "Resource_List.mem=60mb" : "select=1:ncpus=1:mpiprocs=1:mem=60mb");
        shown.put(Resource.HOSTS, isTorque ? "nodes=node1:ppn=1" : "select=1:host=node1:ncpus=1");
        shown.put(Resource.MAIL, "Mail_Points=ea");
        if (isTorque) {
            shown.put(Resource.GPU_MODE, "nodes=1:ppn=1:gpus=1:shared");
            shown.put(Resource.NODE_FEATURES, "nodes=1:ppn=1:fast");
        } else {
            shown.put(Resource.WHOLE_NODES, "place=excl");
        }
        return shown;
    }

    @Override
    String record(JobId tag) throws Exception {
        return pbs().attributes(queued(tag)).entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private String started(JobId tag) {
        return room.awaitEvent(tag, Kind.STARTED).localIds().getFirst();
    }

    private String queued(JobId tag) {
        return room.awaitEvent(tag, Kind.QUEUED).localIds().getFirst();
    }

    /** With a stand-in of its own, and most of the time it waits: beside the other tests of the class. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theAdapterKeepsItsOwnTests() throws Exception {
        PerlTests.run("pbs-adapter.t", pbs().dialect);
    }

    @Test
    void theStandInServesOnWhenACommandIsKilledInTheMiddleOfItsRequest() throws Exception {
        pbs().leaveInTheMiddle();

        assertThat(pbs().run("qstat").exit()).isZero();
    }

    @Test
    void aJobThatIsHeldIsSuspendedAndGoesOnWhenItIsReleased() throws Exception {
        JobId tag = room.submit(room.job("/bin/true").queue("stopped"));
        pbs().run("qhold", queued(tag));
        room.awaitEvent(tag, Kind.SUSPENDED);

        pbs().run("qrls", queued(tag));

        room.awaitEvent(tag, Kind.REQUEUED);
    }

    @Test
    void aJobThatIsSuspendedGoesOn() throws Exception {
        JobId tag = room.submit(room.waiting("exit 0"));
        String id = started(tag);
        pbs().run("qsig", "-s", "suspend", id);
        room.awaitEvent(tag, Kind.SUSPENDED);

        pbs().run("qsig", "-s", "resume", id);
        room.letGo();

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.kinds(tag)).contains(Kind.SUSPENDED);
    }

    @Test
    void aJobThatIsDeletedBehindOurBackIsCancelled() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "300"));

        pbs().run("qdel", started(tag));

        LrmEvent.End end = room.awaitEnd(tag);
        assertThat(end.cause()).isEqualTo(Cause.CANCELLED);
        assertThat(String.valueOf(end.evidence())).contains("exit_status = 271");
    }

    @Test
    void aJobThatIsRunAgainIsQueuedAgain() throws Exception {
        JobId tag = room.submit(room.sh("test -e second && exit 4; touch second; sleep 300"));
        String id = started(tag);
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(room.work.resolve("second")));

        pbs().run("qrerun", id);

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(4);
    }

    @Test
    void aJobWhoseNodeIsLostFailsWithIt() throws Exception {
        try (ContractRoom once = new ContractRoom(PbsStandin.ACCOUNT, pbs().with(Map.of("rerunnable", "n")))) {
            JobId tag = once.submit(once.job("/bin/sleep", "300"));

            pbs().control(
                            "lose-node",
                            once.awaitEvent(tag, Kind.STARTED).localIds().getFirst());

            assertThat(once.awaitEnd(tag).cause()).isEqualTo(Cause.NODE_FAILED);
        }
    }

    @Test
    void aJobThatUsesTooMuchMemoryIsEnded() {
        LrmEvent.End end = room.run(
                room.job("/usr/bin/perl", "-e", "$x = 'x' x 2e8; sleep 300").maxMemoryMiB(64L));

        assertThat(end.cause()).isEqualTo(Cause.MEMORY);
    }

    @Test
    void whatIsAskedForIsThere() throws Exception {
        JobId tag = room.submit(room.job("/bin/sleep", "300")
                .queue("long")
                .project("physics")
                .count(4)
                .hostCount(2)
                .jobType(JobType.SINGLE)
                .maxWallTime(Duration.ofMinutes(90))
                .minMemoryMiB(100L));
        JobId many = room.submit(room.job("/bin/sleep", "300").count(3));

        Map<String, String> is = pbs().attributes(started(tag));

        boolean isTorque = pbs().dialect.equals("torque");
        assertThat(is)
                .containsEntry("queue", "long")
                .containsEntry("Resource_List.walltime", "01:30:00")
                .containsEntry(isTorque ? "Account_Name" : "project", "physics")
                .containsEntry("Job_Owner", PbsStandin.ACCOUNT + "@pbs1.lab.example");
        assertThat(is.get("Variable_List")).contains("JOBGATE_TAG=" + tag);
        assertThat(pbs().attributes(started(many)))
                .containsEntry(
                        isTorque ? "Resource_List.nodes" : "Resource_List.select",
                        isTorque ? "1:ppn=3" : "1:ncpus=3:mpiprocs=3");
    }

    @Test
    void processesOnManyHostsAreStartedThere() throws Exception {
        JobId tag = room.submit(
                room.sh("echo one; test $PBS_JOBNAME").count(4).hostCount(2).stdout("out"));

        assertThat(room.awaitEnd(tag).exitCode()).isZero();
        assertThat(room.read("out")).isEqualTo("one\none\none\none\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n#PBS -q long", "a\" + 1", "$(id)", "`id`", "a;b", "a#b", "a b", "\\", "-q", "a,b"})
    void aQueueProjectOrResourceThatIsNoNameIsRefused(String name) {
        Extension nodes = new Extension("nodes", Map.of(), name, List.of());
        for (JobDescription.Builder description : List.of(
                room.job("/bin/true").queue(name),
                room.job("/bin/true").project(name),
                room.job("/bin/true").extensions(List.of(nodes)))) {
            assertThat(room.trySubmit(room.newTag(), description, false))
                    .isInstanceOfSatisfying(
                            SubmitResult.Refused.class,
                            refused -> assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION));
        }
    }

    @Test
    void aResourceThatTheSiteListsIsGivenAndAnyOtherIsRefused() throws Exception {
        JobDescription.Builder listed = room.job("/bin/sleep", "300")
                .extensions(List.of(new Extension("pbs", Map.of("name", "software"), "gauss", List.of())));
        JobDescription.Builder other = room.job("/bin/true")
                .extensions(List.of(new Extension("pbs", Map.of("name", "nice"), "-20", List.of())));

        assertThat(pbs().attributes(started(room.submit(listed)))).containsEntry("Resource_List.software", "gauss");
        assertThat(room.trySubmit(room.newTag(), other, false)).isInstanceOf(SubmitResult.Refused.class);
    }

    private void assertRefused(JobDescription.Builder description, String words) {
        assertThat(room.trySubmit(room.newTag(), description, false))
                .isInstanceOfSatisfying(SubmitResult.Refused.class, refused -> {
                    assertThat(refused.fault().code()).isEqualTo(FaultCode.LRM_REFUSED);
                    assertThat(refused.fault().sentence()).contains(words);
                });
    }

    @Test
    void whatPbsRefusesIsRefusedWithItsWords() {
        assertRefused(room.job("/bin/true").queue("nix"), "queue");
        assertRefused(room.job("/bin/true").queue("short").maxWallTime(Duration.ofHours(1)), "queue");
        assertRefused(room.job("/bin/true").queue("hooked"), "Please name a project that has hours left");
    }

    /** TORQUE's server refuses it; OpenPBS's takes it, and its scheduler says why it never runs. */
    @Test
    void aJobThatIsTooLargeIsRefusedOrItsOwnerIsToldWhyItNeverRuns() {
        JobDescription.Builder large = room.job("/bin/true").count(1000);
        if (pbs().dialect.equals("torque")) {
            assertRefused(large, "queue");
            return;
        }
        JobId tag = room.submit(large);
        await().atMost(ContractRoom.PATIENCE)
                .untilAsserted(() -> assertThat(notes(tag))
                        .anySatisfy(note ->
                                assertThat(note).contains("Can Never Run: Insufficient amount of resource: ncpus")));
    }

    private List<String> notes(JobId tag) {
        return room.events.stream()
                .filter(event -> event.tag().equals(tag) && event.note() != null)
                .map(event -> String.valueOf(event.note()))
                .toList();
    }

    @Test
    void theOwnerIsToldWhyHisJobWaits() {
        JobId tag = room.submit(room.job("/bin/true").queue("stopped"));

        await().atMost(ContractRoom.PATIENCE)
                .untilAsserted(() -> assertThat(notes(tag))
                        .contains("PBS: Not Running: Queue not started (told by the account " + PbsStandin.ACCOUNT
                                + ")."));
    }

    /** PBS prints the values of everybody's jobs as they are: lines in them look like jobs. */
    @Test
    void whatAnothersEnvironmentWritesIntoTheListingHarmsNobody() throws Exception {
        JobId living = room.submit(room.sh(ContractRoom.until("go") + "; exit 3"));
        String id = started(living);
        String forged = "EVIL=x\n\nJob Id: " + id + "\n    Job_Name = x\n    Job_Owner = " + PbsStandin.ACCOUNT
                + "@x\n    job_state = H\n    Variable_List = JOBGATE_TAG=" + living;
        Path script = room.write("sleeper", "#!/bin/sh\nexec sleep 300\n");
        for (String value : List.of(forged, "EVIL=x\nJob Id: no id at all\n    JOBGATE_TAG=1")) {
            assertThat(pbs().run("qsub", "-q", "stopped", "-v", value, script.toString())
                            .exit())
                    .isZero();
        }

        assertThat(room.awaitEnd(room.submit(room.sh("exit 4"))).exitCode()).isEqualTo(4);
        room.write("go", "");

        assertThat(room.awaitEnd(living).exitCode()).isEqualTo(3);
        assertThat(room.kinds(living)).doesNotContain(Kind.SUSPENDED);
    }

    @Test
    void jobsThatEndTogetherEndEachInItsOwnWay() {
        List<JobId> tags = IntStream.range(0, 5)
                .mapToObj(code -> room.submit(room.sh("exit " + code)))
                .toList();

        assertThat(tags).extracting(tag -> room.awaitEnd(tag).exitCode()).containsExactly(0, 1, 2, 3, 4);
    }

    /** What a login shell may print, its umask and its locale do no harm. */
    @Test
    void aNoisyShellDoesNoHarm() throws Exception {
        Path shell = room.write(
                "noisy",
                "#!/bin/sh\necho noise; echo noise >&2; umask 000; LANG=xx; export LANG; exec /bin/sh \"$@\"\n");
        Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ContractRoom noisy = new ContractRoom(PbsStandin.ACCOUNT, pbs().with(Map.of("shell", shell.toString())))) {
            assertThat(noisy.run(noisy.sh("umask; echo $LANG").stdout("out")).exitCode())
                    .isZero();
            assertThat(noisy.read("out")).isEqualTo("0077\nC.UTF-8\n");
        }
    }

    @Test
    void aServerThatDoesNotAnswerRefusesNothing() throws Exception {
        JobId living = room.submit(room.sh(ContractRoom.until("go") + "; exit 6"));
        started(living);
        pbs().control("set", "away", "1");
        try {
            assertThat(room.trySubmit(room.newTag(), room.job("/bin/true"), false))
                    .isInstanceOf(SubmitResult.Unclear.class);
            await().atMost(ContractRoom.PATIENCE)
                    .untilAsserted(() -> assertThat(room.lrm().health().why()).isNotNull());
            room.write("go", "");
            assertThat(room.kinds(living)).doesNotContain(Kind.ENDED);
        } finally {
            pbs().control("set", "away", "0");
        }
        assertThat(room.awaitEnd(living).exitCode()).isEqualTo(6);
    }

    /** The worker dies while qsub is at work. */
    @Test
    void aWorkerThatDiesWhileItSubmitsLeavesOneJob() throws Exception {
        JobId tag = room.newTag();
        JobDescription.Builder description = room.sh("echo ran >> ran; exit 7");
        room.run(room.job("/bin/true"));
        pbs().control("set", "submit_delay", "2");
        CompletableFuture<SubmitResult> first =
                CompletableFuture.supplyAsync(() -> room.trySubmit(tag, description, false));
        await().atMost(ContractRoom.PATIENCE)
                .until(() -> ProcessHandle.allProcesses()
                        .anyMatch(process -> LrmRoom.commandLine(process.pid()).contains("JOBGATE_TAG=" + tag)));
        room.workers().forEach(ProcessHandle::destroyForcibly);
        assertThat(first.get()).isInstanceOf(SubmitResult.Unclear.class);
        pbs().control("set", "submit_delay", "0");

        await().atMost(ContractRoom.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() ->
                        assertThat(room.trySubmit(tag, description, true)).isInstanceOf(SubmitResult.Accepted.class));

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(7);
        assertThat(room.read("ran")).isEqualTo("ran\n");
    }
}
