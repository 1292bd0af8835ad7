// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.PendingReason;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobResourceTest {

    private static final String JOB = "ManagedExecutableJobService";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static JobId submit() {
        return DOOR.jobs
                .submit(new Submission(
                        Door.ORIGIN,
                        new Owner(Door.ALICE, "alice"),
                        null,
                        "Fork",
                        JobDescription.of("/bin/echo", "a b", "$HOME"),
                        null))
                .job()
                .id();
    }

    private static Answer property(JobId id, String name) {
        return DOOR.post(JOB, Envelopes.property(id.toString(), name));
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void everyStateHasItsName(JobState state) {
        JobId id = submit();
        DOOR.jobs.state(id, state);

        assertThat(property(id, "types:state").one("state")).isEqualTo(StateNames.of(state));
    }

    @Test
    void theOwnerTheAccountAndTheHoldAreAnswered() {
        JobId id = submit();
        DOOR.jobs.change(
                id,
                JobEvent.PENDING_HELD,
                job -> job.withState(JobState.PENDING).withHolding(true));

        assertThat(property(id, "types:userSubject").one("userSubject")).isEqualTo(Door.ALICE);
        assertThat(property(id, "types:localUserId").one("localUserId")).isEqualTo("alice");
        assertThat(property(id, "types:holding").one("holding")).isEqualTo("true");
    }

    @Test
    void aJobThatWaitsForOthersIsNotHeld() {
        JobId id = submit();
        DOOR.jobs.change(id, null, job -> job.withHolding(true));

        assertThat(property(id, "types:holding").one("holding")).isEqualTo("false");
    }

    @Test
    void whyAJobDoesNotGoOnIsAnsweredWithItsTime() {
        JobId id = submit();
        assertThat(property(id, "own:reason").body().children()).isEmpty();
        Instant since = Instant.parse("2026-11-01T10:00:00Z");
        DOOR.jobs.change(
                id, null, job -> job.withPendingReason(new PendingReason(since, "held by the LRM: disk < 1 GiB")));

        XmlElement reason = property(id, "own:reason").body().children().getFirst();

        assertThat(reason.text()).isEqualTo("held by the LRM: disk < 1 GiB");
        assertThat(reason.attribute("since").orElseThrow()).startsWith("2026-11-01T10:00:00");
    }

    @Test
    void theAgreementIsTheDescription() {
        XmlElement agreement = property(submit(), "desc:serviceLevelAgreement")
                .body()
                .children()
                .getFirst();

        XmlElement job = agreement.child("job").orElseThrow();
        assertThat(job.child("executable").orElseThrow().text()).isEqualTo("/bin/echo");
        assertThat(job.child("argument").orElseThrow().text()).isEqualTo("a b");
        assertThat(job.child("localUserId").orElseThrow().text()).isEqualTo("alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wsrl:CurrentTime",
                "wsrl:TerminationTime",
                "wsnt:Topic",
                "wsnt:TopicExpressionDialects",
                "wsnt:FixedTopicSet"
            })
    void theResourcesOwnPropertiesAreThere(String name) {
        assertThat(property(submit(), name).body().children()).hasSize(name.equals("wsnt:Topic") ? 2 : 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"types:exitCode", "faults:fault", "exec:stdoutURL", "exec:stderrURL", "exec:credentialPath"})
    void whatHasNoValueYetIsAnsweredEmpty(String name) {
        Answer answer = property(submit(), name);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().children()).isEmpty();
    }

    @Test
    void whereTheCredentialLiesIsToldOnceItIsThere() {
        JobId id = submit();
        DOOR.jobs.state(id, JobState.ACTIVE);
        assertThat(property(id, "exec:credentialPath").one("credentialPath")).isEqualTo("/home/alice/proxy.pem");
    }

    @Test
    void whereTheOutputIsReadIsToldFromTheStartOfTheJobOn() {
        JobDescription description = JobDescription.of("/bin/echo").toBuilder()
                .stdout("/home/alice/out")
                .stderr("/dev/null")
                .build();
        JobId id = DOOR.jobs
                .submit(new Submission(Door.ORIGIN, new Owner(Door.ALICE, "alice"), null, "Fork", description, null))
                .job()
                .id();
        assertThat(property(id, "exec:stdoutURL").body().children()).isEmpty();
        DOOR.jobs.change(id, null, job -> job.withStarted(job.created()));

        assertThat(property(id, "exec:stdoutURL").one("stdoutURL"))
                .endsWith("/jobs/" + id + "/stdout")
                .startsWith("http");
        assertThat(property(id, "exec:stderrURL").body().children()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"types:nothing", "state", "unbound:state", "", "a:b:c", ":state"})
    void anUnknownPropertyIsATypedFault(String name) {
        XmlElement fault = property(submit(), name).fault();

        assertThat(fault.name().getNamespaceURI()).isEqualTo(Generation.GT40.wsrp());
        assertThat(fault.localName()).isEqualTo("InvalidResourcePropertyQNameFault");
        assertThat(fault.attribute("type")).hasValue("wsrp:InvalidResourcePropertyQNameFaultType");
    }

    @Test
    void aFailedJobTellsItsFaultInsideTheProperty() {
        JobId id = submit();
        Fault fault = Fault.of(FaultCode.EXECUTABLE_NOT_FOUND, "There is no /bin/nothing.", "Correct the path.")
                .about("executable", "/bin/nothing")
                .during(JobState.UNSUBMITTED);
        DOOR.jobs.change(id, null, job -> job.withState(JobState.FAILED).withOutcome(JobOutcome.failed(fault)));

        XmlElement property = property(id, "faults:fault").body().children().getFirst();

        assertThat(property.localName()).isEqualTo("fault");
        XmlElement typed = property.children().getFirst();
        assertThat(typed.localName()).isEqualTo("invalidPathFault");
        assertThat(typed.child("path").orElseThrow().text()).isEqualTo("/bin/nothing");
        assertThat(typed.child("Description").orElseThrow().text()).contains("There is no /bin/nothing.", "Correct");
    }

    @Test
    void aCancelledJobIsFailedWithAPlainFault() {
        JobId id = submit();
        Fault fault = Fault.of(FaultCode.CANCELLED_BY_USER, "The job was cancelled by its owner.", "");
        DOOR.jobs.change(id, null, job -> job.withState(JobState.CANCELLED).withOutcome(JobOutcome.cancelled(fault)));

        XmlElement typed = property(id, "faults:fault")
                .body()
                .children()
                .getFirst()
                .children()
                .getFirst();

        assertThat(property(id, "types:state").one("state")).isEqualTo("Failed");
        assertThat(typed.localName()).isEqualTo("fault");
        assertThat(typed.attribute("type")).hasValue("faults:FaultType");
        assertThat(typed.child("gt2ErrorCode").orElseThrow().text()).isEqualTo("8");
    }

    @Test
    void aDestroyedJobIsUnknown() {
        JobId id = submit();

        assertThat(DOOR.post(JOB, Envelopes.destroy(id.toString())).status()).isEqualTo(200);

        XmlElement fault = property(id, "types:state").fault();
        assertThat(fault.localName()).isEqualTo("ResourceUnknownFault");
        assertThat(fault.name().getNamespaceURI()).isEqualTo(Generation.GT40.wsrp());
        assertThat(DOOR.post(JOB, Envelopes.destroy(id.toString()))
                        .fault()
                        .name()
                        .getNamespaceURI())
                .isEqualTo(Generation.GT40.wsrl());
    }

    @Test
    void anotherOwnersJobIsUnknownToEveryOperation() {
        String id = submit().toString();
        String release = Envelopes.of(Envelopes.resource(id), "<release xmlns=\"" + Generation.GT40.gram() + "\"/>");
        String extend = Envelopes.of(
                Envelopes.resource(id),
                "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl()
                        + "\"><RequestedTerminationTime xsi:nil=\"true\"/></SetTerminationTime>");

        for (String request : List.of(Envelopes.property(id, "types:state"), Envelopes.destroy(id), release, extend)) {
            XmlElement fault =
                    DOOR.post(JOB, request, "Test-Subject", "/CN=Eve").fault();
            assertThat(fault.localName()).isEqualTo("ResourceUnknownFault");
        }
        assertThat(property(JobId.parse(id), "types:state").status()).isEqualTo(200);
    }

    @Test
    void aReleaseLetsTheJobGoOn() {
        JobId id = submit();
        DOOR.jobs.change(
                id,
                JobEvent.PENDING_HELD,
                job -> job.withState(JobState.PENDING).withHolding(true));

        DOOR.post(
                JOB,
                Envelopes.of(Envelopes.resource(id.toString()), "<release xmlns=\"" + Generation.GT40.gram() + "\"/>"));

        assertThat(DOOR.store.find(id).map(Job::holding)).hasValue(false);
    }

    @Test
    void aTerminationTimeInThePastIsRefusedAsTheSpecificationSays() {
        XmlElement fault = DOOR.post(
                        JOB,
                        Envelopes.of(
                                Envelopes.resource(submit().toString()),
                                "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl()
                                        + "\"><RequestedTerminationTime>2000-01-01T00:00:00Z</RequestedTerminationTime>"
                                        + "</SetTerminationTime>"))
                .fault();

        assertThat(fault.localName()).isEqualTo("UnableToSetTerminationTimeFault");
    }

    @Test
    void aWaitingRequestIsAnsweredWhenTheJobChanges() {
        try (Door door = new Door(java.time.Clock.systemUTC())) {
            JobId id = door.jobs
                    .submit(Submission.of(
                            Door.ORIGIN,
                            new Owner(Door.ALICE, "alice"),
                            "wait",
                            "Fork",
                            JobDescription.of("/bin/date")))
                    .job()
                    .id();
            String request = waiting(id, "Unsubmitted", 20_000);

            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> door.post(JOB, request));
            assertThat(answer.copy()).as("an answer before the change").failsWithin(Duration.ofMillis(200));
            door.jobs.state(id, JobState.ACTIVE);

            assertThat(answer).succeedsWithin(Duration.ofMinutes(1));
            assertThat(answer.join().one("state")).isEqualTo("Active");
            assertThat(door.post(JOB, waiting(id, "Unsubmitted", 20_000)).one("state"))
                    .isEqualTo("Active");
            assertThat(door.post(JOB, waiting(id, "Active", 50)).one("state")).isEqualTo("Active");
        }
    }

    private static String waiting(JobId id, String state, long timeoutMs) {
        String header = "<w:Wait xmlns:w=\"https://jobgate.org/ns/2026/wait\" soapenv:mustUnderstand=\"0\" timeoutMs=\""
                + timeoutMs + "\" state=\"" + state + "\"/>";
        return Envelopes.property(id.toString(), "types:state").replace("<ns1:ResourceID", header + "<ns1:ResourceID");
    }
}
