// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.gt4.Generation.GT40;
import static org.jobgate.gt4.Generation.GT42;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobgate.access.Jobs;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The replies of queries, of GetCurrentMessage, of the subscription manager and of multi-jobs are valid by the original schemas. */
class OperationSchemasTest {

    private static final String JOB = "ManagedExecutableJobService";
    private static final String MULTI = "ManagedMultiJobService";
    private static final String SUBSCRIPTION = "SubscriptionManagerService";
    private static final Map<Generation, OriginalSchemas> SCHEMAS =
            Map.of(GT40, new OriginalSchemas(GT40), GT42, new OriginalSchemas(GT42));
    private static final Door DOOR = new Door();

    @BeforeEach
    void requireSchemas() {
        SCHEMAS.values().forEach(OriginalSchemas::require);
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static String active() {
        JobId id = DOOR.jobs
                .submit(Submission.of(
                        Door.ORIGIN,
                        new Owner(Door.ALICE, "alice"),
                        UUID.randomUUID().toString(),
                        "Fork",
                        JobDescription.of("/bin/date")))
                .job()
                .id();
        return DOOR.jobs.state(id, JobState.ACTIVE).id().toString();
    }

    private static Answer atResource(Generation generation, String service, String id, String body) {
        return DOOR.post(
                service,
                generation == GT40
                        ? Envelopes.of(Envelopes.resource(id), body)
                        : Envelopes42.of(Envelopes42.resource(id), body));
    }

    private static String element(String namespace, String name, String content) {
        return "<o:" + name + " xmlns:o=\"" + namespace + "\">" + content + "</o:" + name + ">";
    }

    private static OriginalSchemas schemas(Generation generation) {
        return requireNonNull(SCHEMAS.get(generation));
    }

    private static void validate(Generation generation, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        schemas(generation).validate(answer.body());
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aQuerysElements(Generation generation) {
        String query = element(
                generation.wsrp(),
                "QueryResourceProperties",
                "<o:QueryExpression Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">/*/*</o:QueryExpression>");

        validate(generation, atResource(generation, JOB, active(), query));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theCurrentMessage(Generation generation) {
        String topic = generation == GT40 ? "t:state" : "j:stateChangeInformation";
        String body = element(
                generation.wsnt(),
                "GetCurrentMessage",
                "<o:Topic xmlns:j=\"" + generation.gram() + "\" xmlns:t=\"" + generation.gram() + "/types\" Dialect=\""
                        + generation.simpleTopics() + "\">" + topic + "</o:Topic>");

        Answer answer = atResource(generation, JOB, active(), body);
        if (generation == GT42) {
            validate(generation, answer);
        } else {
            // the wildcard of the reply is strict, and what is in it is declared elsewhere
            schemas(generation).validate(answer.body().children().getFirst(), "gram/managed_job_port_type.wsdl");
        }
    }

    private static String subscribed(Generation generation) {
        String reference = "<o:ConsumerReference xmlns:a=\"" + generation.wsa()
                + "\"><a:Address>http://127.0.0.1:9/</a:Address></o:ConsumerReference>";
        String expression = "<o:TopicExpression xmlns:t=\"" + generation.gram() + "/types\" xmlns:j=\""
                + generation.gram() + "\" Dialect=\"" + generation.simpleTopics() + "\">"
                + (generation == GT40 ? "t:state" : "j:stateChangeInformation") + "</o:TopicExpression>";
        String topic = generation == GT40 ? expression : "<o:Filter>" + expression + "</o:Filter>";
        Answer answer =
                atResource(generation, JOB, active(), element(generation.wsnt(), "Subscribe", reference + topic));
        validate(generation, answer);
        return answer.one("SubscriptionKey");
    }

    private static Answer atSubscription(Generation generation, String key, String body) {
        String header = "<k:SubscriptionKey xmlns:k=\"http://www.globus.org/namespaces/2004/06/core\">" + key
                + "</k:SubscriptionKey>";
        return DOOR.post(SUBSCRIPTION, generation == GT40 ? Envelopes.of(header, body) : Envelopes42.of(header, body));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void everyReplyOfTheSubscriptionManager(Generation generation) {
        String key = subscribed(generation);
        String time = "<o:RequestedTerminationTime>2026-12-01T00:00:00Z</o:RequestedTerminationTime>";
        validate(generation, atSubscription(generation, key, element(generation.wsnt(), "PauseSubscription", "")));
        validate(generation, atSubscription(generation, key, element(generation.wsnt(), "ResumeSubscription", "")));
        validate(generation, atSubscription(generation, key, element(generation.wsrl(), "SetTerminationTime", time)));
        for (XmlElement property : properties(generation, key)) {
            schemas(generation).validate(property);
        }
        if (generation == GT42) {
            String renew = "<o:TerminationTime>2026-12-02T00:00:00Z</o:TerminationTime>";
            validate(generation, atSubscription(generation, key, element(generation.wsnt(), "Renew", renew)));
            validate(generation, atSubscription(generation, key, element(generation.wsnt(), "Unsubscribe", "")));
        } else {
            validate(generation, atSubscription(generation, key, element(generation.wsrl(), "Destroy", "")));
        }
    }

    private static List<XmlElement> properties(Generation generation, String key) {
        List<String> names = generation == GT40
                ? List.of(
                        "n:ConsumerReference", "n:TopicExpression", "n:UseNotify", "l:TerminationTime", "l:CurrentTime")
                : List.of("n:ConsumerReference", "n:Filter", "n:CreationTime", "l:TerminationTime", "l:CurrentTime");
        StringBuilder asked = new StringBuilder();
        names.forEach(name -> asked.append("<o:ResourceProperty xmlns:n=\"")
                .append(generation.wsnt())
                .append("\" xmlns:l=\"")
                .append(generation.wsrl())
                .append("\">")
                .append(name)
                .append("</o:ResourceProperty>"));
        Answer answer = atSubscription(
                generation, key, element(generation.wsrp(), "GetMultipleResourceProperties", asked.toString()));
        assertThat(answer.body().children()).as(answer.text()).hasSize(names.size());
        return answer.body().children();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void everyReplyOfAMultiJob(Generation generation) {
        JobDescription part = JobDescription.of("/bin/date");
        JobId id = DOOR.jobs
                .submit(Submission.of(
                        Door.ORIGIN,
                        new Owner(Door.ALICE, "alice"),
                        UUID.randomUUID().toString(),
                        Jobs.MULTI,
                        JobDescription.multi(
                                List.of(new SubJob("Fork", "alice", part), new SubJob("Slurm", "alice", part)), null)))
                .job()
                .id();
        DOOR.jobs.change(
                id,
                null,
                job -> job.withLocalIds(List.of(active(), active()))
                        .withState(JobState.PENDING)
                        .withHolding(true));
        String subJobs = "<o:GetResourceProperty xmlns:o=\"" + generation.wsrp() + "\" xmlns:m=\"" + generation.gram()
                + "/multi\">m:subJobEndpoint</o:GetResourceProperty>";
        Answer endpoints = atResource(generation, MULTI, id.toString(), subJobs);
        assertThat(endpoints.body().children()).hasSize(2);
        String file = generation == GT40
                ? "gram/managed_multi_job_port_type.wsdl"
                : "gram/jdd/managed_multi_job_port_type.wsdl";
        endpoints.body().children().forEach(endpoint -> schemas(generation).validate(endpoint, file));
        if (generation == GT42) {
            String terminate =
                    "<t:terminate xmlns:t=\"" + generation.gram() + "/terminate\"><t:destroyAfterCleanup>false"
                            + "</t:destroyAfterCleanup><t:continueNotifying>true</t:continueNotifying>"
                            + "<t:destroyDelegatedCredentials>false</t:destroyDelegatedCredentials></t:terminate>";
            validate(
                    generation,
                    atResource(
                            generation, MULTI, id.toString(), element(generation.gram() + "/release", "release", "")));
            validate(generation, atResource(generation, MULTI, id.toString(), terminate));
        }
        validate(generation, atResource(generation, MULTI, id.toString(), element(generation.wsrl(), "Destroy", "")));
    }
}
