// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The schemas of messages: the official ones, and our own. */
final class Schemas {

    private Schemas() {}

    static Path shared() {
        return Path.of(System.getProperty("jobgate.root", "."), "..", "shared");
    }

    /** The schema that stands inside the official WSDL, with what it includes. */
    static Schema official(Path wsdl) throws Exception {
        DocumentBuilderFactory documents = DocumentBuilderFactory.newInstance();
        documents.setNamespaceAware(true);
        Document document = documents.newDocumentBuilder().parse(wsdl.toFile());
        Element schema = (Element) document.getElementsByTagNameNS(XMLConstants.W3C_XML_SCHEMA_NS_URI, "schema")
                .item(0);
        NamedNodeMap outer = document.getDocumentElement().getAttributes();
        for (int i = 0; i < outer.getLength(); i++) {
            Node attribute = outer.item(i);
            if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())
                    && !schema.hasAttribute(attribute.getNodeName())) {
                schema.setAttributeNS(
                        XMLConstants.XMLNS_ATTRIBUTE_NS_URI, attribute.getNodeName(), attribute.getNodeValue());
            }
        }
        StringWriter text = new StringWriter();
        TransformerFactory.newInstance().newTransformer().transform(new DOMSource(schema), new StreamResult(text));
        return factory()
                .newSchema(new StreamSource(
                        new StringReader(text.toString()), wsdl.toUri().toString()));
    }

    /** Our own, as the resource of this name has it. */
    static Schema own(String name) throws Exception {
        URL resource = Optional.ofNullable(BesDoor.class.getResource(name)).orElseThrow();
        return factory().newSchema(resource);
    }

    private static SchemaFactory factory() {
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    }

    /** What the schema has against the element; empty where it is valid. */
    static String objection(Schema schema, XmlElement element) throws Exception {
        byte[] document = XmlWriter.toDocument(out -> out.copy(element));
        try {
            schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
            return "";
        } catch (SAXException e) {
            return e.getMessage() + " in " + new String(document, StandardCharsets.UTF_8);
        }
    }
}
