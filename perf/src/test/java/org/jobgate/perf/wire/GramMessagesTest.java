// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Shapes as in captures/gt4/04 (create with a subscription), 05 (create), 09 (hold) and 12 (poll). */
class GramMessagesTest {

    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String WSA = "http://schemas.xmlsoap.org/ws/2004/03/addressing";
    private static final Instant END = Instant.parse("2026-11-21T14:57:46.764Z");
    private static final String KEY = "11111111-2222-3333-4444-555555555555";

    private final GramMessages messages = new GramMessages("https://localhost:8443", "Fork", () -> new UUID(1, 2));

    @Test
    void createCarriesTheHeadersOfARealClient() throws Exception {
        Document message = parse(messages.create(JobRequest.noOp(KEY, END)));

        assertThat(text(message, WSA, "MessageID")).isEqualTo("uuid:" + new UUID(1, 2));
        assertThat(text(message, WSA, "To")).isEqualTo("https://localhost:8443/wsrf/services/ManagedJobFactoryService");
        assertThat(text(message, WSA, "Action")).isEqualTo(JOB + "/ManagedJobFactoryPortType/createManagedJobRequest");
        assertThat(text(message, JOB, "ResourceID")).isEqualTo("Fork");
    }

    @Test
    void createCarriesKeyAndDescriptionInTheOrderOfTheSchema() throws Exception {
        Document message =
                parse(messages.create(new JobRequest(KEY, "/bin/echo", List.of("first", "second"), END, null)));

        Element create = (Element)
                message.getElementsByTagNameNS(JOB, "createManagedJob").item(0);
        assertThat(names(create)).containsExactly("InitialTerminationTime", "JobID", "job");
        assertThat(text(message, JOB, "JobID")).isEqualTo("uuid:" + KEY);
        assertThat(text(message, JOB, "InitialTerminationTime")).isEqualTo(END.toString());
        assertThat(text(message, JOB + "/description", "executable")).isEqualTo("/bin/echo");
        assertThat(message.getElementsByTagNameNS(JOB + "/description", "argument")
                        .item(1)
                        .getTextContent())
                .isEqualTo("second");
        assertThat(message.getElementsByTagNameNS(JOB + "/types", "holdState").getLength())
                .isZero();
    }

    @Test
    void aJobInADirectoryOfItsOwnNamesItAfterItsProgram() throws Exception {
        Document message = parse(messages.create(JobRequest.noOp(KEY, END).in("/data/a&b")));

        Element job = (Element)
                message.getElementsByTagNameNS(JOB + "/description", "job").item(0);
        assertThat(names(job)).containsExactly("executable", "directory");
        assertThat(text(message, JOB + "/description", "directory")).isEqualTo("/data/a&b");
    }

    @Test
    void aJobThatTellsSubscribesItsConsumerBeforeItsDescription() throws Exception {
        Document message = parse(messages.create(JobRequest.noOp(KEY, END).telling("http://127.0.0.1:1/c?a&b")));

        Element create = (Element)
                message.getElementsByTagNameNS(JOB, "createManagedJob").item(0);
        assertThat(names(create)).containsExactly("InitialTerminationTime", "JobID", "Subscribe", "job");
        String notification = "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
        Element subscribe = (Element)
                message.getElementsByTagNameNS(notification, "Subscribe").item(0);
        assertThat(names(subscribe)).containsExactly("ConsumerReference", "TopicExpression");
        assertThat(subscribe.getFirstChild().getTextContent()).isEqualTo("http://127.0.0.1:1/c?a&b");
        Element topic = (Element) subscribe.getLastChild();
        assertThat(topic.getTextContent()).isEqualTo("t:state");
        assertThat(topic.lookupNamespaceURI("t")).isEqualTo(JOB + "/types");
        assertThat(topic.getAttributeNS(notification, "Dialect"))
                .isEqualTo("http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple");
    }

    @Test
    void aHeldJobSaysWhere() throws Exception {
        Document message = parse(messages.create(JobRequest.noOp(KEY, END).held()));

        assertThat(text(message, JOB + "/types", "holdState")).isEqualTo("Pending");
    }

    @Test
    void credentialsAndFilesStandWhereTheSchemaHasThem() throws Exception {
        Staging staging = new Staging(
                "k&1",
                List.of(new Staging.Copy("gsiftp://a/in", "file:///in")),
                List.of(new Staging.Copy("file:///in", "gsiftp://b/out")),
                List.of("file:///in"));
        Document message = parse(messages.create(
                JobRequest.noOp(KEY, END).with("k&1").with(staging).held()));

        Element job = (Element)
                message.getElementsByTagNameNS(JOB + "/description", "job").item(0);
        assertThat(names(job))
                .containsExactly(
                        "jobCredentialEndpoint",
                        "stagingCredentialEndpoint",
                        "holdState",
                        "executable",
                        "fileStageIn",
                        "fileStageOut",
                        "fileCleanUp");
        String delegation = "http://www.globus.org/08/2004/delegationService";
        assertThat(message.getElementsByTagNameNS(delegation, "DelegationKey").getLength())
                .isEqualTo(4);
        assertThat(text(message, delegation, "DelegationKey")).isEqualTo("k&1");
        String rft = "http://www.globus.org/namespaces/2004/10/rft";
        assertThat(text(message, rft, "sourceUrl")).isEqualTo("gsiftp://a/in");
        assertThat(text(message, rft, "file")).isEqualTo("file:///in");
    }

    @Test
    void aDelegationCarriesNoResourceAndOneToken() throws Exception {
        Document message = parse(messages.delegate("AAAA"));

        assertThat(message.getElementsByTagNameNS(JOB, "ResourceID").getLength())
                .isZero();
        Element asked = (Element)
                message.getElementsByTagNameNS("http://schemas.xmlsoap.org/ws/2004/04/trust", "RequestSecurityToken")
                        .item(0);
        assertThat(names(asked)).containsExactly("BinarySecurityToken");
        assertThat(asked.getTextContent()).isEqualTo("AAAA");
        assertThat(parse(messages.keyToDelegateTo()).getDocumentElement().getTextContent())
                .endsWith(":CertificateChain");
    }

    @Test
    void aDestroyOfACredentialNamesItsKey() throws Exception {
        Document message = parse(messages.destroyCredential("k&1"));

        assertThat(text(message, "http://www.globus.org/08/2004/delegationService", "DelegationKey"))
                .isEqualTo("k&1");
        assertThat(message.getElementsByTagNameNS(JOB, "ResourceID").getLength())
                .isZero();
        assertThat(text(message, "http://schemas.xmlsoap.org/ws/2004/03/addressing", "To"))
                .endsWith("/wsrf/services/DelegationService");
    }

    @Test
    void argumentsComeOutAsTheyWentIn() throws Exception {
        String nasty = "a<b>&c \"d\" 'e' $f `g` ]]> \r\n\t ü 漢";
        Document message = parse(messages.create(new JobRequest(KEY, "/bin/echo", List.of(nasty), END, null)));

        assertThat(text(message, JOB + "/description", "argument")).isEqualTo(nasty);
    }

    @Test
    void aPollNamesTheJobAndTheProperties() throws Exception {
        Document message = parse(messages.properties("some-job"));

        assertThat(text(message, JOB, "ResourceID")).isEqualTo("some-job");
        assertThat(text(message, WSA, "To"))
                .isEqualTo("https://localhost:8443/wsrf/services/ManagedExecutableJobService");
        assertThat(message.getElementsByTagNameNS("*", "ResourceProperty").getLength())
                .isEqualTo(4);
    }

    @Test
    void aPollThatWaitsSaysWhatWasSeenAndHowLong() throws Exception {
        Document message = parse(messages.changedProperties("some-job", "a\"<b", Duration.ofSeconds(20)));

        Element wait = (Element) message.getElementsByTagNameNS("https://jobgate.org/ns/2026/wait", "Wait")
                .item(0);
        assertThat(wait.getParentNode().getLocalName()).isEqualTo("Header");
        assertThat(wait.getAttribute("timeoutMs")).isEqualTo("20000");
        assertThat(wait.getAttribute("state")).isEqualTo("a\"<b");
        assertThat(text(message, JOB, "ResourceID")).isEqualTo("some-job");
        assertThat(message.getElementsByTagNameNS("*", "ResourceProperty").getLength())
                .isEqualTo(4);
    }

    private static Document parse(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static String text(Document document, String namespace, String name) {
        assertThat(document.getElementsByTagNameNS(namespace, name).getLength())
                .as("{%s}%s", namespace, name)
                .isPositive();
        return document.getElementsByTagNameNS(namespace, name).item(0).getTextContent();
    }

    private static List<String> names(Element parent) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(place -> parent.getChildNodes().item(place).getLocalName())
                .toList();
    }
}
