// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.Optional;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads a document, or the part of it that a reader stands before, into {@link XmlElement}s, within limits. */
public final class XmlTree {

    private static final XMLInputFactory FACTORY = factory();
    /** No longer text is looked at as a qualified name. */
    private static final int QUALIFIED_NAME_LIMIT = 512;

    private final XMLStreamReader reader;
    private final XmlLimits limits;
    private long elements;

    private XmlTree(XMLStreamReader reader, XmlLimits limits) {
        this.reader = reader;
        this.limits = limits;
    }

    private static XMLInputFactory factory() {
        WstxInputFactory factory = new WstxInputFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        return factory;
    }

    /**
     * Reads a whole document.
     *
     * @throws MalformedXmlException if it is not well-formed or has a document type declaration
     * @throws org.jobgate.job.FaultException of code {@code LIMIT_EXCEEDED}
     */
    public static XmlElement parse(byte[] document, XmlLimits limits) {
        try {
            return document(FACTORY.createXMLStreamReader(new ByteArrayInputStream(document)), limits);
        } catch (XMLStreamException | WstxLazyException e) {
            throw new MalformedXmlException(sentence(e), e);
        }
    }

    /**
     * Reads a whole document that was decoded already: the encoding that it declares means nothing.
     *
     * @throws MalformedXmlException if it is not well-formed or has a document type declaration
     * @throws org.jobgate.job.FaultException of code {@code LIMIT_EXCEEDED}
     */
    public static XmlElement parse(String document, XmlLimits limits) {
        try {
            return document(FACTORY.createXMLStreamReader(new StringReader(document)), limits);
        } catch (XMLStreamException | WstxLazyException e) {
            throw new MalformedXmlException(sentence(e), e);
        }
    }

    private static XmlElement document(XMLStreamReader reader, XmlLimits limits) throws XMLStreamException {
        toRoot(reader);
        XmlElement root = new XmlTree(reader, limits).element(null, 1);
        while (reader.hasNext()) {
            reader.next();
        }
        return root;
    }

    private static void toRoot(XMLStreamReader reader) throws XMLStreamException {
        while (reader.next() != XMLStreamConstants.START_ELEMENT) {
            if (reader.getEventType() == XMLStreamConstants.DTD) {
                throw new MalformedXmlException("a document type declaration is not allowed here", null);
            }
        }
    }

    /**
     * The name of the root element of a document of which only the beginning is there.
     *
     * @return empty where it does not begin as XML that is read here, or the root's start tag does not end in it
     */
    public static Optional<QName> rootName(String beginning) {
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new StringReader(beginning));
            toRoot(reader);
            return Optional.of(reader.getName());
        } catch (XMLStreamException | WstxLazyException | MalformedXmlException e) {
            return Optional.empty(); // another form of text: nothing is wrong with it
        }
    }

    /** Reads the next element that starts; leaves the reader on its end. */
    public static XmlElement read(XMLStreamReader reader, XmlLimits limits) {
        try {
            while (reader.getEventType() != XMLStreamConstants.START_ELEMENT) {
                reader.next();
            }
            return new XmlTree(reader, limits).element(null, 1);
        } catch (XMLStreamException | WstxLazyException e) {
            throw new MalformedXmlException(sentence(e), e);
        }
    }

    /** What a parser says of a document that it cannot read. */
    public static String sentence(Exception e) {
        String message = e.getMessage();
        return "The XML is not well-formed: "
                + (message == null ? "the parser cannot read it" : message.replaceAll("\\s+", " "));
    }

    private XmlElement element(@Nullable XmlElement parent, int depth) throws XMLStreamException {
        limits.elements().check(++elements, "Elements of the XML document");
        limits.depth().check(depth, "Depth of the XML document");
        XmlElement element = new XmlElement(reader.getName(), parent);
        if (parent == null) {
            inheritDefault(element);
        }
        declarations(element);
        attributes(element);
        content(element, depth);
        return element;
    }

    /**
     * What the reader's surroundings bind (a SOAP envelope, say) matters to a text that is a qualified name: looked up while the
     * reader still knows.
     */
    private void inheritPrefix(XmlElement element) {
        String text = element.text();
        int colon = text.length() > QUALIFIED_NAME_LIMIT ? -1 : text.indexOf(':');
        if (colon < 0) {
            return;
        }
        String prefix = text.substring(0, colon).strip();
        if (!prefix.isEmpty() && !element.binds(prefix)) {
            String namespace = reader.getNamespaceURI(prefix);
            if (namespace != null) {
                element.root().declare(prefix, namespace);
            }
        }
    }

    private void inheritDefault(XmlElement root) {
        String namespace = reader.getNamespaceURI("");
        if (namespace != null && !namespace.isEmpty()) {
            root.declare("", namespace);
        }
    }

    private void declarations(XmlElement element) {
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = reader.getNamespacePrefix(i);
            String namespace = reader.getNamespaceURI(i);
            element.declare(prefix == null ? "" : prefix, namespace == null ? "" : namespace);
        }
    }

    private void attributes(XmlElement element) {
        limits.attributes().check(reader.getAttributeCount(), "Attributes of the element " + element.localName());
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            QName name = reader.getAttributeName(i);
            String value = reader.getAttributeValue(i);
            limits.textCharacters().check(value.length(), "Characters of the attribute " + name.getLocalPart());
            element.addAttribute(name, value);
        }
    }

    private void content(XmlElement element, int depth) throws XMLStreamException {
        String first = "";
        StringBuilder more = null;
        for (int event = reader.next(); event != XMLStreamConstants.END_ELEMENT; event = reader.next()) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> element.addChild(element(element, depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    if (first.isEmpty()) {
                        first = reader.getText();
                    } else {
                        more = more == null ? new StringBuilder(first) : more;
                        more.append(reader.getText());
                    }
                    long length = more == null ? first.length() : more.length();
                    limits.textCharacters().check(length, "Characters in the element " + element.localName());
                }
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new MalformedXmlException("the entity " + reader.getLocalName() + " is not known", null);
                default -> {
                    // comments and processing instructions have no meaning here
                }
            }
        }
        element.setText(more == null ? first : more.toString());
        inheritPrefix(element);
    }
}
