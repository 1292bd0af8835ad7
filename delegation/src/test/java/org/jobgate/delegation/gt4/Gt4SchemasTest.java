// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.delegation.DelegationDoor;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** What the delegation services answer, by the original schemas of both generations. */
class Gt4SchemasTest {

    private static final TestGrid GRID = new TestGrid();
    private static final Path SCHEMAS = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "schemas");
    private static final String OF_FACTORY = "gt4/delegationService/delegation_factory_flattened.wsdl";
    private static final String OF_SERVICE = "gt4/delegationService/delegation_flattened.wsdl";
    private static final String LIFETIME_42 = "gt42/wsrf/lifetime/rl-2.xsd";
    private static final String TOKENS = "gt4/ws/security/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    private static final String FACTORY = "DelegationFactoryService";
    private static final String SERVICE = "DelegationService";

    private static DelegationDoor door;

    @BeforeAll
    static void open(@TempDir Path directory) {
        assumeTrue(
                Files.isDirectory(SCHEMAS),
                "NOT TESTED against the original schemas: there are none at " + SCHEMAS.toAbsolutePath());
        door = new DelegationDoor(GRID, directory);
    }

    @AfterAll
    static void close() {
        if (door != null) {
            door.close();
        }
    }

    private static final Map<String, String> FILES = Map.of(
            Gt4Names.REQUEST.getNamespaceURI(),
            "gt4/ws/trust/ws-trust.xsd",
            Gt4Names.NAMESPACE,
            OF_SERVICE,
            Generation.GT40.wsrp(),
            "gt4/wsrf/properties/WS-ResourceProperties.wsdl",
            Generation.GT40.wsrl(),
            "gt4/wsrf/lifetime/WS-ResourceLifetime.wsdl",
            Generation.GT42.wsrp(),
            "gt42/wsrf/properties/rp-2.xsd",
            Generation.GT42.wsrl(),
            LIFETIME_42,
            Generation.GT42.resource("").getNamespaceURI(),
            "gt42/wsrf/resource/r-2.xsd",
            Generation.GT42.wsbf(),
            "gt42/wsrf/faults/bf-2.xsd",
            Generation.GT40.wsbf(),
            "gt4/wsrf/faults/WS-BaseFaults.xsd");

    /** @param others what declares the elements that are free in the schema of the element itself */
    private static void validate(XmlElement element, String... others) throws Exception {
        Set<String> files = new LinkedHashSet<>(
                List.of(requireNonNull(FILES.get(element.name().getNamespaceURI()), () -> String.valueOf(element))));
        files.addAll(List.of(others));
        validateBy(element, files);
    }

    private static void validateBy(XmlElement element, Set<String> files) throws Exception {
        String document = XmlWriter.toText(out -> out.copy(element));
        try {
            schema(files).newValidator().validate(new StreamSource(new StringReader(document)));
        } catch (SAXException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        }
    }

    private static Schema schema(Set<String> files) throws Exception {
        List<Source> sources = new ArrayList<>();
        for (String file : files) {
            Path path = SCHEMAS.resolve(file);
            sources.add(file.endsWith(".wsdl") ? inside(path) : new StreamSource(path.toFile()));
        }
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources.toArray(Source[]::new));
    }

    /** The schema inside a WSDL document, with the prefixes of the whole document. */
    private static Source inside(Path wsdl) throws Exception {
        Document document = DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(wsdl.toFile());
        Element schema = (Element) document.getElementsByTagNameNS(XMLConstants.W3C_XML_SCHEMA_NS_URI, "schema")
                .item(0);
        var bound = document.getDocumentElement().getAttributes();
        for (int i = 0; i < bound.getLength(); i++) {
            var attribute = bound.item(i);
            if (attribute.getNodeName().startsWith("xmlns:") && !schema.hasAttribute(attribute.getNodeName())) {
                schema.setAttributeNS(
                        XMLConstants.XMLNS_ATTRIBUTE_NS_URI, attribute.getNodeName(), attribute.getNodeValue());
            }
        }
        return new DOMSource(schema, wsdl.toUri().toString());
    }

    private static String envelope(String header, String body) {
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>" + header
                + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    private static String property(Generation generation, String operation, String name) {
        String names = operation.startsWith("GetM") ? "<ResourceProperty>" + name + "</ResourceProperty>" : name;
        return "<" + operation + " xmlns='" + generation.wsrp() + "' xmlns:d='" + Gt4Names.NAMESPACE + "' xmlns:l='"
                + generation.wsrl() + "'>" + names + "</" + operation + ">";
    }

    private static String query(Generation generation, String xpath) {
        return "<QueryResourceProperties xmlns='" + generation.wsrp() + "' xmlns:d='" + Gt4Names.NAMESPACE
                + "' xmlns:l='" + generation.wsrl()
                + "'><QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>" + xpath
                + "</QueryExpression></QueryResourceProperties>";
    }

    private static XmlElement answer(String service, String header, String body) throws Exception {
        Answer answer = door.post(ALICE, service, envelope(header, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        if (service.equals(FACTORY)) {
            validate(answer.body(), OF_FACTORY, TOKENS);
        } else {
            // of the delegation services there is a schema of GT 4.0 only
            boolean isDraft = answer.body().name().getNamespaceURI().equals(Generation.GT40.wsrp());
            validate(answer.body(), isDraft ? OF_SERVICE : LIFETIME_42);
        }
        return answer.body();
    }

    private static XmlElement child(XmlElement element, String name) {
        return element.child(name).orElseThrow(() -> new AssertionError("no " + name + " in " + element));
    }

    private static void refused(String subject, String service, String header, String body, String fault)
            throws Exception {
        Answer answer = door.post(subject, service, envelope(header, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(500);
        XmlElement detail = child(answer.body(), "detail").children().getFirst();
        assertThat(detail.localName()).as(answer.text()).isEqualTo(fault);
        validate(detail);
    }

    private static String token(Generation generation) throws Exception {
        XmlElement chain = answer(FACTORY, "", property(generation, "GetResourceProperty", "d:CertificateChain"));
        XmlElement own = child(chain, "CertificateChain");
        validateBy(own, new LinkedHashSet<>(List.of(OF_FACTORY, TOKENS)));
        byte[] path =
                Base64.getDecoder().decode(child(own, "BinarySecurityToken").text());
        List<X509Certificate> proxy =
                GRID.proxyOfAlice(Chains.ofPkiPath(path).getFirst().getPublicKey(), Duration.ofHours(1));
        return "<w:BinarySecurityToken xmlns:w='" + Gt4Names.TOKEN.getNamespaceURI() + "'>"
                + Base64.getEncoder().encodeToString(Chains.toPkiPath(proxy)) + "</w:BinarySecurityToken>";
    }

    /** What tells the generation where the body is of neither. */
    private static String message(Generation generation) {
        return "<a:MessageID xmlns:a='" + generation.wsa() + "'>uuid:1</a:MessageID>";
    }

    private static String delegated(Generation generation) throws Exception {
        XmlElement response = answer(
                FACTORY,
                message(generation),
                "<RequestSecurityToken xmlns='" + Gt4Names.REQUEST.getNamespaceURI() + "'>" + token(generation)
                        + "</RequestSecurityToken>");
        XmlElement keys =
                child(response.children().getFirst(), generation.referenceKeys().getLocalPart());
        return "<d:DelegationKey xmlns:d='" + Gt4Names.NAMESPACE + "'>"
                + child(keys, "DelegationKey").text() + "</d:DelegationKey>";
    }

    @ParameterizedTest
    @EnumSource
    void everyReplyAndFaultIsValid(Generation generation) throws Exception {
        String key = delegated(generation);
        answer(FACTORY, "", property(generation, "GetMultipleResourceProperties", "d:CertificateChain"));
        answer(SERVICE, key, property(generation, "GetResourceProperty", "l:TerminationTime"));
        answer(SERVICE, key, property(generation, "GetMultipleResourceProperties", "l:CurrentTime"));
        answer(
                SERVICE,
                message(generation) + key,
                "<refreshRequest xmlns='" + Gt4Names.NAMESPACE + "'>" + token(generation) + "</refreshRequest>");
        answer(
                SERVICE,
                key,
                "<SetTerminationTime xmlns='" + generation.wsrl() + "'><RequestedTerminationTime"
                        + " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></SetTerminationTime>");

        refused(
                ALICE,
                FACTORY,
                "",
                property(generation, "GetResourceProperty", "d:No"),
                "InvalidResourcePropertyQNameFault");
        refused(ALICE, FACTORY, "", query(generation, "]"), "InvalidQueryExpressionFault");
        refused(ALICE, SERVICE, key, query(generation, "count(1)"), "QueryEvaluationErrorFault");
        refused(
                ALICE,
                SERVICE,
                key,
                "<SetTerminationTime xmlns='" + generation.wsrl()
                        + "'><RequestedTerminationTime>2999-01-01T00:00:00Z</RequestedTerminationTime></SetTerminationTime>",
                "UnableToSetTerminationTimeFault");
        refused(BOB, SERVICE, key, query(generation, "/"), "ResourceUnknownFault");
        refused(BOB, SERVICE, key, "<Destroy xmlns='" + generation.wsrl() + "'/>", "ResourceUnknownFault");
        answer(SERVICE, key, "<Destroy xmlns='" + generation.wsrl() + "'/>");
        refused(
                ALICE,
                SERVICE,
                key,
                property(generation, "GetResourceProperty", "l:CurrentTime"),
                "ResourceUnknownFault");
    }

    @ParameterizedTest
    @EnumSource
    void aQuerySeesAllProperties(Generation generation) throws Exception {
        String key = delegated(generation);
        XmlElement all = answer(SERVICE, key, query(generation, "/"));
        XmlElement document = child(all, "DelegationPortTypeGTWSDLResourceProperties");
        validateIfDraft(generation, document, OF_SERVICE);
        assertThat(document.children())
                .extracting(XmlElement::localName)
                .containsExactly("CurrentTime", "TerminationTime");
        // a number is no element, which the draft's schema wants there
        assertThat(door.post(ALICE, SERVICE, envelope(key, query(generation, "count(/*/*)")))
                        .body()
                        .text())
                .isEqualTo("2");

        XmlElement factory = child(answer(FACTORY, "", query(generation, "/")), "RPSet");
        validateIfDraft(generation, factory, OF_FACTORY, TOKENS);
        assertThat(child(factory, "CertificateChain").child("BinarySecurityToken"))
                .isPresent();
    }

    /** Of the delegation services there is a schema of GT 4.0 only. */
    private static void validateIfDraft(Generation generation, XmlElement document, String... files) throws Exception {
        if (generation == Generation.GT40) {
            validateBy(document, new LinkedHashSet<>(List.of(files)));
        }
    }
}
