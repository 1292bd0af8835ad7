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
    private final Map<String, Integer> counts;

    private SoapReply(Map<String, String> texts, Map<String, Integer> counts) {
        this.texts = texts;
        this.counts = counts;
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
                return read(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw new IOException("the reply is not well-formed XML: " + e.getMessage(), e);
        }
    }

    /**
     * What a service answered to a request that it took.
     *
     * @throws RefusedException for a fault, and for a status other than 2xx without an envelope
     * @throws IOException if the envelope cannot be read
     */
    static SoapReply accepted(HttpReply reply) throws IOException, RefusedException {
        if (reply.status() / 100 != 2 && !reply.body().contains("Envelope")) {
            throw new RefusedException(reply.status(), reply.start());
        }
        SoapReply soap = parse(reply.body());
        if (soap.fault().isPresent()) {
            throw new RefusedException(reply.status(), soap.fault().get());
        }
        return soap;
    }

    private static SoapReply read(XMLStreamReader reader) throws XMLStreamException {
        Map<String, String> texts = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        Deque<String> path = new ArrayDeque<>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    enter(path, reader);
                    counts.merge(below(path), 1, Integer::sum);
                }
                case XMLStreamConstants.END_ELEMENT -> path.removeLast();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> keep(texts, path, reader.getText());
                default -> {
                    // comments and processing instructions have no meaning here
                }
            }
        }
        return new SoapReply(texts, counts);
    }

    private static void enter(Deque<String> path, XMLStreamReader reader) throws XMLStreamException {
        if (path.size() >= MAX_DEPTH) {
            throw new XMLStreamException("elements are nested deeper than " + MAX_DEPTH);
        }
        path.addLast(reader.getLocalName());
    }

    private static void keep(Map<String, String> texts, Deque<String> path, String text) {
        if (path.size() > 2 && !text.isBlank()) {
            texts.put(below(path), text.strip());
        }
    }

    private static String below(Deque<String> path) {
        return String.join("/", path.stream().skip(1).toList());
    }

    /** The text at this path below the body. */
    public Optional<String> text(String path) {
        return Optional.ofNullable(texts.get("Body/" + path));
    }

    /** How many elements there are at this path below the body. */
    public int count(String path) {
        return counts.getOrDefault("Body/" + path, 0);
    }

    /** What a fault says; empty where the reply is none. */
    public Optional<String> fault() {
        return text("Fault/faultstring").or(() -> text("Fault/faultcode"));
    }
}
