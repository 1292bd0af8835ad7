// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;

/** Reads a document into elements, within limits; without document types and entities of its own. */
final class AdlXml {

    private static final Limit ELEMENTS = new Limit("adl.maxXmlElements", 1_000_000);
    private static final Limit DEPTH = new Limit("adl.maxXmlDepth", 24);
    private static final Limit ATTRIBUTES = new Limit("adl.maxXmlAttributes", 32);
    private static final XMLInputFactory FACTORY = factory();

    private final XMLStreamReader reader;
    private final JobLimits limits;
    private long elements;

    private AdlXml(XMLStreamReader reader, JobLimits limits) {
        this.reader = reader;
        this.limits = limits;
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        return factory;
    }

    /**
     * Reads a whole document.
     *
     * @throws org.jobgate.job.FaultException if it is not well-formed, has a document type declaration or is over a limit
     */
    static AdlElement parse(String document, JobLimits limits) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new StringReader(document));
            while (reader.next() != XMLStreamConstants.START_ELEMENT) {
                if (reader.getEventType() == XMLStreamConstants.DTD) {
                    throw malformed("a document type declaration is not allowed here");
                }
            }
            AdlElement root = new AdlXml(reader, limits).element(1);
            while (reader.hasNext()) {
                reader.next();
            }
            return root;
        } catch (XMLStreamException e) {
            throw malformed(String.valueOf(e.getMessage()));
        }
    }

    private static RuntimeException malformed(String why) {
        return ActivityFaults.unreadable("The job description is no well-formed XML: "
                + ActivityFaults.shown(why.replaceAll("\\s+", " ").replaceFirst("^ParseError at ", "")) + ".");
    }

    private AdlElement element(int depth) throws XMLStreamException {
        ELEMENTS.check(++elements, "Elements of the XML document");
        DEPTH.check(depth, "Depth of the XML document");
        String namespace = reader.getNamespaceURI();
        String name = reader.getLocalName();
        ATTRIBUTES.check(reader.getAttributeCount(), "Attributes of one XML element");
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            limits.textBytes().check(reader.getAttributeValue(i).length(), "Characters of an XML attribute");
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        StringBuilder text = new StringBuilder();
        List<AdlElement> children = new ArrayList<>(4);
        for (int event = reader.next(); event != XMLStreamConstants.END_ELEMENT; event = reader.next()) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    text.append(reader.getText());
                    limits.textBytes().check(text.length(), "Characters of the element " + ActivityFaults.shown(name));
                }
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw malformed("the entity " + reader.getLocalName() + " is not known");
                default -> {
                    // comments and processing instructions have no meaning here
                }
            }
        }
        return new AdlElement(namespace == null ? "" : namespace, name, attributes, text.toString(), children);
    }
}
