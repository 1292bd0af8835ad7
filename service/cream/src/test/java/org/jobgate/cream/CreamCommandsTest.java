// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.cream.CreamRoom.ALICE;
import static org.jobgate.cream.CreamRoom.BOB;
import static org.jobgate.cream.CreamRoom.id;
import static org.jobgate.cream.CreamRoom.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jobgate.authz.Action;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.ResourceUse;
import org.jobgate.job.TransferList;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and how their ends are told; suspended jobs; jobs whose files cannot be had; what the door does by itself. */
class CreamCommandsTest {

    private static final String JDL = "[Executable=\"/bin/echo\";BatchSystem=\"fork\";QueueName=\"any\"]";
    private static final String WITH_FILES =
            "[Executable=\"run.sh\";InputSandbox={\"/x/run.sh\"};BatchSystem=\"fork\";QueueName=\"any\"]";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private CreamRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new CreamRoom(directory, CreamRoom.settings());
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private void awaitState(String id, String state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(room.state(ALICE, id)).isEqualTo(state));
    }

    private XmlElement info(String id) {
        return room.ask(ALICE, "JobInfoRequest", id(id))
                .children()
                .getFirst()
                .child("jobInfo")
                .orElseThrow();
    }

    private List<String> commands(String id) {
        return info(id).children().stream()
                .filter(child -> child.localName().equals("lastCommand"))
                .map(command -> command.child("name").orElseThrow().text() + " "
                        + command.child("status").orElseThrow().text())
                .toList();
    }

    private List<String> states(String id) {
        return info(id).children().stream()
                .filter(child -> child.localName().equals("status"))
                .map(status -> status.child("name").orElseThrow().text())
                .toList();
    }

    private XmlElement result(String operation, String id) {
        return room.ask(ALICE, operation + "Request", id(id)).children().getFirst();
    }

    @Test
    void aJobIsSuspendedAndResumedAndBothEndsAreTold() {
        String id = room.register(ALICE, JDL, "");
        awaitState(id, "IDLE");
        JobId job = room.jobOf(id);

        assertThat(result("JobResume", id).child("JobStatusInvalidFault")).isPresent();
        assertThat(result("JobSuspend", id).children()).hasSize(1);
        room.lrm.tell(job, LrmEvent.Kind.SUSPENDED);
        awaitState(id, "HELD");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(commands(id)).endsWith("JOB_SUSPEND SUCCESSFULL"));
        assertThat(result("JobResume", id).children()).hasSize(1);
        assertThat(commands(id)).hasSize(4);
        assertThat(result("JobCancel", id).children()).hasSize(1);
        awaitState(id, "CANCELLED");
        assertThat(commands(id)).hasSize(5).endsWith("JOB_CANCEL SUCCESSFULL");
    }

    @Test
    void whereAJobRanIsToldWhenItIsOver() {
        String id = room.register(ALICE, JDL, "");
        awaitState(id, "IDLE");
        room.lrm.start(room.jobOf(id));
        awaitState(id, "REALLY-RUNNING");
        assertThat(text(info(id))).contains("<types:workerNode>N/A<");
        ResourceUse used = new ResourceUse(
                null, null, null, null, 2, List.of("wn7.example.org", "wn8.example.org"), null, ResourceUse.Source.LRM);
        room.lrm.end(room.jobOf(id), new LrmEvent.End(LrmEvent.Cause.EXITED, 0, null, null, null, null, used));

        awaitState(id, "DONE-OK");
        assertThat(text(info(id))).contains("<types:workerNode>wn7.example.org wn8.example.org<");
    }

    /** CREAM's clients see a held job as HELD, in whatever way it was held. */
    @Test
    void aJobThatItsOwnerHoldsAtAnotherDoorIsResumed() {
        String id = room.register(ALICE, JDL, "<autoStart>false</autoStart>");
        JobId job = room.jobOf(id);
        room.engine.hold(ALICE, job, JobState.PENDING);
        awaitState(id, "HELD");

        assertThat(states(id)).containsExactly("REGISTERED", "HELD");
        assertThat(result("JobResume", id).children()).hasSize(1);

        awaitState(id, "IDLE");
        assertThat(states(id)).containsExactly("REGISTERED", "HELD", "PENDING", "IDLE");
        assertThat(commands(id)).endsWith("JOB_RESUME SUCCESSFULL");
        assertThat(result("JobResume", id).child("JobStatusInvalidFault")).isPresent();
    }

    @Test
    void anLrmThatCannotSuspendSaysSoInTheAnswerAndInTheHistory() {
        room.lrm.suspendsIn();
        String id = room.register(ALICE, JDL, "");
        awaitState(id, "IDLE");

        assertThat(text(result("JobSuspend", id))).contains("GenericFault").contains("cannot suspend");
        assertThat(commands(id)).endsWith("JOB_SUSPEND ERROR");
    }

    @Test
    void aJobWhoseFilesCannotBeHadIsAbortedWithTheReasonAndItsStartFailed() {
        room.files.failInput(Fault.of(FaultCode.STAGING_FAILED, "Staging failed, there is no run.sh.", "Bring it.")
                .during(JobState.STAGE_IN));
        String id = room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>");
        awaitState(id, "REGISTERED");
        room.ask(ALICE, "JobStartRequest", id(id));

        awaitState(id, "ABORTED");
        assertThat(text(info(id))).contains("Cannot move ISB (Staging failed, there is no run.sh.)");
        assertThat(commands(id)).containsExactly("JOB_REGISTER SUCCESSFULL", "JOB_START ERROR");
    }

    /** The directory of the job must be there after it, for what the client fetches; it goes with the purge. */
    @Test
    void theSandboxIsNotRemovedBeforeThePurge() {
        String id = room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>");
        JobId job = room.jobOf(id);
        String work = "/home/account/.jobgate/cream/" + id;

        var description = room.store.description(job).orElseThrow();
        assertThat(description.directory()).isEqualTo(work);
        assertThat(description.executable()).isEqualTo(work + "/run.sh");
        assertThat(description.transfers().cleanUp()).isEmpty();
        assertThat(description.transfers().stageIn())
                .extracting(copy -> copy.source() + " " + copy.destination())
                .containsExactly("file://" + work + "/ISB/run.sh file://" + work + "/run.sh");
        assertThat(description.environment())
                .anyMatch(variable -> variable.name().equals("CREAM_JOBID")
                        && variable.value().endsWith("/" + id))
                .as("the host of the computing element")
                .anyMatch(variable -> variable.name().equals("GLITE_WMS_LOG_DESTINATION")
                        && room.url().contains("://" + variable.value() + ":"));
    }

    @Test
    void oneJobThatCannotBePurgedKeepsNoOtherFromIt() throws Exception {
        room.close();
        room = new CreamRoom(directory, CreamRoom.keeping("REGISTERED", Duration.ofMillis(1)));
        String first = room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>");
        String second = room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>");
        awaitState(first, "REGISTERED");
        awaitState(second, "REGISTERED");
        room.directories.broken.set(first);

        room.purgeOld();
        assertThat(room.directories.made()).isNotEmpty().allMatch(path -> path.contains(first));
        room.directories.broken.set("");
        room.purgeOld();
        assertThat(room.directories.made()).isEmpty();
    }

    /** Each try may take as long as a file system is waited for. */
    @Test
    void anAccountWhoseFilesCannotBeReachedIsTriedOnceInARoundAndKeepsNobodyWaiting() throws Exception {
        room.close();
        room = new CreamRoom(directory, CreamRoom.keeping("REGISTERED", Duration.ofMillis(1)));
        room.accounts.put(BOB, "bob");
        for (int i = 0; i < 3; i++) {
            awaitState(room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>"), "REGISTERED");
        }
        room.register(BOB, WITH_FILES, "<autoStart>false</autoStart>");
        Thread.sleep(5);
        room.directories.away.set("account");

        room.purgeOld();

        assertThat(room.directories.triesInVain).hasValue(1);
        assertThat(room.directories.made()).isNotEmpty().allMatch(path -> path.startsWith("account:"));
        room.directories.away.set("");
        room.purgeOld();
        assertThat(room.directories.made()).isEmpty();
    }

    /** Its directory stays until the purge, whatever its home is called: the client fetches output after the end. */
    @Test
    void aJobDoesNotRemoveItsSandboxAtItsEnd() {
        room.homes.set("/home/our users/");
        String id = room.register(
                ALICE,
                "[Executable=\"/bin/echo\";StdOutput=\"o\";OutputSandbox={\"o\"};OutputSandboxBaseDestURI=\"gsiftp://localhost\";BatchSystem=\"fork\"]",
                "<autoStart>false</autoStart>");
        TransferList files =
                room.store.description(room.jobOf(id)).orElseThrow().transfers();

        assertThat(files.cleanUp()).isEmpty();
        assertThat(files.stageIn()).isEmpty();
        assertThat(files.stageOut().getFirst().destination())
                .isEqualTo("file:///home/our%20users/account/.jobgate/cream/" + id + "/OSB/o");
    }

    /** CREAM's own command line brings and fetches files by gsiftp only. */
    @Test
    void whereAFileServerOfTheSiteHasTheSandboxClientsAreSentThere() {
        room.fileServer.set("gsiftp://door.example.org/export/");
        XmlElement jobId = room.registered(ALICE, WITH_FILES, "<autoStart>false</autoStart>")
                .child("jobId")
                .orElseThrow();
        String id = jobId.child("id").orElseThrow().text();
        String sandbox = "gsiftp://door.example.org/export/Fork/account/.jobgate/cream/" + id;

        assertThat(CreamRoom.property(jobId, "CREAMInputSandboxURI")).isEqualTo(sandbox + "/ISB");
        assertThat(CreamRoom.property(jobId, "CREAMOutputSandboxURI")).isEqualTo(sandbox + "/OSB");
        assertThat(room.directories.made()).contains("account:/home/account/.jobgate/cream/" + id + "/ISB");
        assertThat(text(info(id))).contains(sandbox + "/ISB", sandbox + "/OSB");
        room.fileServer.set("");
        assertThat(text(info(id))).doesNotContain("gsiftp:").contains("/jobs/" + room.jobOf(id) + "/files/ISB");
    }

    /** One request may name ten thousand jobs, and a description be as long as a request: together they would fill the memory. */
    @Test
    void descriptionsAreReadOnlyWhereTheyAreToldAndOneAnswerHoldsABoundedAmount() {
        String jdl = "# " + "x".repeat(100_000) + "\n" + JDL;
        String id = room.register(ALICE, jdl, "<autoStart>false</autoStart>");
        String[] often = new String[400];
        Arrays.fill(often, id);

        assertThat(room.store.findRecord(JobBook.KIND, id).orElseThrow().body().length())
                .isLessThan(1_000);
        assertThat(info(id).child("JDL").orElseThrow().text()).isEqualTo(jdl);
        assertThat(room.ask(ALICE, "JobStatusRequest", id(often)).children()).hasSize(400);
        assertThat(text(room.refused(ALICE, "JobInfoRequest", id(often)))).contains("Ask for fewer jobs at once");
    }

    /** The policy is asked before anything is touched, not only by the core, which learns of an order late or not at all. */
    @Test
    void whoMayOnlyLookAtJobsChangesNothingOfThem() {
        String id = room.register(ALICE, WITH_FILES, "<autoStart>false</autoStart>");
        List<String> before = commands(id);
        room.objections.add(Action.MANAGE);

        for (String order : List.of("JobPurge", "JobCancel", "JobStart")) {
            assertThat(room.refused(ALICE, order + "Request", id(id)).localName())
                    .as(order)
                    .isEqualTo("AuthorizationFault");
        }
        assertThat(room.refused(ALICE, "JobSetLeaseIdRequest", "<jobFilter>" + id(id) + "</jobFilter>")
                        .localName())
                .isEqualTo("AuthorizationFault");
        assertThat(room.directories.made()).anyMatch(entry -> entry.endsWith(id + "/ISB"));
        assertThat(commands(id)).isEqualTo(before);
        assertThat(room.state(ALICE, id)).isEqualTo("REGISTERED");
    }

    @Test
    void jobsAreOnlyPurgedByThemselvesWhenTheirTimeIsOver() throws Exception {
        room.close();
        room = new CreamRoom(directory, CreamRoom.keeping("DONE-OK", Duration.ofMillis(1)));
        String done = room.register(ALICE, JDL, "");
        String waits = room.register(ALICE, JDL, "");
        awaitState(done, "IDLE");
        JobId job = room.jobOf(done);
        room.lrm.start(job);
        room.lrm.end(job, 0);
        awaitState(done, "DONE-OK");
        Thread.sleep(5);

        room.purgeOld();

        assertThat(room.state(ALICE, done)).contains("JobUnknownFault");
        assertThat(room.directories.made()).noneMatch(path -> path.contains(done));
        awaitState(waits, "IDLE");
    }

    @Test
    void theHistoryOfCommandsIsBounded() {
        room.lrm.suspendsIn();
        String id = room.register(ALICE, JDL, "");
        awaitState(id, "IDLE");
        for (int i = 0; i < CommandLog.MOST + 10; i++) {
            result("JobSuspend", id);
        }

        assertThat(commands(id)).hasSizeBetween(CommandLog.MOST, CommandLog.MOST + 3);
    }
}
