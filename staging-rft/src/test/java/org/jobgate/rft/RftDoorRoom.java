// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.KEY;

import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.SAXException;

/** A door of RFT, asked in both generations; every answer is checked against our schemas. */
abstract class RftDoorRoom {

    static final String FACTORY = "ReliableFileTransferFactoryService";
    static final String SERVICE = "ReliableFileTransferService";
    static final String SUBSCRIPTIONS = "ReliableFileTransferSubscriptionService";
    private static final Map<Generation, Schema> SCHEMAS =
            Map.of(Generation.GT40, schema(""), Generation.GT42, schema("gt42/"));

    @TempDir
    Path directory;

    TestDoor door;

    @BeforeEach
    void open() throws Exception {
        door = new TestDoor(directory);
    }

    @AfterEach
    void close() throws Exception {
        door.close();
    }

    private static Schema schema(String folder) {
        try {
            Source[] sources =
                    List.of("rft.xsd", "resource-properties.xsd", "base-notification.xsd", "keys.xsd").stream()
                            .map(name -> new StreamSource(requireNonNull(
                                            RftDoorRoom.class.getResource("/org/jobgate/rft/wsdl/" + folder + name),
                                            name)
                                    .toString()))
                            .toArray(Source[]::new);
            return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources);
        } catch (SAXException e) {
            throw new IllegalStateException(e);
        }
    }

    static void validate(Generation generation, XmlElement element) {
        String document = XmlWriter.toText(out -> out.copy(element));
        try {
            requireNonNull(SCHEMAS.get(generation))
                    .newValidator()
                    .validate(new StreamSource(new StringReader(document)));
        } catch (SAXException | java.io.IOException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        }
    }

    static String envelope(Generation generation, String key, String body) {
        String header = key.isEmpty()
                ? ""
                : "<r:TransferKey xmlns:r='" + generation.transfer("").getNamespaceURI() + "'>" + key
                        + "</r:TransferKey>";
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>" + header
                + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    XmlElement answer(Generation generation, String service, String key, String body) throws Exception {
        Answer answer = door.post(ALICE, service, envelope(generation, key, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        validate(generation, answer.body());
        return answer.body();
    }

    XmlElement refused(String subject, Generation generation, String service, String key, String body, String fault)
            throws Exception {
        Answer answer = door.post(subject, service, envelope(generation, key, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(500);
        XmlElement detail = child(answer.body(), "detail").children().getFirst();
        assertThat(detail.localName()).as(answer.text()).isEqualTo(fault);
        return answer.body();
    }

    static XmlElement child(XmlElement element, String... path) {
        XmlElement at = element;
        for (String name : path) {
            XmlElement parent = at;
            at = at.child(name).orElseThrow(() -> new AssertionError("no " + name + " in " + parent));
        }
        return at;
    }

    static String rft(Generation generation, String name, String content) {
        return "<" + name + " xmlns='" + generation.transfer("").getNamespaceURI() + "'>" + content + "</" + name + ">";
    }

    static String credential(Generation generation, String key) {
        return "<transferCredentialEndpoint><a:Address xmlns:a='" + generation.wsa()
                + "'>https://localhost/wsrf/services/DelegationService</a:Address><a:"
                + generation.referenceKeys().getLocalPart() + " xmlns:a='" + generation.wsa()
                + "'><d:DelegationKey xmlns:d='http://www.globus.org/08/2004/delegationService'>" + key
                + "</d:DelegationKey></a:" + generation.referenceKeys().getLocalPart()
                + "></transferCredentialEndpoint>";
    }

    static String copy(String from, String to) {
        return "<transfer><sourceUrl>gsiftp://a/" + from + "</sourceUrl><destinationUrl>gsiftp://b/" + to
                + "</destinationUrl></transfer>";
    }

    static String copying(Generation generation, String transfers) {
        return rft(
                generation,
                "createReliableFileTransferRequest",
                "<transferRequest><concurrency>2</concurrency><maxAttempts>1</maxAttempts>"
                        + credential(generation, KEY) + transfers
                        + "<rftOptions><binary>true</binary><sourceSubjectName>null</sourceSubjectName></rftOptions>"
                        + "</transferRequest>");
    }

    String created(Generation generation, String body) throws Exception {
        XmlElement response = answer(generation, FACTORY, "", body);
        return child(response, "reliableTransferEPR", generation.referenceKeys().getLocalPart(), "TransferKey")
                .text();
    }

    void put(String name) {
        door.servers.files.put(URI.create("gsiftp://a/" + name), name.getBytes(StandardCharsets.UTF_8));
    }

    boolean has(String name) {
        return door.servers.files.containsKey(URI.create("gsiftp://b/" + name));
    }

    XmlElement property(Generation generation, String key, String name) throws Exception {
        String body = "<GetResourceProperty xmlns='" + generation.wsrp() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "' xmlns:l='" + generation.wsrl() + "'>" + name
                + "</GetResourceProperty>";
        return answer(generation, SERVICE, key, body).children().getFirst();
    }

    String status(Generation generation, String key) throws Exception {
        return child(property(generation, key, "r:RequestStatusProperty"), "requestStatus")
                .text();
    }

    void start(Generation generation, String key) throws Exception {
        answer(generation, SERVICE, key, rft(generation, "start", ""));
    }

    void isOver(Generation generation, String key, String word) {
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(status(generation, key)).isEqualTo(word));
    }

    static List<String> counts(XmlElement overall) {
        return overall.children().stream()
                .filter(each ->
                        each.localName().startsWith("transfers") && !each.text().equals("0"))
                .map(each -> each.localName() + "=" + each.text())
                .toList();
    }

    XmlElement refusedBody(String body) {
        return door.post(ALICE, FACTORY, envelope(Generation.GT40, "", body)).body();
    }

    static XmlElement fault(XmlElement body) {
        return child(body, "detail").children().getFirst();
    }
}
