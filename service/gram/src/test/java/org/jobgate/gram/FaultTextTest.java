// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.access.Jobs;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way to a fault: what it says failed, on what, and what it says to do. */
class FaultTextTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String MULTI = "ManagedMultiJobService";
    private static final String SUBSCRIPTION = "SubscriptionManagerService";
    private static final String NOBODY = "00000000-0000-7000-8000-000000000000";
    private static final String UNKNOWN = "Use the endpoint reference that the submission answered.";
    private static final Door DOOR = new Door();
    private static final String HERE = submit();
    private static final String KEY = subscribed();

    /**
     * A request that is refused.
     *
     * @param what says what failed
     * @param remedy says what to do
     */
    record Refused(Generation generation, String service, String headers, String body, String what, String remedy) {

        @Override
        public String toString() {
            return generation + " " + service + ": " + what;
        }
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static String submit() {
        return DOOR.jobs
                .submit(Submission.of(
                        Door.ORIGIN, new Owner(Door.ALICE, "alice"), "here", "Fork", JobDescription.of("/bin/date")))
                .job()
                .id()
                .toString();
    }

    private static String subscribed() {
        return DOOR.post(JOB, Envelopes42.of(Envelopes42.resource(HERE), Envelopes42.subscribe("http://127.0.0.1:9/")))
                .one("SubscriptionKey");
    }

    private static String element(String namespace, String name, String content) {
        return "<o:" + name + " xmlns:o=\"" + namespace + "\">" + content + "</o:" + name + ">";
    }

    private static String resource(Generation generation, String id) {
        return generation == Generation.GT40 ? Envelopes.resource(id) : Envelopes42.resource(id);
    }

    private static String key(String key) {
        return "<k:SubscriptionKey xmlns:k=\"http://www.globus.org/namespaces/2004/06/core\">" + key
                + "</k:SubscriptionKey>";
    }

    static Stream<Refused> refused() {
        List<Refused> all = new ArrayList<>();
        for (Generation generation : Generation.values()) {
            Walk walk = new Walk(generation, all);
            walk.factory();
            walk.extensions();
            walk.queries();
            walk.jobs();
            walk.subscribe();
            walk.subscriptions();
        }
        return all.stream();
    }

    /** All ways of one generation. */
    private record Walk(Generation generation, List<Refused> all) {

        private void at(String service, String headers, String body, String what, String remedy) {
            all.add(new Refused(generation, service, headers, body, what, remedy));
        }

        private void atJob(String body, String what, String remedy) {
            at(JOB, resource(generation, HERE), body, what, remedy);
        }

        private void create(String content, String what, String remedy) {
            at(
                    FACTORY,
                    resource(generation, "Fork"),
                    element(generation.gram(), "createManagedJob", content),
                    what,
                    remedy);
        }

        private String job(String content) {
            return element(generation.gram() + "/description", "job", content);
        }

        private String time(String text) {
            return element(generation.gram(), "InitialTerminationTime", text);
        }

        void factory() {
            String date = job("<executable>/bin/date</executable>");
            create("", "holds no job element", "Put a job or a multiJob into it");
            create(job(""), "executable", "Correct the job description");
            create(
                    "<o:JobID xmlns:o=\"x\"> </o:JobID>" + date,
                    "The JobID has 0 characters",
                    "Send a JobID of the form uuid:");
            create(time("soon") + date, "InitialTerminationTime is not a time", "Send a time in the future");
            create(time("2001-01-01T00:00:00Z") + date, "is past", "Send a later one");
            create(
                    job("<executable>/bin/date</executable><localUserId>root</localUserId>"),
                    "Requested local user ID root is not authorized",
                    "The element is localUserId");
            create(
                    job("<executable>/bin/date</executable><holdState>Active</holdState>"),
                    "A job cannot be held at 'Active'",
                    "Ask to hold it at");
            at(
                    FACTORY,
                    resource(generation, "LSF"),
                    element(generation.gram(), "createManagedJob", date),
                    "no local resource manager 'LSF'",
                    "Name one of: Fork, Slurm");
            if (generation == Generation.GT40) {
                at(
                        FACTORY,
                        "",
                        element(generation.gram(), "createManagedJob", date),
                        "ResourceID is missing",
                        "one of: Fork, Slurm");
            }
            at(
                    FACTORY,
                    resource(generation, "Fork"),
                    element("urn:x", "nothing", ""),
                    "has no operation",
                    "Call one of");
            at(
                    FACTORY,
                    resource(generation, "Fork"),
                    element(generation.wsrp(), "GetResourceProperty", "o:nothing"),
                    "no resource property 'o:nothing'",
                    "Ask for one of: job:localResourceManager");
        }

        void extensions() {
            String namespace = generation.extension("").getNamespaceURI();
            at(
                    FACTORY,
                    resource(generation, "Fork"),
                    element(namespace, "createManagedJobs", ""),
                    "asks for no job",
                    "it must hold elements create");
            at(
                    FACTORY,
                    resource(generation, "Fork"),
                    element(namespace, "listJobs", "<state>Sleepy</state>"),
                    "is no state",
                    "Correct it, or leave it out");
        }

        void queries() {
            query("", "no QueryExpression", "Put the XPath into one");
            query(
                    expression("urn:sql", "select"),
                    "dialect of the query is not known",
                    "Use http://www.w3.org/TR/1999");
            query(expression("", "//*[".repeat(3)), "is no XPath 1.0", "Correct it");
            query(expression("", "x".repeat(1_025)), "gram.maxQueryCharacters = 1024", "Ask with a shorter one");
            query(
                    expression("", "(".repeat(17) + "1" + ")".repeat(17)),
                    "gram.maxQueryNesting = 16",
                    "Ask with a simpler");
            query(expression("", "nonsense()"), "nonsense", "Correct it");
            query(
                    expression("", "//*[count(".repeat(5) + "//*" + ")&gt;0]".repeat(5)),
                    "The query was stopped",
                    "Ask for less");
        }

        private void query(String content, String what, String remedy) {
            atJob(element(generation.wsrp(), "QueryResourceProperties", content), what, remedy);
        }

        private String expression(String dialect, String text) {
            String attribute = dialect.isEmpty() ? "" : " Dialect=\"" + dialect + "\"";
            return "<o:QueryExpression" + attribute + ">" + text + "</o:QueryExpression>";
        }

        void jobs() {
            at(
                    JOB,
                    "",
                    element(generation.wsrp(), "GetResourceProperty", "o:state"),
                    "ResourceID is missing",
                    "as in the endpoint reference that the submission answered");
            for (String service : List.of(JOB, MULTI)) {
                unknown(service, element(generation.wsrp(), "GetResourceProperty", types("state")));
                unknown(service, element(generation.wsrl(), "Destroy", ""));
                unknown(service, setTime("2026-12-01T00:00:00Z"));
                unknown(service, element(generation.release("release").getNamespaceURI(), "release", ""));
                unknown(service, currentMessage("t:state"));
            }
            atJob(
                    element(generation.wsrp(), "GetMultipleResourceProperties", ""),
                    "names no resource property",
                    "Name each in an element ResourceProperty");
            atJob(
                    element(generation.wsrl(), "SetTerminationTime", ""),
                    "must hold RequestedTerminationTime",
                    "for never");
            atJob(setTime("soon"), "RequestedTerminationTime is not a time", "Correct it");
            atJob(setTime("2001-01-01T00:00:00Z"), "is past", "Send a later one");
            atJob(element(generation.wsnt(), "GetCurrentMessage", ""), "has no Topic", "Name the topic");
            atJob(currentMessage("t:other"), "The topic is not known", "Use one of a job");
            atJob(currentMessage(topic()), "has not changed its state yet", "Ask again later");
            if (generation == Generation.GT42) {
                atJob(
                        element(generation.release("release").getNamespaceURI(), "release", ""),
                        "is not held",
                        "Release it when");
                atJob(
                        element(generation.terminate("terminate").getNamespaceURI(), "terminate", ""),
                        "must hold destroyAfterCleanup",
                        "Say all three flags");
                unknown(
                        JOB,
                        Envelopes42.terminate(JobId.parse(NOBODY), true, true)
                                .replaceAll("(?s).*<soapenv:Body>|</soapenv:Body>.*", ""));
            }
        }

        private String types(String name) {
            return "<!-- --><![CDATA[]]>t:" + name;
        }

        private void unknown(String service, String body) {
            String bound = body.replaceFirst(" xmlns:o=", " xmlns:t=\"" + generation.gram() + "/types\" xmlns:o=");
            at(service, resource(generation, NOBODY), bound, "There is no job " + NOBODY, UNKNOWN);
        }

        private String setTime(String text) {
            return element(
                    generation.wsrl(),
                    "SetTerminationTime",
                    "<o:RequestedTerminationTime>" + text + "</o:RequestedTerminationTime>");
        }

        private String topic() {
            return generation == Generation.GT40 ? "t:state" : "j:stateChangeInformation";
        }

        private String bindings() {
            return " xmlns:j=\"" + generation.gram() + "\" xmlns:t=\"" + generation.gram() + "/types\"";
        }

        private String currentMessage(String topic) {
            return element(
                    generation.wsnt(),
                    "GetCurrentMessage",
                    "<o:Topic" + bindings() + " Dialect=\"" + generation.simpleTopics() + "\">" + topic + "</o:Topic>");
        }

        void subscribe() {
            String good = consumer("http://127.0.0.1:9/");
            subscribe(good + "<o:UseNotify>false</o:UseNotify>", "Only messages in a Notify", "Leave UseNotify out");
            subscribe(
                    good + topic(topic()) + "<o:Selector/>" + "<o:SubscriptionPolicy/>",
                    "not supported",
                    "Leave it out");
            subscribe(topic(topic()), "no ConsumerReference", "Say in it where the messages go");
            subscribe(consumer("ftp://a/") + topic(topic()), "must begin with https://", "Name an address");
            subscribe(consumer("") + topic(topic()), "has no Address", "Name an address");
            subscribe(good + topic("t:other"), "The topic is not known", "Use one of a job");
            subscribe(
                    good + topic(topic()).replace(generation.simpleTopics(), "urn:regex"),
                    "another dialect than",
                    "Use that one");
            subscribe(
                    good + topic(topic()) + "<o:InitialTerminationTime>soon</o:InitialTerminationTime>",
                    "InitialTerminationTime of Subscribe is",
                    "or leave it out");
            if (generation == Generation.GT40) {
                subscribe(good, "has no TopicExpression", "Name the topic");
            }
            unknown(JOB, element(generation.wsnt(), "Subscribe", good + topic(topic())));
        }

        private void subscribe(String content, String what, String remedy) {
            atJob(element(generation.wsnt(), "Subscribe", content), what, remedy);
        }

        private String consumer(String address) {
            String content = address.isEmpty() ? "" : "<a:Address>" + address + "</a:Address>";
            return "<o:ConsumerReference xmlns:a=\"" + generation.wsa() + "\">" + content + "</o:ConsumerReference>";
        }

        private String topic(String name) {
            String expression = "<o:TopicExpression" + bindings() + " Dialect=\"" + generation.simpleTopics() + "\">"
                    + name + "</o:TopicExpression>";
            return generation == Generation.GT40 ? expression : "<o:Filter>" + expression + "</o:Filter>";
        }

        void subscriptions() {
            List<String> operations = new ArrayList<>(List.of("PauseSubscription", "ResumeSubscription"));
            if (generation == Generation.GT42) {
                operations.addAll(List.of("Renew", "Unsubscribe"));
                atSubscription(element(generation.wsnt(), "Renew", ""), "must hold TerminationTime", "for never");
                atSubscription(
                        element(
                                generation.wsnt(),
                                "Renew",
                                "<o:TerminationTime>2001-01-01T00:00:00Z</o:TerminationTime>"),
                        "is past",
                        "Ask for a later one");
            }
            for (String operation : operations) {
                unknownSubscription(element(generation.wsnt(), operation, ""));
            }
            unknownSubscription(element(generation.wsrl(), "Destroy", ""));
            unknownSubscription(setTime("2026-12-01T00:00:00Z"));
            unknownSubscription(element(generation.wsrp(), "GetResourceProperty", "o:x"));
            at(
                    SUBSCRIPTION,
                    "",
                    element(generation.wsrl(), "Destroy", ""),
                    "SubscriptionKey is missing",
                    "Repeat in it");
            atSubscription(setTime("soon"), "is not a", "Correct it");
            atSubscription(setTime("2001-01-01T00:00:00Z"), "is past", "Ask for a later one");
            atSubscription(
                    element(generation.wsrp(), "GetResourceProperty", "o:x"), "no resource property", "Ask for one");
        }

        private void atSubscription(String body, String what, String remedy) {
            at(SUBSCRIPTION, key(KEY), body, what, remedy);
        }

        private void unknownSubscription(String body) {
            at(SUBSCRIPTION, key("nothing"), body, "There is no subscription of that key", UNKNOWN);
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    void everyFaultSaysWhatFailedAndWhatToDo(Refused refused) {
        String envelope = refused.generation() == Generation.GT40
                ? Envelopes.of(refused.headers(), refused.body())
                : Envelopes42.of(refused.headers(), refused.body());

        Answer answer = DOOR.post(refused.service(), envelope);

        assertThat(answer.status()).as(answer.text()).isEqualTo(500);
        String text = answer.one("faultstring");
        assertThat(text).contains(refused.what()).contains(refused.remedy()).endsWith(".");
        List<String> descriptions = answer.all("Description");
        if (!descriptions.isEmpty()) {
            assertThat(descriptions).containsExactly(text);
        }
    }

    @Test
    void anonymousAndForbiddenCallersAreToldWhatToDo() {
        String create = Envelopes.job("<d:executable>/bin/date</d:executable>");

        assertThat(DOOR.post(FACTORY, create, new String[0]).one("faultstring"))
                .contains("without a credential", "Connect with a client certificate");
        assertThat(DOOR.post(FACTORY, create, "Test-Subject", "/O=H9Test/CN=Mallory")
                        .one("faultstring"))
                .contains("may not submit jobs here", "Ask the site's administrator");
        assertThat(DOOR.post(FACTORY, create, "Test-Subject", Door.ALICE, "Test-Limited", "1")
                        .one("faultstring"))
                .contains("a limited proxy may not start jobs", "Use a full proxy");
    }

    @Test
    void whatIsNoSoapIsToldWhatToDo() {
        assertThat(DOOR.post(JOB, "<not xml").one("faultstring"))
                .contains("not the XML of a SOAP 1.1 envelope", "Send a");
        assertThat(DOOR.post(JOB, Envelopes.of("", "")).one("faultstring")).contains("empty", "must hold one element");
    }

    @Test
    void theFaultOfAMultiJobNamesTheServiceOfMultiJobs() {
        for (String lrm : List.of("Fork", Jobs.MULTI)) {
            JobId id = DOOR.jobs
                    .submit(Submission.of(
                            Door.ORIGIN,
                            new Owner(Door.ALICE, "alice"),
                            "of " + lrm,
                            lrm,
                            JobDescription.of("/bin/date")))
                    .job()
                    .id();
            JobOutcome outcome = JobOutcome.failed(Fault.of(FaultCode.LOST, "It is lost.", "Look for it."));
            DOOR.jobs.change(id, null, job -> job.withState(JobState.FAILED).withOutcome(outcome));
            String service = lrm.equals(Jobs.MULTI) ? MULTI : JOB;

            XmlElement originator = DOOR.post(service, Envelopes.property(id.toString(), "faults:fault"))
                    .body()
                    .child("fault")
                    .flatMap(fault -> fault.children().getFirst().child("Originator"))
                    .orElseThrow();

            assertThat(originator.child("Address").orElseThrow().text()).isEqualTo(DOOR.baseUrl() + "/" + service);
        }
    }

    @Test
    void aJobThatItsOwnerEndedAndThatCouldNotBeCleanedUpIsUserTerminateFailed() {
        JobId id = JobId.parse(submitAnother());
        JobOutcome outcome = JobOutcome.cancelled(
                Fault.of(FaultCode.STAGING_FAILED, "Its clean-up left something behind.", "Remove it yourself."));
        DOOR.jobs.change(id, null, job -> job.withState(JobState.CANCELLED).withOutcome(outcome));

        assertThat(DOOR.post(JOB, Envelopes42.property(id, "types:state")).one("state"))
                .isEqualTo("UserTerminateFailed");
        assertThat(DOOR.post(JOB, Envelopes42.property(id, "faults:fault")).one("Description"))
                .isEqualTo("Its clean-up left something behind. Remove it yourself.");
    }

    private static String submitAnother() {
        return DOOR.jobs
                .submit(Submission.of(
                        Door.ORIGIN, new Owner(Door.ALICE, "alice"), "ended", "Fork", JobDescription.of("/bin/date")))
                .job()
                .id()
                .toString();
    }
}
