// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.gram.BulkEnvelopes.instance;
import static org.jobgate.gram.BulkEnvelopes.job;

import java.util.List;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our own operation that submits many jobs at once. */
class CreateManagedJobsTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String DATE = "<d:executable>/bin/date</d:executable>";

    private final Door door = new Door();

    @AfterEach
    void close() {
        door.close();
    }

    private Answer post(Generation generation, String content) {
        return door.post(FACTORY, BulkEnvelopes.of(generation, "createManagedJobs", content));
    }

    private Answer post(String content) {
        return post(Generation.GT40, content);
    }

    private static List<XmlElement> results(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.body().children().stream()
                .filter(child -> child.localName().equals("result"))
                .toList();
    }

    private static String text(XmlElement result, String child) {
        return result.child(child).orElseThrow().text();
    }

    private JobDescription description(XmlElement result) {
        JobId id = JobId.parse(text(result, "ResourceID"));
        return door.jobs.description(Door.ALICE, id).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void eachJobIsAnsweredInOrderWithBothIdsAndItsEndpoint(Generation generation) {
        Answer answer = post(generation, job("a", DATE) + job("b", "<d:executable>/bin/true</d:executable>"));

        new OwnSchemas(generation).validate(answer.body());
        List<XmlElement> results = results(answer);
        assertThat(results).extracting(result -> text(result, "JobID")).containsExactly("a", "b");
        assertThat(results).extracting(result -> text(result, "isNew")).containsExactly("true", "true");
        assertThat(description(results.get(1)).executable()).isEqualTo("/bin/true");
        assertThat(results.getFirst().child("managedJobEndpoint").orElseThrow().child("Address"))
                .get()
                .extracting(XmlElement::text)
                .isEqualTo(door.baseUrl() + "/ManagedExecutableJobService");
        assertThat(answer.text()).contains(text(results.getFirst(), "ResourceID"));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aWrongJobIsRefusedInItsOwnAnswerWithItsTypedFaultAndAnExplanation(Generation generation) {
        Answer answer = post(generation, job("good", DATE) + job("bad", DATE + "<d:count>0</d:count>"));

        new OwnSchemas(generation).validate(answer.body());
        List<XmlElement> results = results(answer);
        assertThat(results.get(0).child("fault")).isEmpty();
        XmlElement bad = results.get(1);
        assertThat(bad.child("managedJobEndpoint")).isEmpty();
        XmlElement fault = bad.child("fault").orElseThrow().children().getFirst();
        assertThat(fault.name()).isEqualTo(generation.faults("serviceLevelAgreementFault"));
        assertThat(text(bad, "explain")).contains("count").contains("0");
        assertThat(text(fault, "Description")).isEqualTo(text(bad, "explain"));
    }

    @Test
    void aRepeatedRequestAnswersTheSameJobsAndStartsNothing() {
        String content = job("a", DATE) + job("b", DATE);
        List<XmlElement> first = results(post(content));
        List<XmlElement> second = results(post(content));

        assertThat(second)
                .extracting(result -> text(result, "ResourceID"))
                .containsExactlyElementsOf(
                        first.stream().map(result -> text(result, "ResourceID")).toList());
        assertThat(second).extracting(result -> text(result, "isNew")).containsExactly("false", "false");
    }

    @Test
    void aJobIdOfAnotherJobIsRefusedAndTheOthersAreTaken() {
        post(job("a", DATE));
        List<XmlElement> results = results(post(job("a", "<d:executable>/bin/false</d:executable>") + job("b", DATE)));

        assertThat(text(results.get(0), "explain")).contains("JobID");
        assertThat(text(results.get(1), "isNew")).isEqualTo("true");
    }

    @Test
    void aJobNeedsAJobId() {
        List<XmlElement> results = results(post("<create><d:job>" + DATE + "</d:job></create>" + job("b", DATE)));

        assertThat(text(results.get(0), "explain")).contains("has no JobID").contains("Give each job an id");
        assertThat(results.get(0).child("JobID")).isEmpty();
        assertThat(results.get(1).child("fault")).isEmpty();
    }

    @Test
    void aTemplateMakesAJobForEachInstanceWithItsVariables() {
        String template = "<template><d:job><d:executable>/bin/echo</d:executable>"
                + "<d:argument>${N} of ${HOME_OF}</d:argument><d:argument>${GLOBUS_USER_HOME}</d:argument></d:job></template>";
        List<XmlElement> results = results(post(
                template + instance("t-1", "N", "1", "HOME_OF", "x") + instance("t-2", "N", "2", "HOME_OF", "${N}")));

        assertThat(description(results.get(0)).arguments()).containsExactly("1 of x", "/home/alice");
        assertThat(description(results.get(1)).arguments()).containsExactly("2 of ${N}", "/home/alice");
    }

    @Test
    void aVariableThatIsMissingOrReservedOrGivenTwiceIsRefusedForItsJobAlone() {
        String template = "<template><d:job><d:executable>/bin/${N}</d:executable></d:job></template>";
        List<XmlElement> results = results(post(template
                + instance("missing")
                + instance("reserved", "N", "date", "GLOBUS_USER_HOME", "/root")
                + instance("twice", "N", "date", "N", "true")
                + instance("good", "N", "date")));

        assertThat(text(results.get(0), "explain")).contains("N");
        assertThat(text(results.get(1), "explain")).contains("GLOBUS_USER_HOME").contains("not begin with GLOBUS_");
        assertThat(text(results.get(2), "explain")).contains("twice");
        assertThat(description(results.get(3)).executable()).isEqualTo("/bin/date");
    }

    @Test
    void moreJobsThanTheLimitAreRefusedAsAWhole() {
        StringBuilder content = new StringBuilder("<template><d:job>" + DATE + "</d:job></template>");
        for (int i = 0; i < 1_001; i++) {
            content.append(instance("many-" + i));
        }

        Answer answer = post(content.toString());

        assertThat(answer.one("faultstring"))
                .contains("gram.maxBulkJobs = 1000")
                .contains("1001");
        assertThat(door.store.lastChange()).isZero();
    }

    @Test
    void aRequestForNoJobIsRefused() {
        assertThat(post("").one("faultstring")).contains("asks for no job");
        assertThat(post("<template><d:job>" + DATE + "</d:job></template>").one("faultstring"))
                .contains("elements instance");
    }

    @Test
    void aLimitedProxyAndAStrangerMaySubmitNothing() {
        String request = BulkEnvelopes.of(Generation.GT40, "createManagedJobs", job("a", DATE));

        Answer limited = door.post(FACTORY, request, "Test-Subject", Door.ALICE, "Test-Limited", "yes");
        Answer stranger = door.post(FACTORY, request, "Test-Subject", "/O=H9Test/CN=Mallory");

        assertThat(limited.one("faultstring")).contains("limited proxy");
        assertThat(stranger.one("faultstring")).contains("may not submit jobs");
        assertThat(door.store.lastChange()).isZero();
    }

    @Test
    void eachJobOfATemplateGetsItsOwnSubscription() {
        String subscribe = "<n:Subscribe xmlns:n=\"" + Generation.GT40.wsnt() + "\"><n:ConsumerReference><w:Address"
                + " xmlns:w=\"" + Generation.GT40.wsa() + "\">https://client.example.org/c</w:Address>"
                + "</n:ConsumerReference><n:TopicExpression Dialect=\"" + Generation.GT40.simpleTopics()
                + "\" xmlns:t=\"" + Generation.GT40.gram() + "/types\">t:state</n:TopicExpression></n:Subscribe>";
        String content =
                "<template>" + subscribe + "<d:job>" + DATE + "</d:job></template>" + instance("s-1") + instance("s-2");

        List<XmlElement> results = results(post(content));
        results(post(content));

        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.child("subscriptionEndpoint")).isPresent());
        assertThat(door.store.countRecords(Notifications.SUBSCRIPTION_KIND)).isEqualTo(2);
    }

    @Test
    void aRefusalOfTheEngineIsEachJobsOwn() {
        door.jobs.refuseWith(new FaultException(
                Fault.of(FaultCode.SHUTTING_DOWN, "The service takes no new jobs.", "Send it again later.")));

        List<XmlElement> results = results(post(job("a", DATE) + job("b", DATE)));

        assertThat(results)
                .extracting(result -> text(result, "explain"))
                .containsOnly("The service takes no new jobs. Send it again later.");
    }
}
