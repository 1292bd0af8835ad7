// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.wsdl.Definition;
import javax.wsdl.Fault;
import javax.wsdl.Message;
import javax.wsdl.Operation;
import javax.wsdl.Part;
import javax.wsdl.PortType;
import javax.wsdl.factory.WSDLFactory;
import javax.wsdl.xml.WSDLReader;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.SchemaFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** The description that the service gives of itself says the same as the official one, is valid, and is read by another stack. */
class CreamWsdlTest {

    private static final String ADDRESS = "https://gate.example.org:8443/ce-cream/services/CREAM2";
    private static final String SOAP = "http://schemas.xmlsoap.org/wsdl/soap/";

    @TempDir
    Path directory;

    @Test
    void theSchemaIsValid() throws Exception {
        Element schema = schema(parsed(CreamWsdl.document(ADDRESS)));

        assertThat(SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new DOMSource(schema)))
                .isNotNull();
    }

    @Test
    void everyTypeAndElementIsThatOfTheOfficialOne() throws Exception {
        Element theirs = schema(parsed(Files.readAllBytes(official())));
        Element ours = schema(parsed(CreamWsdl.document(ADDRESS)));

        assertThat(declared(ours)).hasSizeGreaterThan(50).containsExactlyInAnyOrderElementsOf(declared(theirs));
    }

    @Test
    void everyOperationMessageFaultAndActionIsThatOfTheOfficialOne() throws Exception {
        byte[] theirs = Files.readAllBytes(official());
        byte[] ours = CreamWsdl.document(ADDRESS);

        assertThat(operations(ours)).hasSize(17).containsExactlyInAnyOrderElementsOf(operations(theirs));
        assertThat(bindings(ours)).hasSize(17).containsExactlyInAnyOrderElementsOf(bindings(theirs));
    }

    @Test
    void itIsServedAtTheServiceAndAnotherStackReadsIt() throws Exception {
        try (CreamRoom room = new CreamRoom(directory, CreamRoom.settings())) {
            for (String query : List.of("wsdl", "WSDL")) {
                String served = room.get("/CREAM2?" + query);
                assertThat(served).contains("location=\"" + room.url() + "/CREAM2\"");
            }
            Bus bus = new CXFBusFactory().createBus();
            try {
                assertThat(new WSDLServiceFactory(bus, room.url() + "/CREAM2?wsdl")
                                .create()
                                .getServiceInfos())
                        .singleElement()
                        .satisfies(info ->
                                assertThat(info.getInterface().getOperations()).hasSize(17));
            } finally {
                bus.shutdown(true);
            }
        }
    }

    private static Path official() {
        Path file = CreamRoom.shared("schemas/cream/org.glite.ce-cream2_service.wsdl");
        assumeTrue(Files.exists(file), "NOT TESTED against the official WSDL: there is no " + file.toAbsolutePath());
        return file;
    }

    static Document parsed(byte[] wsdl) throws Exception {
        return DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(wsdl));
    }

    /** By itself, with the prefixes that it took from the WSDL. */
    static Element schema(Document wsdl) {
        Element schema = (Element) wsdl.getElementsByTagNameNS(XMLConstants.W3C_XML_SCHEMA_NS_URI, "schema")
                .item(0);
        NamedNodeMap outer = wsdl.getDocumentElement().getAttributes();
        for (int i = 0; i < outer.getLength(); i++) {
            Node each = outer.item(i);
            if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI())
                    && !schema.hasAttribute(each.getNodeName())) {
                schema.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, each.getNodeName(), each.getNodeValue());
            }
        }
        return schema;
    }

    private static List<String> declared(Element schema) {
        return elements(schema).stream().map(CreamWsdlTest::told).toList();
    }

    private static List<Element> elements(Element parent) {
        List<Element> all = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                all.add(element);
            }
        }
        return all;
    }

    /** What a declaration says: defaults that are written out say nothing, and a prefix stands for its namespace. */
    private static String told(Element element) {
        Set<String> attributes = new TreeSet<>();
        NamedNodeMap all = element.getAttributes();
        for (int i = 0; i < all.getLength(); i++) {
            Node each = all.item(i);
            String value = each.getNodeValue();
            boolean isUsual = (each.getNodeName().equals("minOccurs")
                            || each.getNodeName().equals("maxOccurs"))
                    && value.equals("1");
            if (each.getNamespaceURI() == null && !isUsual) {
                int colon = value.indexOf(':');
                boolean isName = Set.of("type", "ref", "base").contains(each.getNodeName());
                attributes.add(each.getNodeName() + "="
                        + (isName && colon > 0
                                ? "{" + element.lookupNamespaceURI(value.substring(0, colon)) + "}"
                                        + value.substring(colon + 1)
                                : value));
            }
        }
        return element.getLocalName()
                + attributes
                + elements(element).stream().map(CreamWsdlTest::told).toList();
    }

    private static Definition definition(byte[] wsdl) throws Exception {
        WSDLReader reader = WSDLFactory.newInstance().newWSDLReader();
        reader.setFeature("javax.wsdl.verbose", false);
        reader.setFeature("com.ibm.wsdl.parseXMLSchemas", false);
        return reader.readWSDL(null, new InputSource(new StringReader(new String(wsdl, StandardCharsets.UTF_8))));
    }

    private static List<String> operations(byte[] wsdl) throws Exception {
        PortType portType =
                (PortType) definition(wsdl).getPortTypes().values().iterator().next();
        List<String> all = new ArrayList<>();
        for (Object each : portType.getOperations()) {
            Operation operation = (Operation) each;
            Set<String> faults = new TreeSet<>();
            for (Object fault : operation.getFaults().values()) {
                faults.add(((Fault) fault).getName() + " " + message(((Fault) fault).getMessage()));
            }
            all.add(portType.getQName() + " " + operation.getName() + " "
                    + message(operation.getInput().getMessage()) + " "
                    + message(operation.getOutput().getMessage()) + " " + faults);
        }
        return all;
    }

    private static String message(Message message) {
        List<String> parts = new ArrayList<>();
        for (Object each : message.getOrderedParts(null)) {
            Part part = (Part) each;
            parts.add(part.getName() + "=" + part.getElementName());
        }
        return message.getQName() + parts.toString();
    }

    /** Each operation with its action, and the elements of SOAP in its input and its faults. */
    private static List<String> bindings(byte[] wsdl) throws Exception {
        Element binding = (Element) parsed(wsdl)
                .getElementsByTagNameNS("http://schemas.xmlsoap.org/wsdl/", "binding")
                .item(0);
        List<String> all = new ArrayList<>();
        for (Element operation : elements(binding)) {
            if (operation.getNamespaceURI().equals(SOAP)) {
                continue;
            }
            Set<String> parts = new TreeSet<>();
            String action = "";
            for (Element part : elements(operation)) {
                action = part.getNamespaceURI().equals(SOAP) ? part.getAttribute("soapAction") : action;
                elements(part)
                        .forEach(each -> parts.add(part.getLocalName() + "/" + each.getLocalName() + " "
                                + each.getAttribute("name") + each.getAttribute("message") + " "
                                + each.getAttribute("use")));
            }
            all.add(binding.getAttribute("name") + " " + operation.getAttribute("name") + " " + action + " " + parts);
        }
        return all;
    }
}
