// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Map.entry;
import static org.jobgate.gt4.Generation.GT40;
import static org.jobgate.gt4.Generation.GT42;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.w3c.dom.ls.LSResourceResolver;
import org.xml.sax.SAXException;

/** Validates what we send against the original schemas, as kept beside the project in {@code ../shared/schemas}. */
final class OriginalSchemas {

    /** Where the elements of each namespace are declared; some messages are declared inside a WSDL. */
    private static final Map<String, String> FILES = Map.ofEntries(
            entry(GT40.wsrp(), "wsrf/properties/WS-ResourceProperties.wsdl"),
            entry(GT40.wsrl(), "wsrf/lifetime/WS-ResourceLifetime.wsdl"),
            entry(GT40.wsnt(), "wsrf/notification/WS-BaseN.wsdl"),
            entry(GT40.wsbf(), "wsrf/faults/WS-BaseFaults.xsd"),
            entry(GT40.gram() + "/types", "gram/managed_job_types.xsd"),
            entry(GT40.gram() + "/faults", "gram/managed_job_faults.xsd"),
            entry(GT40.gram() + "/description", "gram/job_description.xsd"),
            entry(GT42.wsrp(), "wsrf/properties/rp-2.xsd"),
            entry(GT42.wsrl(), "wsrf/lifetime/rl-2.xsd"),
            entry(GT42.wsnt(), "wsrf/notification/b-2.xsd"),
            entry(GT42.wsbf(), "wsrf/faults/bf-2.xsd"),
            entry(GT42.resource("").getNamespaceURI(), "wsrf/resource/r-2.xsd"),
            entry(GT42.gram(), "gram/jdd/managed_job_factory_port_type.wsdl"),
            entry(GT42.gram() + "/types", "gram/jdd/managed_job_types.xsd"),
            entry(GT42.gram() + "/faults", "gram/jdd/managed_job_faults.xsd"),
            entry(GT42.gram() + "/description", "gram/jdd/job_description.xsd"),
            entry(GT42.gram() + "/exec", "gram/jdd/managed_executable_job_port_type.wsdl"),
            entry(GT42.gram() + "/release", "gram/jdd/release_managed_job_provider_port_type.wsdl"),
            entry(GT42.gram() + "/terminate", "gram/jdd/terminate_managed_job_provider_port_type.wsdl"));

    private final Generation generation;
    private final Path folder;
    private final Map<String, String> standIns;
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    OriginalSchemas(Generation generation) {
        this.generation = generation;
        Path schemas = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "schemas");
        this.folder = schemas.resolve(generation == GT40 ? "gt4" : "gt42");
        this.standIns =
                standIns(generation == GT40 ? "2004/09" : "2008/04", generation == GT40 ? "2004/10" : "2008/04");
    }

    /** What the original schemas import and is not kept: just enough of each for the rest to stand. */
    private static Map<String, String> standIns(String rendezvous, String transfer) {
        String globus = "http://www.globus.org/namespaces/";
        return Map.of(
                "rendezvous_types.xsd",
                elements(globus + rendezvous + "/rendezvous", "Capacity", "RegistrantData", "RendezvousCompleted"),
                "ce.xsd",
                elements("http://mds.globus.org/glue/ce/1.1", "GLUECE", "GLUECESummary"),
                "metadata.xsd",
                elements("http://mds.globus.org/metadata/2005/02", "ServiceMetaDataInfo"),
                "reliable_transfer_types.xsd",
                types(globus + transfer + "/rft", "TransferRequestType", "DeleteRequestType"));
    }

    private static String elements(String namespace, String... names) {
        return standIn(namespace, "<xs:element name=\"%s\"/>", names);
    }

    private static String types(String namespace, String... names) {
        return standIn(namespace, "<xs:complexType name=\"%s\"/>", names);
    }

    private static String standIn(String namespace, String form, String... names) {
        StringBuilder schema = new StringBuilder(
                        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"")
                .append(namespace)
                .append("\">");
        for (String name : names) {
            schema.append(String.format(form, name));
        }
        return schema.append("</xs:schema>").toString();
    }

    /** Skips the test where there are no original schemas. */
    OriginalSchemas require() {
        assumeTrue(
                Files.isDirectory(folder),
                "NOT TESTED against the original schemas: there are none at " + folder.toAbsolutePath());
        return this;
    }

    /** Checks the element; messages of the job port types are declared in several files, one of which is named here. */
    void validate(XmlElement element, String file) {
        String document = XmlWriter.toText(out -> out.copy(element));
        try {
            schema(file).newValidator().validate(new StreamSource(new StringReader(document)));
        } catch (SAXException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void validate(XmlElement element) {
        String file = FILES.get(element.name().getNamespaceURI());
        if (file == null) {
            throw new AssertionError("no original schema of " + generation + " declares " + element);
        }
        validate(element, file);
    }

    private Schema schema(String file) {
        return compiled.computeIfAbsent(file, this::compile);
    }

    private Schema compile(String file) {
        try {
            SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
            factory.setResourceResolver(resolver());
            Path path = folder.resolve(file);
            Source source = file.endsWith(".wsdl") ? inside(path) : new StreamSource(path.toFile());
            return factory.newSchema(source);
        } catch (SAXException | IOException | ReflectiveOperationException | ParserConfigurationException e) {
            throw new IllegalStateException(file, e);
        }
    }

    /** The schema inside a WSDL document, with the prefixes of the whole document. */
    private static Source inside(Path wsdl) throws IOException, SAXException, ParserConfigurationException {
        Document document = DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readAllBytes(wsdl)));
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

    private LSResourceResolver resolver() throws ReflectiveOperationException {
        DOMImplementationLS ls =
                (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
        return (type, namespace, publicId, systemId, base) -> {
            String name = systemId == null ? "" : systemId.replaceAll(".*/", "");
            String standIn = standIns.get(name);
            if (standIn == null) {
                return null;
            }
            LSInput input = ls.createLSInput();
            input.setSystemId(base + "/" + name);
            input.setByteStream(new ByteArrayInputStream(standIn.getBytes(StandardCharsets.UTF_8)));
            return input;
        };
    }
}
