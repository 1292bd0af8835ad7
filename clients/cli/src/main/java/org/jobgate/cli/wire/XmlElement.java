// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * One element of a small document (a reply, an endpoint reference), read whole.
 *
 * @param namespace empty for none
 * @param text all character data directly inside
 */
public record XmlElement(
        String namespace, String name, List<Attribute> attributes, List<XmlElement> children, String text) {
    /** Deeper documents are refused: nothing on this wire nests so far. */
    public static final int DEPTH_MAX = 64;

    /** An attribute that is not a namespace declaration. */
    public record Attribute(String namespace, String name, String value) {}

    public XmlElement {
        attributes = List.copyOf(attributes);
        children = List.copyOf(children);
    }

    /** A parser that reads no document type, no external entity, no file. */
    public static XMLInputFactory parsers() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // JDK 25 counts "&amp;" and its like as entities and stops at 100,000 characters of them. No document type is
        // accepted, so there are no others; sizes are bounded by the callers.
        factory.setProperty("jdk.xml.totalEntitySizeLimit", "0");
        factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", "0");
        return factory;
    }

    /**
     * Reads a document. The caller bounds the size of the stream.
     *
     * @throws XMLStreamException not well-formed, with a document type, or nested deeper than {@link #DEPTH_MAX}
     */
    public static XmlElement read(InputStream document) throws XMLStreamException {
        XMLStreamReader reader = parsers().createXMLStreamReader(document);
        try {
            while (reader.getEventType() != XMLStreamConstants.START_ELEMENT) {
                refuseDocumentType(reader);
                reader.next();
            }
            return element(reader, 1);
        } finally {
            reader.close();
        }
    }

    static void refuseDocumentType(XMLStreamReader reader) throws XMLStreamException {
        if (reader.getEventType() == XMLStreamConstants.DTD) {
            throw new XMLStreamException("a document type declaration is not accepted", reader.getLocation());
        }
    }

    private static XmlElement element(XMLStreamReader reader, int depth) throws XMLStreamException {
        if (depth > DEPTH_MAX) {
            throw new XMLStreamException("elements nest deeper than " + DEPTH_MAX, reader.getLocation());
        }
        String namespace = orEmpty(reader.getNamespaceURI());
        String name = reader.getLocalName();
        List<Attribute> attributes = attributes(reader);
        List<XmlElement> children = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(reader, depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    text.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    return new XmlElement(namespace, name, attributes, children, text.toString());
                }
                default -> {
                    // comments and processing instructions mean nothing here
                }
            }
        }
    }

    private static List<Attribute> attributes(XMLStreamReader reader) {
        List<Attribute> attributes = new ArrayList<>(reader.getAttributeCount());
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.add(new Attribute(
                    orEmpty(reader.getAttributeNamespace(i)),
                    reader.getAttributeLocalName(i),
                    reader.getAttributeValue(i)));
        }
        return attributes;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? XMLConstants.NULL_NS_URI : text;
    }

    public boolean is(String wantedNamespace, String wantedName) {
        return name.equals(wantedName) && namespace.equals(wantedNamespace);
    }

    /** The first child of that name. */
    public @Nullable XmlElement child(String wantedNamespace, String wantedName) {
        for (XmlElement child : children) {
            if (child.is(wantedNamespace, wantedName)) {
                return child;
            }
        }
        return null;
    }

    /** The trimmed text of the first child of that name; null where there is none. */
    public @Nullable String childText(String wantedNamespace, String wantedName) {
        XmlElement child = child(wantedNamespace, wantedName);
        return child == null ? null : child.text().strip();
    }

    public @Nullable String attribute(String wantedNamespace, String wantedName) {
        for (Attribute attribute : attributes) {
            if (attribute.name().equals(wantedName) && attribute.namespace().equals(wantedNamespace)) {
                return attribute.value();
            }
        }
        return null;
    }

    /** Writes it again, each element with its namespace as the default one, text and order unchanged. */
    public void write(StringBuilder out, String extraAttributes) {
        out.append('<').append(name).append(" xmlns=\"");
        XmlText.append(out, namespace);
        out.append('"').append(extraAttributes);
        int prefix = 0;
        for (Attribute attribute : attributes) {
            String qualifier = "";
            if (!attribute.namespace().isEmpty()) {
                qualifier = "a" + prefix + ":";
                out.append(" xmlns:a").append(prefix++).append("=\"");
                XmlText.append(out, attribute.namespace());
                out.append('"');
            }
            out.append(' ').append(qualifier).append(attribute.name()).append("=\"");
            XmlText.append(out, attribute.value());
            out.append('"');
        }
        out.append('>');
        XmlText.append(out, children.isEmpty() ? text : text.strip());
        children.forEach(child -> child.write(out, ""));
        out.append("</").append(name).append('>');
    }
}
