// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.dom.DOMResult;
import org.codehaus.stax2.XMLStreamWriter2;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Writes elements and declares the prefixes that they need, each where it is first needed. The prefix of a name is a wish: another is
 * taken where it is bound to something else. Characters that XML 1.0 cannot carry are written as U+FFFD.
 */
public final class XmlWriter {

    private static final XMLOutputFactory FACTORY = new WstxOutputFactory();
    private static final DocumentBuilderFactory DOCUMENTS = DocumentBuilderFactory.newDefaultNSInstance();

    private final XMLStreamWriter out;
    /** prefix, namespace, prefix, namespace, ... of all open elements */
    private final List<String> bindings = new ArrayList<>(24);
    /** for each open element, how many entries of bindings belong to those outside it */
    private final List<Integer> marks = new ArrayList<>(16);

    private int generated;

    public XmlWriter(XMLStreamWriter out) {
        this.out = out;
    }

    /** The content as text, without an XML declaration. */
    public static String toText(XmlContent content) {
        StringWriter text = new StringWriter(1024);
        try {
            XMLStreamWriter stream = FACTORY.createXMLStreamWriter(text);
            content.write(new XmlWriter(stream));
            stream.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML could not be written to memory", e);
        }
        return text.toString();
    }

    /** The content as a document in UTF-8, with an XML declaration. */
    public static byte[] toDocument(XmlContent content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try {
            XMLStreamWriter stream = FACTORY.createXMLStreamWriter(bytes, "UTF-8");
            stream.writeStartDocument("UTF-8", "1.0");
            content.write(new XmlWriter(stream));
            stream.writeEndDocument();
            stream.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("XML could not be written to memory", e);
        }
        return bytes.toByteArray();
    }

    /** The content inside an element of this name, as a tree: for the little that CXF wants as such. */
    public static Element toDom(QName name, XmlContent content) {
        try {
            Document document = DOCUMENTS.newDocumentBuilder().newDocument();
            XMLStreamWriter stream = FACTORY.createXMLStreamWriter(new DOMResult(document));
            XmlWriter out = new XmlWriter(stream).open(name);
            content.write(out);
            out.close();
            stream.close();
            return document.getDocumentElement();
        } catch (XMLStreamException | ParserConfigurationException e) {
            throw new IllegalStateException("XML could not be written to memory", e);
        }
    }

    public XmlWriter open(QName name) {
        try {
            marks.add(bindings.size());
            String namespace = name.getNamespaceURI();
            String bound = namespace.isEmpty() && boundTo("") == null ? "" : prefixFor(name.getPrefix(), namespace);
            String prefix = bound != null ? bound : freePrefix(name.getPrefix(), namespace);
            out.writeStartElement(prefix, name.getLocalPart(), namespace);
            if (bound == null) {
                bind(prefix, namespace);
            }
            return this;
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    public XmlWriter close() {
        try {
            out.writeEndElement();
            int mark = marks.removeLast();
            while (bindings.size() > mark) {
                bindings.removeLast();
            }
            return this;
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    /** An attribute of the element just opened. */
    public XmlWriter attribute(QName name, String value) {
        try {
            if (name.getNamespaceURI().isEmpty()) {
                out.writeAttribute(name.getLocalPart(), legal(value));
            } else {
                String prefix = declare(name.getPrefix(), name.getNamespaceURI());
                out.writeAttribute(prefix, name.getNamespaceURI(), name.getLocalPart(), legal(value));
            }
            return this;
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    public XmlWriter attribute(String localName, String value) {
        return attribute(new QName(localName), value);
    }

    public XmlWriter text(String text) {
        try {
            out.writeCharacters(legal(text));
            return this;
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    /**
     * Elements without a namespace that are text already, for answers with many thousands of them. The text is written as it is: what is in
     * it must be well-formed, and what is a value must have been made by {@link #escaped}.
     *
     * @throws IllegalStateException where elements without a prefix would be in a namespace, or the output takes no text
     */
    public XmlWriter elements(CharSequence text) {
        String inherited = boundTo("");
        if (!(out instanceof XMLStreamWriter2 plain) || !(inherited == null || inherited.isEmpty())) {
            throw new IllegalStateException("elements cannot be written as text here");
        }
        try {
            plain.writeRaw(text.toString());
            return this;
        } catch (UnsupportedOperationException e) {
            throw new IllegalStateException("elements cannot be written as text here: this output makes a tree", e);
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    /** A value as it stands between the tags of an element. */
    public static String escaped(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '&' || c == '<' || c == '>' || c == '\r' || !isLegal(c)) {
                return escapeAll(legal(value));
            }
        }
        return value;
    }

    private static String escapeAll(String value) {
        StringBuilder escaped = new StringBuilder(value.length() + 16);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '\r' -> escaped.append("&#xd;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Binds the prefix of this name on the element just opened, for those inside it. */
    public XmlWriter binding(QName name) {
        qualified(name);
        return this;
    }

    /** An element with a text. */
    public XmlWriter element(QName name, String text) {
        open(name);
        if (!text.isEmpty()) {
            text(text);
        }
        return close();
    }

    /** An element without content. */
    public XmlWriter empty(QName name) {
        return open(name).close();
    }

    /** An element with a text, or {@code xsi:nil} where there is none. */
    public XmlWriter nillable(QName name, @Nullable String text) {
        return text == null ? open(name).attribute(XmlNames.XSI_NIL, "true").close() : element(name, text);
    }

    /** Says {@code xsi:type} of the element just opened. */
    public XmlWriter type(QName type) {
        return attribute(XmlNames.XSI_TYPE, qualified(type));
    }

    /** The name as {@code prefix:local}, its prefix declared on the element just opened if it is not bound yet. */
    public String qualified(QName name) {
        try {
            return declare(name.getPrefix(), name.getNamespaceURI()) + ":" + name.getLocalPart();
        } catch (XMLStreamException e) {
            throw failure(e);
        }
    }

    /** Writes an element of a tree, with all inside it. */
    public XmlWriter copy(Element element) {
        open(nameOf(element));
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Node attribute = attributes.item(i);
            boolean isDeclaration = XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI());
            if (!isDeclaration) {
                attribute(nameOf(attribute), attribute.getNodeValue());
            } else if (!"xmlns".equals(attribute.getLocalName())) {
                binding(new QName(attribute.getNodeValue(), "any", attribute.getLocalName()));
            }
        }
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inside) {
                copy(inside);
            } else if (child instanceof Text text) {
                text(text.getData());
            }
        }
        return close();
    }

    private static QName nameOf(Node node) {
        String namespace = node.getNamespaceURI() == null ? "" : node.getNamespaceURI();
        String prefix = node.getPrefix() == null ? "" : node.getPrefix();
        return new QName(namespace, node.getLocalName(), prefix);
    }

    /** Writes an element that was read, with all inside it. */
    public XmlWriter copy(XmlElement element) {
        open(element.name());
        try {
            for (var declared : element.declaredPrefixes().entrySet()) {
                if (!declared.getKey().isEmpty() && boundTo(declared.getKey()) == null) {
                    bind(declared.getKey(), declared.getValue());
                }
            }
        } catch (XMLStreamException e) {
            throw failure(e);
        }
        element.attributes().forEach(this::attribute);
        if (!element.text().isEmpty()) {
            text(element.text());
        }
        element.children().forEach(this::copy);
        return close();
    }

    private String declare(String wish, String namespace) throws XMLStreamException {
        String bound = null;
        for (int i = bindings.size() - 2; i >= 0 && bound == null; i -= 2) {
            String prefix = bindings.get(i);
            if (!prefix.isEmpty() && bindings.get(i + 1).equals(namespace) && namespace.equals(boundTo(prefix))) {
                bound = prefix;
            }
        }
        if (bound != null) {
            return bound;
        }
        String prefix = wish.isEmpty() || boundTo(wish) != null ? "n" + ++generated : wish;
        bind(prefix, namespace);
        return prefix;
    }

    /** The wished prefix if it is bound to the namespace already. */
    private @Nullable String prefixFor(String wish, String namespace) {
        return namespace.equals(boundTo(wish)) ? wish : null;
    }

    private String freePrefix(String wish, String namespace) {
        return namespace.isEmpty() ? "" : wish;
    }

    private void bind(String prefix, String namespace) throws XMLStreamException {
        if (prefix.isEmpty()) {
            out.writeDefaultNamespace(namespace);
        } else {
            out.writeNamespace(prefix, namespace);
        }
        bindings.add(prefix);
        bindings.add(namespace);
    }

    private @Nullable String boundTo(String prefix) {
        for (int i = bindings.size() - 2; i >= 0; i -= 2) {
            if (bindings.get(i).equals(prefix)) {
                return bindings.get(i + 1);
            }
        }
        return null;
    }

    private static String legal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLegal(c)) {
                return replaceIllegal(text);
            }
        }
        return text;
    }

    private static String replaceIllegal(String text) {
        StringBuilder legal = new StringBuilder(text.length());
        text.codePoints().map(c -> isLegal(c) ? c : 0xFFFD).forEach(legal::appendCodePoint);
        return legal.toString();
    }

    /** XML 1.0 section 2.2, production Char; half a surrogate pair is none. */
    private static boolean isLegal(int c) {
        if (c >= 0x20 && c < 0xD800) {
            return true; // nearly all there are
        }
        boolean isControl = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        boolean isHalf = c >= 0xD800 && c <= 0xDFFF;
        return !isControl && !isHalf && c != 0xFFFE && c != 0xFFFF;
    }

    private static IllegalStateException failure(XMLStreamException e) {
        return new IllegalStateException("XML could not be written", e);
    }
}
