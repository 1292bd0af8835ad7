// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreateManagedJobTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String DATE = "<d:job><d:executable>/bin/date</d:executable></d:job>";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    @AfterEach
    void mend() {
        DOOR.jobs.refuseWith(null);
    }

    private static JobId id(Answer created) {
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        XmlElement endpoint = created.body().child("managedJobEndpoint").orElseThrow();
        return JobId.parse(endpoint.child("ReferenceProperties")
                .orElseThrow()
                .child("ResourceID")
                .orElseThrow()
                .text());
    }

    private static String text(XmlElement fault, String child) {
        return fault.child(child).map(XmlElement::text).orElse("(no " + child + ")");
    }

    @Test
    void aJobIsCreatedAndItsStateAnswered() {
        Answer created = DOOR.post(FACTORY, Envelopes.create(DATE));

        assertThat(created.one("Action")).endsWith("/ManagedJobFactoryPortType/createManagedJobResponse");
        assertThat(created.one("RelatesTo")).isEqualTo("uuid:request-1");
        assertThat(created.body().child("NewTerminationTime").orElseThrow().isNil())
                .isTrue();
        Answer state = DOOR.post(
                "ManagedExecutableJobService", Envelopes.property(id(created).toString(), "types:state"));
        assertThat(state.one("state")).isEqualTo("Unsubmitted");
    }

    @Test
    void theSameJobIdAnswersTheSameJobAndAnotherOwnersIsAnother() {
        String request = Envelopes.create("<JobID>uuid:aa</JobID>" + DATE);
        JobId first = id(DOOR.post(FACTORY, request));

        assertThat(id(DOOR.post(FACTORY, request))).isEqualTo(first);
        assertThat(id(DOOR.post(FACTORY, request, "Test-Subject", "/O=H9Test/CN=Bob")))
                .isNotEqualTo(first);
    }

    @Test
    void theSameJobIdWithAnotherDescriptionIsRefused() {
        id(DOOR.post(FACTORY, Envelopes.create("<JobID>uuid:bb</JobID>" + DATE)));

        XmlElement fault = DOOR.post(
                        FACTORY,
                        Envelopes.create("<JobID>uuid:bb</JobID><d:job><d:executable>/bin/true</d:executable></d:job>"))
                .fault();

        assertThat(fault.localName()).isEqualTo("serviceLevelAgreementFault");
        assertThat(text(fault, "attribute")).isEqualTo("JobID");
    }

    @Test
    void aJobWithoutJobIdIsANewOneEachTime() {
        String request = Envelopes.create(DATE);

        assertThat(id(DOOR.post(FACTORY, request))).isNotEqualTo(id(DOOR.post(FACTORY, request)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<InitialTerminationTime xsi:nil=\"true\"/>"})
    void aJobWithoutTerminationTimeNeverExpires(String time) {
        JobId id = id(DOOR.post(FACTORY, Envelopes.create(time + DATE)));

        assertThat(DOOR.store.find(id).orElseThrow().terminationTime()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-20T14:55:54Z", "tomorrow", ""})
    void aPastOrUnreadableTerminationTimeIsAFault(String time) {
        XmlElement fault = DOOR.post(
                        FACTORY,
                        Envelopes.create("<InitialTerminationTime>" + time + "</InitialTerminationTime>" + DATE))
                .fault();

        assertThat(fault.localName()).isEqualTo("BaseFault");
        assertThat(fault.attribute("type")).hasValue("faults:FaultType");
    }

    @Test
    void aTerminationTimeWithAnOffsetIsKeptAndAnswered() {
        Answer created = DOOR.post(
                FACTORY,
                Envelopes.create("<InitialTerminationTime>2026-11-21T16:00:00+02:00</InitialTerminationTime>" + DATE));

        assertThat(created.one("NewTerminationTime")).isEqualTo("2026-11-21T14:00:00.000Z");
    }

    @Test
    void aSubscriptionIsStoredWithItsJob() {
        Answer created = DOOR.post(FACTORY, Envelopes.create(subscribe("ns1:", "https://127.0.0.1:1/c") + DATE));

        String key = created.one("SubscriptionKey");
        assertThat(DOOR.store.recordsOf(Notifications.SUBSCRIPTION_KIND, id(created)))
                .singleElement()
                .satisfies(record -> assertThat(record.id()).isEqualTo(key))
                .satisfies(record -> assertThat(record.body()).contains("<k:Key", ">7</k:Key>"));
    }

    @Test
    void aRepeatedSubmissionKeepsItsOneSubscription() {
        String request = Envelopes.create("<JobID>uuid:cc</JobID>" + subscribe("", "https://127.0.0.1:1/c") + DATE);

        String first = DOOR.post(FACTORY, request).one("SubscriptionKey");

        assertThat(DOOR.post(FACTORY, request).one("SubscriptionKey")).isEqualTo(first);
    }

    private static String subscribe(String dialectPrefix, String address) {
        return "<ns1:Subscribe xmlns:ns1=\"http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd\">"
                + "<ns1:ConsumerReference><wsa:Address>" + address + "</wsa:Address><wsa:ReferenceProperties>"
                + "<k:Key xmlns:k=\"urn:k\">7</k:Key></wsa:ReferenceProperties></ns1:ConsumerReference>"
                + "<ns1:TopicExpression xmlns:t=\"http://www.globus.org/namespaces/2004/10/gram/job/types\" "
                + dialectPrefix + "Dialect=\"http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple\">t:state"
                + "</ns1:TopicExpression></ns1:Subscribe>";
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://127.0.0.1/", "not a url", "https://user@host/", "https:///nohost"})
    void aConsumerThatCannotBeCalledIsRefused(String address) {
        XmlElement fault = DOOR.post(FACTORY, Envelopes.create(subscribe("", address) + DATE))
                .fault();

        assertThat(fault.localName()).isEqualTo("SubscribeCreationFailedFault");
        assertThat(fault.attribute("type").orElseThrow()).endsWith(":SubscribeCreationFailedFaultType");
    }

    @Test
    void anAnonymousCallerMayNotSubmit() {
        Answer answer = DOOR.post(FACTORY, Envelopes.create(DATE), new String[0]);

        assertThat(text(answer.fault(), "gt2ErrorCode")).isEqualTo("7");
    }

    @Test
    void aSubjectThatIsNotAuthorizedIsToldWhy() {
        Answer answer = DOOR.post(FACTORY, Envelopes.create(DATE), "Test-Subject", "/CN=Mallory");

        assertThat(text(answer.fault(), "Description")).contains("/CN=Mallory", "grid-mapfile");
    }

    @Test
    void aLimitedProxyMayNotSubmit() {
        Answer answer = DOOR.post(FACTORY, Envelopes.create(DATE), "Test-Subject", Door.ALICE, "Test-Limited", "yes");

        assertThat(text(answer.fault(), "Description")).contains("limited proxy");
    }

    @Test
    void aJobRunsAsTheAccountItAsksForIfThatIsTheOwners() {
        String asks = "<d:job><d:localUserId>%s</d:localUserId><d:executable>/bin/date</d:executable></d:job>";

        JobId id = id(DOOR.post(FACTORY, Envelopes.create(asks.formatted("shared"))));
        XmlElement fault =
                DOOR.post(FACTORY, Envelopes.create(asks.formatted("root"))).fault();

        assertThat(DOOR.store.find(id).orElseThrow().owner().account()).isEqualTo("shared");
        assertThat(text(fault, "Description"))
                .contains("Requested local user ID root is not authorized", "alice, shared");
    }

    @Test
    void anUnknownLrmIsAnUnknownResourceAndTheKnownOnesAreNamed() {
        XmlElement fault = DOOR.post(FACTORY, Envelopes.create("fork", DATE)).fault();

        assertThat(fault.localName()).isEqualTo("ResourceUnknownFault");
        assertThat(text(fault, "Description")).contains("'fork'", "Fork, Slurm");
    }

    @Test
    void variablesOfTheAccountAreReplaced() {
        JobId id = id(DOOR.post(
                FACTORY,
                Envelopes.job("<d:executable>/bin/date</d:executable><d:stdout>${GLOBUS_USER_HOME}/out</d:stdout>")));

        assertThat(DOOR.store.description(id).map(JobDescription::stdout)).hasValue("/home/alice/out");
    }

    @Test
    void aWrongDescriptionSaysWhichElementAndWhy() {
        XmlElement fault = DOOR.post(
                        FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable><d:count>zero</d:count>"))
                .fault();

        assertThat(fault.localName()).isEqualTo("serviceLevelAgreementFault");
        assertThat(fault.attribute("type")).hasValue("faults:ServiceLevelAgreementFaultType");
        assertThat(text(fault, "attribute")).isEqualTo("count");
        assertThat(text(fault, "gt2ErrorCode")).isEqualTo("14");
        assertThat(text(fault, "Description")).contains("count", "'zero'", "whole number");
    }

    @Test
    void filesToBeStagedAreShown() {
        JobId id = id(DOOR.post(
                FACTORY,
                Envelopes.job("<d:executable>/bin/date</d:executable><d:fileCleanUp><deletion>"
                        + "<file>file:///${GLOBUS_USER_HOME}/a</file></deletion></d:fileCleanUp>")));

        Answer shown = DOOR.post(
                "ManagedExecutableJobService", Envelopes.property(id.toString(), "desc:serviceLevelAgreement"));
        assertThat(shown.one("file")).isEqualTo("file:///home/alice/a");
    }

    @Test
    void tenThousandArgumentsAreRefusedByTheirLimit() {
        String arguments = "<d:argument>x</d:argument>".repeat(10_000);

        XmlElement fault = DOOR.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>" + arguments))
                .fault();

        assertThat(text(fault, "Description")).contains("limits.maxArguments = 4096");
        assertThat(text(fault, "gt2ErrorCode")).isEqualTo("3");
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyRefusalOfTheCoreIsATypedFaultWithItsSentenceAndRemedy(FaultCode code) {
        DOOR.jobs.refuseWith(new FaultException(Fault.of(code, "It failed.", "Mend it.")));

        Answer answer = DOOR.post(FACTORY, Envelopes.create(DATE));

        assertThat(answer.fault().attribute("type").orElseThrow())
                .startsWith("faults:")
                .endsWith("FaultType");
        assertThat(answer.one("faultstring")).isEqualTo("It failed. Mend it.");
        assertThat(text(answer.fault(), "Description")).isEqualTo("It failed. Mend it.");
        assertThat(answer.all("stateWhenFailureOccurred")).isEqualTo(List.of("Unsubmitted"));
    }
}
