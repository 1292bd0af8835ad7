// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The texts of a SOAP body by the path of their elements' local names below it, e.g. {@code Fault/faultstring}; of a repeated path, the
 * last.
 */
public final class SoapReply {

    private static final int MAX_DEPTH = 64;

    private final Map<String, String> texts;

    private SoapReply(Map<String, String> texts) {
        this.texts = texts;
    }

    /** A factory that opens no document type and no external entity. */
    private static XMLInputFactory parsers() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /** One factory for each thread: the JDK does not promise that one may be shared. */
    private static final ThreadLocal<XMLInputFactory> PARSERS = ThreadLocal.withInitial(SoapReply::parsers);

    /**
     * Reads an envelope.
     *
     * @throws IOException if it is not well-formed, or nested deeper than 64 elements
     */
    public static SoapReply parse(String xml) throws IOException {
        try {
            XMLStreamReader reader = PARSERS.get().createXMLStreamReader(new StringReader(xml));
            try {
                return new SoapReply(read(reader));
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw new IOException("the reply is not well-formed XML: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> read(XMLStreamReader reader) throws XMLStreamException {
        Map<String, String> texts = new HashMap<>();
        Deque<String> path = new ArrayDeque<>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> enter(path, reader);
                case XMLStreamConstants.END_ELEMENT -> path.removeLast();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> keep(texts, path, reader.getText());
                default -> {
                    // comments and processing instructions say nothing
                }
            }
        }
        return texts;
    }

    private static void enter(Deque<String> path, XMLStreamReader reader) throws XMLStreamException {
        if (path.size() >= MAX_DEPTH) {
            throw new XMLStreamException("elements are nested deeper than " + MAX_DEPTH);
        }
        path.addLast(reader.getLocalName());
    }

    private static void keep(Map<String, String> texts, Deque<String> path, String text) {
        if (path.size() > 2 && !text.isBlank()) {
            texts.put(String.join("/", path.stream().skip(1).toList()), text.strip());
        }
    }

    /** The text at this path below the body. */
    public Optional<String> text(String path) {
        return Optional.ofNullable(texts.get("Body/" + path));
    }

    /** What a fault says; empty where the reply is none. */
    public Optional<String> fault() {
        return text("Fault/faultstring").or(() -> text("Fault/faultcode"));
    }
}
