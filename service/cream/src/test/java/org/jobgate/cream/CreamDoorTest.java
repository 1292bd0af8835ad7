// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.cream.CreamRoom.ALICE;
import static org.jobgate.cream.CreamRoom.BOB;
import static org.jobgate.cream.CreamRoom.element;
import static org.jobgate.cream.CreamRoom.envelope;
import static org.jobgate.cream.CreamRoom.id;
import static org.jobgate.cream.CreamRoom.property;
import static org.jobgate.cream.CreamRoom.text;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.authz.Action;
import org.jobgate.job.JobId;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operations on jobs, each answer checked against the official WSDL. */
class CreamDoorTest {

    private static final String JDL =
            "[Executable=\"/bin/echo\";Arguments=\"hello\";BatchSystem=\"fork\";QueueName=\"any\"]";
    private static final String LATER = "<autoStart>false</autoStart>";
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

    private JobId jobOf(String id) {
        return room.jobOf(id);
    }

    private String fault(String operation, String id) {
        XmlElement result =
                room.ask(ALICE, operation + "Request", id(id)).children().getFirst();
        return result.children().stream()
                .map(XmlElement::localName)
                .filter(name -> name.endsWith("Fault"))
                .findFirst()
                .orElse("");
    }

    private List<String> states(XmlElement info) {
        return info.child("jobInfo").orElseThrow().children().stream()
                .filter(child -> child.localName().equals("status"))
                .map(status -> status.child("name").orElseThrow().text())
                .toList();
    }

    private List<String> commands(XmlElement info) {
        return info.child("jobInfo").orElseThrow().children().stream()
                .filter(child -> child.localName().equals("lastCommand"))
                .map(command -> command.child("name").orElseThrow().text() + " "
                        + command.child("status").orElseThrow().text())
                .toList();
    }

    private XmlElement info(String id) {
        return room.ask(ALICE, "JobInfoRequest", id(id)).children().getFirst();
    }

    @Test
    void aJobIsRegisteredStartedWatchedAndPurged() throws Exception {
        XmlElement registered = room.registered(ALICE, JDL, LATER);
        assertThat(registered.attribute("jobDescriptionId")).contains("JobName_1");
        XmlElement jobId = registered.child("jobId").orElseThrow();
        String id = jobId.child("id").orElseThrow().text();
        assertThat(id).matches("CREAM[0-9]{9}");
        assertThat(property(jobId, "CREAMInputSandboxURI")).endsWith("/jobs/" + jobOf(id) + "/files/ISB");
        assertThat(property(jobId, "CREAMOutputSandboxURI")).endsWith("/jobs/" + jobOf(id) + "/files/OSB");
        assertThat(room.directories.made()).containsExactly("account:/home/account/.jobgate/cream/" + id);
        awaitState(id, "REGISTERED");
        assertThat(fault("JobSuspend", id)).isEqualTo("JobStatusInvalidFault");

        assertThat(fault("JobStart", id)).isEmpty();
        awaitState(id, "IDLE");
        assertThat(fault("JobStart", id)).as("started twice").isEqualTo("JobStatusInvalidFault");
        assertThat(fault("JobPurge", id)).as("not over").isEqualTo("JobStatusInvalidFault");
        room.lrm.start(jobOf(id));
        awaitState(id, "REALLY-RUNNING");
        room.lrm.end(jobOf(id), 3);
        awaitState(id, "DONE-OK");

        XmlElement status =
                room.ask(ALICE, "JobStatusRequest", id(id)).children().getFirst();
        assertThat(status.attribute("jobDescriptionId").orElseThrow()).endsWith("/" + id);
        assertThat(status.child("jobStatus")
                        .orElseThrow()
                        .child("exitCode")
                        .orElseThrow()
                        .text())
                .isEqualTo("3");
        XmlElement info = info(id);
        assertThat(states(info))
                .containsExactly("REGISTERED", "PENDING", "IDLE", "RUNNING", "REALLY-RUNNING", "DONE-OK");
        assertThat(commands(info)).containsExactly("JOB_REGISTER SUCCESSFULL", "JOB_START SUCCESSFULL");
        assertThat(text(info)).contains("<types:LRMSJobId>[reserved]<").contains("/bin/echo");
        assertThat(room.lrm.starts(jobOf(id))).isEqualTo(1);

        assertThat(fault("JobPurge", id)).isEmpty();
        assertThat(fault("JobStatus", id)).isEqualTo("JobUnknownFault");
        assertThat(room.directories.made()).isEmpty();
        assertThat(room.ask(ALICE, "JobListRequest", "").children()).isEmpty();
    }

    @Test
    void aRegisteredJobIsStillRegisteredAfterARestartAndStartsOnce() throws Exception {
        String id = room.register(ALICE, JDL, LATER);
        awaitState(id, "REGISTERED");
        room.restart();

        awaitState(id, "REGISTERED");
        assertThat(room.lrm.taken()).isZero();
        assertThat(fault("JobStart", id)).isEmpty();
        awaitState(id, "IDLE");
        room.restart();
        awaitState(id, "IDLE");
        assertThat(room.lrm.taken()).isEqualTo(1);
    }

    @Test
    void idsAreNeverGivenTwiceAlsoAfterRestarts() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int life = 0; life < 3; life++) {
            for (int i = 0; i < 5; i++) {
                assertThat(ids.add(room.register(ALICE, JDL, LATER))).isTrue();
            }
            room.restart();
        }
        assertThat(ids).hasSize(15).allMatch(id -> id.matches("CREAM[0-9]{9}"));
        assertThat(IntStream.range(0, 200_000).mapToObj(CreamIds::id).distinct())
                .hasSize(200_000);
    }

    @Test
    void aJobIsCancelledWhereverItIsAndToldByWhom() {
        String registered = room.register(ALICE, JDL, LATER);
        String waiting = room.register(ALICE, JDL, "");
        awaitState(registered, "REGISTERED");
        awaitState(waiting, "IDLE");

        room.ask(ALICE, "JobCancelRequest", id(registered, waiting));

        awaitState(registered, "CANCELLED");
        awaitState(waiting, "CANCELLED");
        XmlElement info = info(registered);
        assertThat(states(info)).containsExactly("REGISTERED", "CANCELLED");
        assertThat(text(info)).contains("Cancelled by user");
        assertThat(commands(info)).containsExactly("JOB_REGISTER SUCCESSFULL", "JOB_CANCEL SUCCESSFULL");
        assertThat(fault("JobCancel", registered)).isEqualTo("JobStatusInvalidFault");
    }

    @Test
    void ofManyJobsTheBadOnesAreRefusedAlone() {
        String jobs = IntStream.range(0, 500)
                .mapToObj(i -> "<jobDescriptionList jobDescriptionId='JobName_" + i + "'><JDL>"
                        + (i % 100 == 7 ? "[Executable=\"" : JDL) + "</JDL>" + LATER + "</jobDescriptionList>")
                .collect(Collectors.joining());
        List<XmlElement> results = room.ask(ALICE, "JobRegisterRequest", jobs).children();

        assertThat(results).hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(results.get(i).attribute("jobDescriptionId")).contains("JobName_" + i);
            assertThat(results.get(i).child("GenericFault").isPresent()).isEqualTo(i % 100 == 7);
        }
        assertThat(room.ask(ALICE, "JobListRequest", "").children()).hasSize(495);
        List<String> ids = results.stream()
                .flatMap(result -> result.child("jobId").stream())
                .map(id -> id.child("id").orElseThrow().text())
                .limit(20)
                .collect(Collectors.toCollection(java.util.ArrayList::new));
        ids.add(3, "CREAM000000000");
        ids.add(9, "nonsense");
        List<XmlElement> started = room.ask(ALICE, "JobStartRequest", id(ids.toArray(String[]::new)))
                .children();
        assertThat(started).hasSize(22);
        assertThat(started.get(3).child("JobUnknownFault")).isPresent();
        assertThat(started.get(9).child("JobUnknownFault")).isPresent();
        assertThat(started.stream().filter(result -> result.children().size() == 1))
                .hasSize(20);
    }

    @Test
    void filtersChooseByStateDateDelegationAndLease() {
        room.delegations.put(ALICE + " mine", Instant.now().plusSeconds(3_600));
        room.ask(
                ALICE,
                "setLeaseRequest",
                "<leaseId>L</leaseId><leaseTime>" + Instant.now().plusSeconds(600) + "</leaseTime>");
        String plain = room.register(ALICE, JDL, LATER);
        String leased = room.register(ALICE, JDL, "<delegationId>mine</delegationId><leaseId>L</leaseId>" + LATER);
        awaitState(plain, "REGISTERED");
        awaitState(leased, "REGISTERED");

        assertThat(ids("<leaseId>L</leaseId>")).containsExactly(leased);
        assertThat(ids("<delegationId>mine</delegationId>")).containsExactly(leased);
        assertThat(ids("<status>REGISTERED</status>")).containsExactly(plain, leased);
        assertThat(ids("<status>DONE-OK</status>")).isEmpty();
        assertThat(ids("<toDate>2020-01-01T00:00:00Z</toDate>")).isEmpty();
        assertThat(ids("<fromDate>2020-01-01T00:00:00Z</fromDate>")).containsExactly(plain, leased);
        assertThat(ids(id(plain) + "<leaseId>L</leaseId>")).containsExactly("LeaseIdMismatchFault");
        assertThat(ids(id(plain) + "<delegationId>mine</delegationId>")).containsExactly("DelegationIdMismatchFault");
        assertThat(ids(id(plain) + "<status>IDLE</status>")).containsExactly("JobStatusInvalidFault");
        assertThat(ids(id(plain) + "<fromDate>2999-01-01T00:00:00Z</fromDate>")).containsExactly("DateMismatchFault");
        XmlElement wrong = room.refused(ALICE, "JobStatusRequest", "<status>ASLEEP</status>");
        assertThat(wrong.localName()).isEqualTo("InvalidArgumentFault");
        assertThat(text(wrong)).contains("jobStatus").contains("ASLEEP");
    }

    /** The ids of the jobs that match, or the faults in their place. */
    private List<String> ids(String filter) {
        return room.ask(ALICE, "JobStatusRequest", filter).children().stream()
                .map(result -> result.child("jobStatus")
                        .flatMap(status -> status.child("jobId"))
                        .flatMap(id -> id.child("id"))
                        .map(XmlElement::text)
                        .orElseGet(() -> result.children().getFirst().localName()))
                .toList();
    }

    @Test
    void delegationsAndLeasesThatAreNotThereAreRefusedInTheAnswer() {
        room.delegations.put(BOB + " bobs", Instant.now().plusSeconds(3_600));
        room.delegations.put(ALICE + " old", Instant.now().minusSeconds(1));

        assertThat(refusal("<delegationId>bobs</delegationId>")).isEqualTo("DelegationIdMismatchFault");
        assertThat(refusal("<delegationId>old</delegationId>")).isEqualTo("DelegationProxyFault");
        assertThat(refusal("<leaseId>none</leaseId>")).isEqualTo("LeaseIdMismatchFault");
        assertThat(room.directories.made()).isEmpty();
    }

    @Test
    void aProxyCanComeWithTheJob() {
        String proxy = "<delegationId>new</delegationId><delegationProxy>PROXY</delegationProxy>";

        String id = room.register(ALICE, JDL, proxy);
        awaitState(id, "IDLE");
        assertThat(text(info(id))).contains("<types:delegationProxyId>new<").contains("valid to=");
        assertThat(refusal("<delegationId>x</delegationId><delegationProxy>BAD</delegationProxy>"))
                .isEqualTo("DelegationProxyFault");
    }

    @Test
    void aSiteThatWantsDelegationsRefusesJobsWithoutOne() throws Exception {
        room.close();
        room = new CreamRoom(directory, CreamSettings.defaults("1.0-test"));

        assertThat(refusal("")).isEqualTo("DelegationIdMismatchFault");
    }

    /** The second of two that are the same job has got an id and directories before that is known. */
    @Test
    void noDirectoryIsLeftOfAJobThatWasNotTaken() {
        String key = "7f1d2c3b-0000-4000-8000-000000000001";
        String one = "<jobDescriptionList jobDescriptionId='" + key + "'><JDL>" + JDL + "</JDL>" + LATER
                + "</jobDescriptionList>";
        String other = one.replace("/bin/echo", "/bin/false");

        XmlElement answer = room.ask(ALICE, "JobRegisterRequest", one + one + other);

        List<String> ids = answer.children().stream()
                .flatMap(result -> result.child("jobId").stream())
                .map(id -> id.child("id").orElseThrow().text())
                .toList();
        assertThat(ids).hasSize(2).containsOnly(ids.getFirst());
        assertThat(room.directories.made()).containsExactly("account:/home/account/.jobgate/cream/" + ids.getFirst());
    }

    private String refusal(String more) {
        return room.registered(ALICE, JDL, more).children().getFirst().localName();
    }

    @Test
    void theServiceSaysWhatItIs() {
        XmlElement info = room.ask(ALICE, "ServiceInfoRequest", "2");

        assertThat(info.localName()).isEqualTo("ServiceInfoResponse");
        assertThat(info.child("doesAcceptNewJobSubmissions").orElseThrow().text())
                .isEqualTo("true");
        assertThat(property(info, "DB_ID")).hasSize(36);
        assertThat(property(info, "REPEATABLE_REGISTRATION")).isEqualTo("UUID");
    }

    @Test
    void theServiceSaysWhyItTakesNoNewJobs() {
        room.engine.heed(() -> Optional.of("the load average of 1 minute is 52 (selfLimiter.load1 = 40)."));

        XmlElement info = room.ask(ALICE, "ServiceInfoRequest", "2");

        assertThat(info.child("doesAcceptNewJobSubmissions").orElseThrow().text())
                .isEqualTo("false");
        assertThat(property(info, "SUBMISSION_THRESHOLD_MESSAGE")).contains("load average of 1 minute is 52");
    }

    @Test
    void whileTheGatewayDrainsTheServiceSaysThatItTakesNoJobs() {
        room.engine.drain();

        XmlElement info = room.ask(ALICE, "ServiceInfoRequest", "2");

        assertThat(info.child("doesAcceptNewJobSubmissions").orElseThrow().text())
                .isEqualTo("false");
        assertThat(property(info, "SUBMISSION_ERROR_MESSAGE")).contains("takes no new jobs at present");
        room.engine.resume();
        assertThat(room.ask(ALICE, "ServiceInfoRequest", "2")
                        .child("doesAcceptNewJobSubmissions")
                        .orElseThrow()
                        .text())
                .isEqualTo("true");
    }

    @Test
    void anAdministratorClosesTheDoorToNewJobsAlsoOverARestart() throws Exception {
        String admin = "/O=Test/CN=Admin";
        String id = room.register(ALICE, JDL, LATER);
        assertThat(room.refused(ALICE, "acceptNewJobSubmissions", "false").localName())
                .isEqualTo("AuthorizationFault");
        room.objections.add(Action.MANAGE);
        assertThat(text(room.refused(admin, "acceptNewJobSubmissions", "false")))
                .as("one whom the site has banned")
                .contains("AuthorizationFault", "the site said no");
        room.objections.clear();

        assertThat(room.ask(admin, "acceptNewJobSubmissions", "false").localName())
                .isEqualTo("Body");
        room.restart();
        XmlElement fault =
                room.refused(ALICE, "JobRegisterRequest", "<jobDescriptionList><JDL>x</JDL></jobDescriptionList>");
        assertThat(fault.localName()).isEqualTo("JobSubmissionDisabledFault");
        assertThat(text(fault)).contains("The CREAM service cannot accept jobs at the moment");
        awaitState(id, "REGISTERED");
        assertThat(fault("JobStart", id)).as("jobs that are there go on").isEmpty();

        room.ask(admin, "acceptNewJobSubmissions", "true");
        assertThat(room.register(ALICE, JDL, LATER)).isNotEmpty();
    }

    @Test
    void anEmptyBodyIsToldByItsAction() {
        String id = room.register(ALICE, JDL, LATER);

        Answer answer = room.post(ALICE, envelope(""), "SOAPAction", "\"http://glite.org/2007/11/ce/cream/JobList\"");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.all("id")).containsExactly(id);
        assertThat(room.post(ALICE, envelope(""), "SOAPAction", "\"http://glite.org/2007/11/ce/cream/JobPurge\"")
                        .clientFault())
                .contains("The SOAP body is empty");
    }

    @Test
    void aHeaderThatMustBeUnderstoodIs() {
        Answer answer = room.post(
                ALICE,
                "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header><t:iceId xmlns:t='"
                        + CreamNames.TYPES + "' s:mustUnderstand='1'>ice</t:iceId></s:Header><s:Body>"
                        + element(
                                "JobRegisterRequest", "<jobDescriptionList><JDL>" + JDL + "</JDL></jobDescriptionList>")
                        + "</s:Body></s:Envelope>");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("DB_ID");
    }
}
