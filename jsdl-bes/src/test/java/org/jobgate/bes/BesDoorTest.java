// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.bes.BesRoom.ADMIN;
import static org.jobgate.bes.BesRoom.ALICE;
import static org.jobgate.bes.BesRoom.BOB;
import static org.jobgate.bes.BesWire.creation;
import static org.jobgate.bes.BesWire.envelope;
import static org.jobgate.bes.BesWire.vector;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of BES get, operation by operation; what all doors have in common is in BesContractTest. */
class BesDoorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NEVER = "01900000-0000-7000-8000-000000000000";

    @TempDir
    static Path directory;

    private static BesRoom room;

    @BeforeAll
    static void open() throws Exception {
        room = new BesRoom(directory);
    }

    @AfterAll
    static void close() throws Exception {
        room.close();
    }

    private static List<XmlElement> responses(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.body().children();
    }

    private static XmlElement status(String id) {
        return responses(room.post(ALICE, vector("GetActivityStatuses", id)))
                .getFirst()
                .child("ActivityStatus")
                .orElseThrow();
    }

    private static void awaitState(String id, String state) {
        await().atMost(PATIENCE)
                .until(() -> status(id).attribute("state").orElseThrow().equals(state));
    }

    private static String fault(XmlElement response) {
        XmlElement fault = response.child("Fault").orElseThrow();
        assertThat(fault.child("faultstring").orElseThrow().text()).isNotBlank();
        return fault.child("detail").orElseThrow().children().getFirst().localName();
    }

    @Test
    void anActivityRunsAndItsExitCodeIsInItsStatus() {
        String id = room.create("/bin/true");
        JobId job = JobId.parse(id);
        await().atMost(PATIENCE).until(() -> room.lrm.knows(job));
        awaitState(id, "Pending");
        assertThat(status(id).child("Queued")).isPresent();

        room.lrm.start(job);
        awaitState(id, "Running");
        room.lrm.end(job, 3);

        awaitState(id, "Finished");
        assertThat(status(id).child("ExitCode").orElseThrow().text()).isEqualTo("3");
    }

    @Test
    void answersComeInTheOrderOfTheRequestWithEachIdentifierAsItWasSent() {
        String first = room.create("/bin/one");
        String second = room.create("/bin/two");

        List<XmlElement> answers =
                responses(room.post(ALICE, vector("GetActivityStatuses", second, NEVER, first, second, "nonsense")));

        assertThat(answers)
                .extracting(answer -> answer.child("ActivityIdentifier")
                        .flatMap(id -> id.child("ReferenceParameters"))
                        .flatMap(parameters -> parameters.child("Activity"))
                        .orElseThrow()
                        .text())
                .containsExactly(second, NEVER, first, second, "nonsense");
        assertThat(answers)
                .extracting(answer -> answer.child("ActivityIdentifier")
                        .flatMap(id -> id.child("Address"))
                        .orElseThrow()
                        .text())
                .containsOnly("https://any.example.org/bes");
        assertThat(answers)
                .extracting(answer -> answer.child("Fault").isPresent())
                .containsExactly(false, true, false, false, true);
        assertThat(fault(answers.get(1))).isEqualTo("InvalidActivityIdentifierFault");
    }

    @Test
    void anIdentifierWhoseParametersAClientHasLostIsKnownByItsAddress() {
        String id = room.create("/bin/true");
        String address =
                room.post(ALICE, creation("/bin/true")).one("Address").replaceAll("activity=.*", "activity=" + id);

        Answer answer = room.post(
                ALICE,
                "<b:GetActivityStatuses><b:ActivityIdentifier><wsa:Address>" + address
                        + "</wsa:Address></b:ActivityIdentifier></b:GetActivityStatuses>");

        assertThat(responses(answer).getFirst().child("ActivityStatus")).isPresent();
    }

    @Test
    void anothersActivityIsUnknownInEveryOperation() {
        String id = room.create("/bin/true");

        for (String operation : List.of("GetActivityStatuses", "TerminateActivities", "GetActivityDocuments")) {
            XmlElement ofBob = responses(room.post(BOB, vector(operation, id))).getFirst();
            XmlElement never =
                    responses(room.post(BOB, vector(operation, NEVER))).getFirst();
            assertThat(fault(ofBob)).isEqualTo("InvalidActivityIdentifierFault").isEqualTo(fault(never));
        }
        assertThat(status(id).attribute("state").orElseThrow()).isEqualTo("Pending");
    }

    @Test
    void aTerminatedActivityIsCancelledAndMayBeTerminatedAgain() {
        String id = room.create("/bin/sleep");

        for (int i = 0; i < 2; i++) {
            XmlElement answer = responses(room.post(ALICE, vector("TerminateActivities", id)))
                    .getFirst();
            assertThat(answer.child("Terminated").orElseThrow().text()).isEqualTo("true");
            assertThat(answer.child("Fault")).isEmpty();
            awaitState(id, "Cancelled");
        }
    }

    @Test
    void whatIsOverCannotBeTerminated() {
        String id = room.create("/bin/true");
        JobId job = JobId.parse(id);
        await().atMost(PATIENCE).until(() -> room.lrm.knows(job));
        room.lrm.start(job);
        room.lrm.end(job, 0);
        awaitState(id, "Finished");

        XmlElement answer =
                responses(room.post(ALICE, vector("TerminateActivities", id))).getFirst();

        assertThat(answer.child("Terminated").orElseThrow().text()).isEqualTo("false");
        assertThat(fault(answer)).isEqualTo("CantApplyOperationToCurrentStateFault");
        assertThat(answer.child("Fault")
                        .orElseThrow()
                        .child("detail")
                        .orElseThrow()
                        .children()
                        .getFirst()
                        .child("ActivityStatus")
                        .orElseThrow()
                        .attribute("state"))
                .contains("Finished");
    }

    @Test
    void aMessageThatIsSentAgainIsTheSameActivity() {
        String message = "<wsa:MessageID>urn:uuid:5b8f</wsa:MessageID>";

        String first =
                room.send(ALICE, envelope(message, creation("/bin/true"))).one("Activity");
        Answer second = room.send(ALICE, envelope(message, creation("/bin/true")));
        Answer other = room.send(ALICE, envelope(message, creation("/bin/false")));

        assertThat(second.one("Activity")).isEqualTo(first);
        assertThat(second.one("RelatesTo")).isEqualTo("urn:uuid:5b8f");
        assertThat(second.one("Action")).endsWith("/BESFactoryPortType/CreateActivityResponse");
        assertThat(other.fault().localName()).isEqualTo("InvalidRequestMessageFault");
        assertThat(other.one("faultstring")).contains("was used before");
        assertThat(room.send(BOB, envelope(message, creation("/bin/true"))).one("Activity"))
                .isNotEqualTo(first);
    }

    @Test
    void withoutAnyIdEachRequestIsANewActivity() {
        assertThat(room.create("/bin/true")).isNotEqualTo(room.create("/bin/true"));
    }

    @Test
    void whatIsNotUnderstoodIsRefusedByName() {
        Answer answer = room.post(ALICE, creation("/bin/true", "", "<x:Needed xmlns:x='urn:x'/>"));

        assertThat(answer.fault().localName()).isEqualTo("UnsupportedFeatureFault");
        assertThat(answer.one("Feature")).isEqualTo("{urn:x}Needed");
    }

    @Test
    void whatTheLanguageCannotDoIsToldByItsPath() {
        Answer answer = room.post(
                ALICE,
                "<b:CreateActivity><b:ActivityDocument><j:JobDefinition><j:Impossible/></j:JobDefinition>"
                        + "</b:ActivityDocument></b:CreateActivity>");

        assertThat(answer.one("Feature")).isEqualTo("/JobDefinition/Impossible");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<CreateActivity xmlns='http://schemas.ggf.org/bes/2005/08/bes-factory'/>",
                "<CreateActivity/>",
                "<b:Destroy/>"
            })
    void anOperationOfAnotherNamespaceIsToldWhichIsServed(String body) {
        Answer answer = room.post(ALICE, body);

        assertThat(answer.fault().localName()).isEqualTo("InvalidRequestMessageFault");
        assertThat(answer.one("faultstring")).contains(BesNames.FACTORY, "CreateActivity");
        assertThat(answer.one("faultcode")).endsWith(":Client");
    }

    @Test
    void tooManyIdentifiersAreRefusedByTheNameOfTheLimit() {
        String[] ids = IntStream.range(0, 2_001).mapToObj(i -> NEVER).toArray(String[]::new);

        assertThat(room.post(ALICE, vector("GetActivityStatuses", ids)).one("faultstring"))
                .contains("bes.maxIdentifiers = 2000", "2001");
    }

    @Test
    void aMillionIdentifiersAreRefusedBeforeTheyAreRead() {
        String many = "<b:ActivityIdentifier/>".repeat(1_000_000);

        // what is refused before it is read may be cut off while it is sent; a client that was too slow for the answer
        // asks again
        Answer answer = await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsMatching(e -> e.getCause() instanceof IOException)
                .until(
                        () -> room.post(ALICE, "<b:TerminateActivities>" + many + "</b:TerminateActivities>"),
                        Objects::nonNull);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.one("faultstring")).contains("limits.maxBodyBytes");
    }

    @Test
    void administratorsStopAndStartTheAcceptanceOfActivities() {
        assertThat(room.post(ALICE, "<m:StopAcceptingNewActivities/>").fault().localName())
                .isEqualTo("NotAuthorizedFault");
        assertThat(room.engine.isDraining()).isFalse();
        assertThat(room.post(ADMIN, "<m:StopAcceptingNewActivities/>").body().localName())
                .isEqualTo("StopAcceptingNewActivitiesResponse");
        try {
            assertThat(room.post(ALICE, creation("/bin/true")).fault().localName())
                    .isEqualTo("NotAcceptingNewActivitiesFault");
            assertThat(room.post(ALICE, "<b:GetFactoryAttributesDocument/>").one("IsAcceptingNewActivities"))
                    .isEqualTo("false");
        } finally {
            room.post(ADMIN, "<m:StartAcceptingNewActivities/>");
        }
        assertThat(room.engine.isDraining()).isFalse();
        room.create("/bin/true");
    }

    @Test
    void theDocumentOfAnActivityComesBack() {
        String id = room.create("/bin/true");
        String unspeakable = room.create("/bin/unspeakable");

        List<XmlElement> answers = responses(room.post(ALICE, vector("GetActivityDocuments", id, unspeakable, NEVER)));

        XmlElement definition = answers.getFirst().child("JobDefinition").orElseThrow();
        assertThat(definition.name()).isEqualTo(BesNames.factory("JobDefinition"));
        assertThat(definition.attribute("id")).contains("x");
        assertThat(definition.children().getFirst().name()).isEqualTo(BesNames.jsdl("JobDescription"));
        assertThat(fault(answers.get(1))).isEqualTo("UnsupportedFeatureFault");
        assertThat(fault(answers.get(2))).isEqualTo("InvalidActivityIdentifierFault");
    }

    @Test
    void soap12IsAnsweredInSoap12() {
        String soap12 = "http://www.w3.org/2003/05/soap-envelope";
        String envelope = envelope(creation("/bin/true")).replace(BesNames.SOAP_11, soap12);

        Answer answer = room.send(ALICE, envelope, "Content-Type", "application/soap+xml; charset=utf-8");
        Answer fault = room.send(
                ALICE,
                envelope("<b:Nothing/>").replace(BesNames.SOAP_11, soap12),
                "Content-Type",
                "application/soap+xml; charset=utf-8");

        assertThat(answer.envelope().name().getNamespaceURI()).isEqualTo(soap12);
        assertThat(answer.all("Activity")).hasSize(1);
        assertThat(fault.envelope().name().getNamespaceURI()).isEqualTo(soap12);
        assertThat(fault.one("Value")).endsWith(":Sender");
        assertThat(fault.one("Text")).contains("There is no operation");
        assertThat(fault.all("InvalidRequestMessageFault")).hasSize(1);
    }

    @Test
    void headersOfAddressingAreAnsweredOnlyWhereThereAreSome() {
        assertThat(room.post(ALICE, creation("/bin/true")).envelope().child("Header"))
                .isEmpty();
    }
}
