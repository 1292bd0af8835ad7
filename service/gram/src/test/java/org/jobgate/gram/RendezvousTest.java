// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.gt4.Generation.GT40;

import java.io.StringReader;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.limits.Limit;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rendezvous as clients of both generations use it. */
class RendezvousTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String MULTI_JOB = "ManagedMultiJobService";
    private static final DeliverySettings QUICK = new DeliverySettings(
            new Limit("callbacks.maxDeliveries", 4),
            new Limit("callbacks.maxWaitingMessages", 64),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMinutes(10));

    private final Door door = new Door(Clock.systemUTC(), QUICK);
    private int messages;

    @AfterEach
    void close() {
        door.close();
    }

    private JobId job(String content) {
        Answer created = door.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>" + content));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return JobId.parse(created.one("ResourceID"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String text(Answer answer, String element) {
        return new String(Base64.getDecoder().decode(answer.one(element)), UTF_8);
    }

    private static String named(String envelope, String message) {
        return envelope.replace("uuid:request-1", message);
    }

    private static String toJob(Generation generation, JobId id, String body) {
        return generation == GT40 ? Envelopes.of(Envelopes.resource(id.toString()), body) : Envelopes42.toJob(id, body);
    }

    /** A request to register; every one is another message. */
    private String register(Generation generation, JobId id, String content) {
        return named(
                toJob(
                        generation,
                        id,
                        "<register xmlns=\"" + generation.rendezvous("").getNamespaceURI() + "\">" + content
                                + "</register>"),
                "uuid:" + ++messages);
    }

    private static String data(String text) {
        return "<data>" + base64(text) + "</data>";
    }

    private static String rank(int rank) {
        return "<rank>" + rank + "</rank>";
    }

    private Answer property(Generation generation, String service, JobId id, String name) {
        return door.post(
                service, generation == GT40 ? Envelopes.property(id.toString(), name) : Envelopes42.property(id, name));
    }

    private static void assertOfOurSchema(Generation generation, XmlElement element) throws Exception {
        String folder = generation == GT40 ? "" : "gt42/";
        var schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(RendezvousTest.class.getResource("/org/jobgate/gram/wsdl/" + folder + "rendezvous.xsd"));
        schema.newValidator().validate(new StreamSource(new StringReader(XmlWriter.toText(out -> out.copy(element)))));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theProcessesOfAJobLearnWhatAllHaveLeft(Generation generation) throws Exception {
        JobId id = job("<d:count>3</d:count>");
        assertThat(property(generation, JOB, id, "rdv:Capacity").one("Capacity"))
                .isEqualTo("3");

        Answer first = door.post(JOB, register(generation, id, data("b\n") + rank(1)));
        assertThat(first.one("rank")).isEqualTo("1");
        assertThat(first.body().name()).isEqualTo(generation.rendezvous("registerResponse"));
        assertOfOurSchema(generation, first.body());
        assertThat(door.post(JOB, register(generation, id, data("a\n") + rank(-1)))
                        .one("rank"))
                .isEqualTo("0");

        assertThat(property(generation, JOB, id, "rdv:RendezvousCompleted").one("RendezvousCompleted"))
                .isEqualTo("false");
        assertThat(property(generation, JOB, id, "rdv:RegistrantData").all("RegistrantData"))
                .isEqualTo(generation == GT40 ? List.of("") : List.of());
        assertThat(door.post(JOB, register(generation, id, data("c\n"))).one("rank"))
                .isEqualTo("2");

        assertThat(property(generation, JOB, id, "rdv:RendezvousCompleted").one("RendezvousCompleted"))
                .isEqualTo("true");
        assertThat(text(property(generation, JOB, id, "rdv:RegistrantData"), "RegistrantData"))
                .isEqualTo("3 a\nb\nc\n");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theSubJobsOfAMultiJobMeetAtIt(Generation generation) {
        String sub = "<d:job><d:executable>/bin/date</d:executable><d:count>9</d:count></d:job>";
        Answer created = door.post(FACTORY, Envelopes.create("Multi", "<d:multiJob>" + sub + sub + "</d:multiJob>"));
        JobId id = JobId.parse(created.one("ResourceID"));
        assertThat(property(generation, MULTI_JOB, id, "rdv:Capacity").one("Capacity"))
                .isEqualTo("2");

        door.post(MULTI_JOB, register(generation, id, data("second") + rank(1)));
        door.post(MULTI_JOB, register(generation, id, data("first") + rank(0)));

        assertThat(text(property(generation, MULTI_JOB, id, "rdv:RegistrantData"), "RegistrantData"))
                .isEqualTo("2 firstsecond");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aRepetitionIsAnsweredTheSame(Generation generation) {
        JobId id = job("<d:count>2</d:count>");
        String any = register(generation, id, data("a"));

        assertThat(door.post(JOB, any).one("rank")).isEqualTo("0");
        assertThat(door.post(JOB, any).one("rank")).isEqualTo("0");
        String second = register(generation, id, data("b") + rank(1));
        assertThat(door.post(JOB, second).one("rank")).isEqualTo("1");
        assertThat(door.post(JOB, second).one("rank")).isEqualTo("1");
        assertThat(door.post(JOB, any).one("rank")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aSingleJobIsOneRegistrantAndTheNextIsTooMany(Generation generation) throws Exception {
        JobId id = job("<d:count>4</d:count><d:jobType>single</d:jobType>");
        assertThat(property(generation, JOB, id, "rdv:Capacity").one("Capacity"))
                .isEqualTo("1");
        door.post(JOB, register(generation, id, data("a")));

        XmlElement full = door.post(JOB, register(generation, id, data("b"))).fault();
        XmlElement taken =
                door.post(JOB, register(generation, id, data("b") + rank(0))).fault();

        assertThat(full.name()).isEqualTo(generation.rendezvous("capacityReachedFault"));
        assertOfOurSchema(generation, full);
        assertThat(taken.name()).isEqualTo(generation.rendezvous("rankTakenFault"));
        assertOfOurSchema(generation, taken);
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void whatCannotBeIsTheClientsFault(Generation generation) {
        JobId id = job("<d:count>2</d:count>");

        assertThat(door.post(JOB, register(generation, id, data("a") + rank(2))).clientFault())
                .contains("no rank 2", "0 to 1");
        assertThat(door.post(JOB, register(generation, id, data("a") + rank(-7)))
                        .clientFault())
                .contains("no rank -7");
        assertThat(door.post(JOB, register(generation, id, data("a") + "<rank>first</rank>"))
                        .clientFault())
                .contains("'first'");
        assertThat(door.post(JOB, register(generation, id, rank(0))).clientFault())
                .contains("no element data");
        assertThat(door.post(JOB, register(generation, id, "<data>?</data>")).clientFault())
                .contains("not Base64");
        door.jobs.state(id, JobState.DONE);
        assertThat(door.post(JOB, register(generation, id, data("a"))).clientFault())
                .contains("is over");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void toOthersTheJobIsUnknown(Generation generation) {
        JobId id = job("");

        Answer answer = door.post(JOB, register(generation, id, data("a")), "Test-Subject", "/O=H9Test/CN=Bob Tester");

        assertThat(answer.fault().localName()).isEqualTo("ResourceUnknownFault");
        assertThat(property(generation, JOB, id, "rdv:RendezvousCompleted").one("RendezvousCompleted"))
                .isEqualTo("false");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void tooMuchIsRefusedByTheNameOfTheLimit(Generation generation) {
        JobId id = job("");

        Answer answer = door.post(JOB, register(generation, id, data("x".repeat(64 * 1024 + 1))));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.text()).contains("limits.maxRegistrantBytes");
        assertThat(door.post(JOB, register(generation, id, data("x".repeat(64 * 1024))))
                        .one("rank"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void linesOfBase64MayBeBroken(Generation generation) {
        JobId id = job("");
        String lines = Base64.getMimeEncoder().encodeToString("x".repeat(200).getBytes(UTF_8));

        door.post(JOB, register(generation, id, "<data>\n  " + lines + "\n</data>"));

        assertThat(text(property(generation, JOB, id, "rdv:RegistrantData"), "RegistrantData"))
                .isEqualTo("1 " + "x".repeat(200));
    }

    private static String topic(Generation generation, String element) {
        return "<n:" + element + " xmlns:n=\"" + generation.notification("").getNamespaceURI() + "\" xmlns:r=\""
                + generation.rendezvous("").getNamespaceURI() + "\" Dialect=\"" + generation.simpleTopics()
                + "\">r:RendezvousCompleted</n:" + element + ">";
    }

    private void subscribe(Generation generation, JobId id, TestConsumer consumer) {
        String topic = topic(generation, "TopicExpression");
        String request = "<n:Subscribe xmlns:n=\"" + generation.notification("").getNamespaceURI()
                + "\"><n:ConsumerReference><wsa:Address>" + consumer.address()
                + "</wsa:Address></n:ConsumerReference>"
                + (generation == GT40 ? topic : "<n:Filter>" + topic + "</n:Filter>") + "</n:Subscribe>";
        Answer answer = door.post(JOB, toJob(generation, id, request));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aConsumerIsToldOnceWhenAllHaveCome(Generation generation) throws Exception {
        door.start();
        JobId id = job("<d:count>2</d:count>");
        try (TestConsumer consumer = new TestConsumer()) {
            subscribe(generation, id, consumer);
            door.post(JOB, register(generation, id, data("a")));
            door.jobs.state(id, JobState.ACTIVE);
            door.post(JOB, register(generation, id, data("b")));

            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !consumer.messages().isEmpty());
            door.jobs.state(id, JobState.CLEAN_UP);
            await().atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ofMillis(300))
                    .until(() -> consumer.messages().size() == 1);

            Answer message = consumer.messages().getFirst();
            assertThat(text(message, "RegistrantData")).isEqualTo("2 ab");
            assertThat(message.one("RendezvousCompleted")).isEqualTo("true");
            XmlElement content = content(message.envelope());
            assertThat(content.name()).isEqualTo(generation.rendezvous("stateChangeNotificationMessage"));
            assertOfOurSchema(generation, content);
            if (generation == GT40) {
                assertThat(message.text()).contains(":StateChangeNotificationMessageWrapperType\"");
            }
        }
    }

    private static XmlElement content(XmlElement envelope) {
        XmlElement element = envelope;
        for (String name : List.of("Body", "Notify", "NotificationMessage", "Message")) {
            element = element.child(name).orElseThrow(() -> new AssertionError("no " + name));
        }
        return element.children().getFirst();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theCurrentMessageOfTheTopicIsThereWhenAllHaveCome(Generation generation) throws Exception {
        JobId id = job("<d:count>2</d:count>");
        QName request = generation.notification("GetCurrentMessage");
        String ask = toJob(
                generation,
                id,
                "<n:" + request.getLocalPart() + " xmlns:n=\"" + request.getNamespaceURI() + "\">"
                        + topic(generation, "Topic") + "</n:" + request.getLocalPart() + ">");
        assertThat(door.post(JOB, ask).fault().localName()).isEqualTo("NoCurrentMessageOnTopicFault");

        IntStream.range(0, 2).forEach(i -> door.post(JOB, register(generation, id, data("x" + i))));

        Answer message = door.post(JOB, ask);
        assertThat(text(message, "RegistrantData")).isEqualTo("2 x0x1");
        assertOfOurSchema(generation, message.body().children().getFirst());
    }
}
