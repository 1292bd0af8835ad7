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
import java.time.Instant;
import java.util.List;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are wrong or hostile: each is answered for itself, and changes nothing. */
class CreamBadInputTest {

    private static final String JDL = "[Executable=\"/bin/echo\";BatchSystem=\"fork\";QueueName=\"any\"]";
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

    private static String described(String jdl) {
        return "<jobDescriptionList><JDL>" + jdl + "</JDL></jobDescriptionList>";
    }

    private XmlElement result(String operation, String id) {
        return room.ask(ALICE, operation + "Request", id(id)).children().getFirst();
    }

    /** ICE and scripts know these words: the job may be taken later, and has not failed. */
    @Test
    void jobsForWhichThereIsNoRoomAtPresentAreToComeLater() throws Exception {
        room.limits = JobLimits.defaults().with(new Limit("limits.maxLiveJobsPerOwner", 2));
        room.restart();

        List<XmlElement> results =
                room.ask(ALICE, "JobRegisterRequest", described(JDL).repeat(3)).children();

        assertThat(results.get(1).child("jobId")).isPresent();
        XmlElement fault = results.get(2).child("GenericFault").orElseThrow();
        assertThat(fault.child("Description").orElseThrow().text())
                .isEqualTo("The CREAM service cannot accept jobs at the moment");
        assertThat(fault.child("FaultCause").orElseThrow().text()).contains("limits.maxLiveJobsPerOwner = 2");
        XmlElement whole = room.refused(ALICE, "JobRegisterRequest", described(JDL));
        assertThat(whole.localName()).isEqualTo("JobSubmissionDisabledFault");
        assertThat(room.ask(BOB, "JobRegisterRequest", described(JDL))
                        .children()
                        .getFirst()
                        .child("jobId"))
                .as("of another owner")
                .isPresent();
    }

    /** Bombs are refused in their own place, and the good job between them is taken. */
    @Test
    void descriptionsThatAreBombsAreRefusedEachForItself() {
        List<String> bombs = List.of(
                "[a=" + "{".repeat(50_000),
                "[Executable=\"" + "x".repeat(100_000) + "\"",
                "[Executable=\"/bin/echo\";Arguments=\"" + "x".repeat(100_000),
                "[Executable=\"/bin/echo\";InputSandbox={" + "\"/x\",".repeat(10_000) + "\"/y\"}]",
                "[Executable=\"/bin/echo\";InputSandbox={\"/a/x\",\"/b/x\"}]",
                "[Executable=\"/bin/echo\";Executable=\"/bin/false\"]",
                "[Executable=\"/bin/*\"]",
                "");
        StringBuilder request = new StringBuilder();
        bombs.forEach(bomb -> request.append(described(bomb)));
        request.append(described(JDL));

        List<XmlElement> results =
                room.ask(ALICE, "JobRegisterRequest", request.toString()).children();

        assertThat(results).hasSize(bombs.size() + 1);
        for (int i = 0; i < bombs.size(); i++) {
            assertThat(results.get(i).child("GenericFault"))
                    .as("bomb " + i + ": " + text(results.get(i)))
                    .isPresent();
            assertThat(text(results.get(i))).hasSizeLessThan(3_000);
        }
        assertThat(results.getLast().child("jobId")).isPresent();
        assertThat(room.ask(ALICE, "JobListRequest", "").children()).hasSize(1);
        assertThat(room.directories.made()).hasSize(1);
    }

    /** Longer ones than any text of a request may be do not come as far as the reader of descriptions. */
    @Test
    void aDescriptionThatIsTooLongForARequestIsRefusedByTheLimit() {
        String bomb = described("[Executable=\"" + "x".repeat(1_000_000) + "\"");

        assertThat(text(room.refused(ALICE, "JobRegisterRequest", bomb + described(JDL))))
                .contains("InvalidArgumentFault", "gram.maxXmlTextCharacters");
        assertThat(room.ask(ALICE, "JobListRequest", "").children()).isEmpty();
    }

    @Test
    void delegationsAndLeasesOfOthersAreAsIfTheyWereNotThere() {
        room.ask(
                BOB,
                "setLeaseRequest",
                "<leaseId>bobs</leaseId><leaseTime>" + Instant.now().plusSeconds(3_600) + "</leaseTime>");
        room.delegations.put(BOB + " bobs", Instant.now().plusSeconds(3_600));

        assertThat(room.registered(ALICE, JDL, "<leaseId>bobs</leaseId>")
                        .children()
                        .getFirst()
                        .localName())
                .isEqualTo("LeaseIdMismatchFault");
        assertThat(room.registered(ALICE, JDL, "<delegationId>bobs</delegationId>")
                        .children()
                        .getFirst()
                        .localName())
                .isEqualTo("DelegationIdMismatchFault");
        assertThat(text(room.refused(ALICE, "deleteLeaseRequest", "bobs"))).contains("not found");
        assertThat(text(room.refused(ALICE, "getLeaseRequest", "bobs"))).contains("not found");
        assertThat(room.ask(BOB, "getLeaseRequest", "bobs").child("leaseId")).isPresent();
    }

    @Test
    void aJobThatRunsIsNotPurgedAndKeepsItsSandbox() {
        String id = room.register(ALICE, JDL, "");
        await().atMost(PATIENCE).until(() -> room.state(ALICE, id).equals("IDLE"));
        room.lrm.start(room.jobOf(id));
        await().atMost(PATIENCE).until(() -> room.state(ALICE, id).equals("REALLY-RUNNING"));

        assertThat(result("JobPurge", id).child("JobStatusInvalidFault")).isPresent();
        assertThat(room.state(ALICE, id)).isEqualTo("REALLY-RUNNING");
        assertThat(room.directories.made()).anyMatch(path -> path.contains(id));
    }

    @Test
    void aJobIsStartedOnce() {
        String id = room.register(ALICE, JDL, "<autoStart>false</autoStart>");

        assertThat(result("JobStart", id).children()).hasSize(1);
        assertThat(result("JobStart", id).child("JobStatusInvalidFault")).isPresent();
        await().atMost(PATIENCE).until(() -> room.state(ALICE, id).equals("IDLE"));
        assertThat(room.lrm.starts(room.jobOf(id))).isEqualTo(1);
    }

    /** No order of a stranger does anything, and none tells the stranger that there is such a job. */
    @Test
    void jobsOfOthersAreAsIfTheyWereNotThere() {
        String id = room.register(ALICE, JDL, "<autoStart>false</autoStart>");

        for (String operation :
                List.of("JobStart", "JobCancel", "JobPurge", "JobSuspend", "JobResume", "JobStatus", "JobInfo")) {
            XmlElement answer =
                    room.ask(BOB, operation + "Request", id(id)).children().getFirst();
            assertThat(answer.child("JobUnknownFault")).as(operation).isPresent();
        }
        assertThat(room.state(ALICE, id)).isEqualTo("REGISTERED");
    }

    /** Clients differ in what they leave out: all that the WSDL lets be absent may be. */
    @Test
    void whatMayBeAbsentMayBe() {
        String id = room.register(ALICE, JDL, "");

        assertThat(room.ask(ALICE, "JobStatusRequest", "").children()).hasSize(1);
        assertThat(room.ask(ALICE, "JobStatusRequest", "<jobId><id>" + id + "</id></jobId>")
                        .children()
                        .getFirst()
                        .child("jobStatus"))
                .isPresent();
        assertThat(room.ask(ALICE, "QueryEventRequest", "<eventType>JOB_STATUS</eventType>")
                        .children())
                .isNotEmpty();
        assertThat(room.ask(ALICE, "JobSetLeaseIdRequest", "<jobFilter/>").children())
                .hasSize(1);
    }
}
