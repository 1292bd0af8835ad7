// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapFaultException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** A SOAP 1.1 envelope as a tree: its one header, its one body, its one security header. */
final class Envelope {

    /** The parser's own bound is wider than ours by the envelope itself. */
    private static final int AROUND = 4;

    private final Document document;

    private Envelope(Document document) {
        this.document = document;
    }

    /**
     * Reads an envelope, without document types and entities.
     *
     * @throws SoapFaultException if it is none, or is over a limit
     */
    static Envelope parse(byte[] text, Limit depth) {
        try {
            Envelope envelope = new Envelope(builder(depth).parse(new ByteArrayInputStream(text)));
            envelope.requireShape();
            return envelope;
        } catch (SAXException e) {
            throw SoapFaultException.client("The request is not the XML of a SOAP 1.1 envelope, or is over a limit: "
                    + Refusals.shown(String.valueOf(e.getMessage()).replaceAll("\\s+", " "))
                    + ". Send a well-formed one within the limits.");
        } catch (IOException | ParserConfigurationException e) {
            throw new IllegalStateException("bytes in memory cannot be read", e);
        }
    }

    private static DocumentBuilder builder(Limit depth) throws ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setAttribute("jdk.xml.maxElementDepth", Long.toString(depth.value() + AROUND));
        factory.setExpandEntityReferences(false);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setErrorHandler(new Quiet());
        return builder;
    }

    private void requireShape() {
        Element root = document.getDocumentElement();
        List<Element> children = children(root);
        boolean isWhole = is(root, Names.SOAP, "Envelope")
                && (children.size() == 1 || (children.size() == 2 && is(children.getFirst(), Names.SOAP, "Header")))
                && is(children.getLast(), Names.SOAP, "Body");
        if (!isWhole) {
            throw SoapFaultException.client(
                    "The request is not a SOAP 1.1 envelope of at most one Header and then one Body. Send such a one.");
        }
    }

    static boolean is(Node node, String namespace, String name) {
        return name.equals(node.getLocalName()) && namespace.equals(node.getNamespaceURI());
    }

    /** The elements right below this one. */
    static List<Element> children(Element parent) {
        List<Element> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    /** Those of them with this name. */
    static List<Element> children(Element parent, String namespace, String name) {
        return children(parent).stream()
                .filter(child -> is(child, namespace, name))
                .toList();
    }

    Document document() {
        return document;
    }

    Element body() {
        return children(document.getDocumentElement()).getLast();
    }

    /** The header blocks, the security header among them. */
    List<Element> headers() {
        return children(document.getDocumentElement(), Names.SOAP, "Header").stream()
                .flatMap(header -> children(header).stream())
                .toList();
    }

    /**
     * The security header; absent where there is none.
     *
     * @throws SoapFaultException where there are several, or one for another actor
     */
    Optional<Element> security() {
        List<Element> found = headers().stream()
                .filter(header -> is(header, Names.WSSE, "Security"))
                .toList();
        if (found.size() > 1) {
            throw Refusals.invalid("The message has " + found.size() + " Security headers. Send one.");
        }
        found.stream()
                .filter(security ->
                        !security.getAttributeNS(Names.SOAP, "actor").isEmpty())
                .findFirst()
                .ifPresent(foreign -> {
                    throw Refusals.invalid(
                            "The Security header is for another actor. Leave the attribute actor out: the service itself checks it.");
                });
        return found.stream().findFirst();
    }

    /** Its bytes without the security header. */
    byte[] withoutSecurity() {
        security().ifPresent(security -> security.getParentNode().removeChild(security));
        return bytes();
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            TransformerFactory factory = TransformerFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            Transformer transformer = factory.newTransformer();
            transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
            transformer.transform(new DOMSource(document), new StreamResult(out));
        } catch (TransformerException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
        return out.toByteArray();
    }

    /** The default one writes to the standard error stream. */
    private static final class Quiet implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) {
            // is no reason to refuse anything
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
