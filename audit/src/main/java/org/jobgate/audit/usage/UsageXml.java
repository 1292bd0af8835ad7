// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** Writes elements of one namespace; attributes are of it too, as the schemas of usage records want it. */
final class UsageXml {

    private static final String PREFIX = "urf";
    private static final Pattern DOMAIN =
            Pattern.compile("([a-zA-Z0-9][a-zA-Z0-9'-]*[a-zA-Z0-9]\\.)*([a-zA-Z0-9][a-zA-Z0-9'-]*[a-zA-Z0-9])?");

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter out;
    private final String namespace;

    UsageXml(String namespace, String root) {
        this.namespace = namespace;
        try {
            out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            out.writeStartDocument("UTF-8", "1.0");
            out.writeStartElement(PREFIX, root, namespace);
            out.writeNamespace(PREFIX, namespace);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Begins an element with attributes, given as names and values. */
    UsageXml begin(String name, String... attributes) {
        try {
            out.writeStartElement(PREFIX, name, namespace);
            attributes(attributes);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    UsageXml end() {
        try {
            out.writeEndElement();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** An element with a text; none where there is no text. */
    UsageXml element(String name, @Nullable Object value, String... attributes) {
        if (value == null) {
            return this;
        }
        try {
            out.writeStartElement(PREFIX, name, namespace);
            attributes(attributes);
            out.writeCharacters(allowed(value.toString()));
            out.writeEndElement();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    private void attributes(String... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            out.writeAttribute(PREFIX, namespace, attributes[i], allowed(attributes[i + 1]));
        }
    }

    String close() {
        try {
            out.writeEndDocument();
            out.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text + "\n";
    }

    /** Without the characters that XML 1.0 cannot have. */
    private static String allowed(String value) {
        StringBuilder clean = new StringBuilder(value.length());
        value.codePoints()
                .filter(c -> c == '\t'
                        || c == '\n'
                        || (c >= 0x20 && c <= 0xD7FF)
                        || (c >= 0xE000 && c <= 0xFFFD)
                        || c >= 0x10000)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** Milliseconds as a duration of XML Schema, without days, of which readers make different things. */
    static String duration(long millis) {
        return millis % 1000 == 0
                ? "PT" + millis / 1000 + "S"
                : String.format(Locale.ROOT, "PT%d.%03dS", millis / 1000, millis % 1000);
    }

    static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A name of a host as the schemas have it; absent where it is none. */
    static @Nullable String domain(@Nullable String host) {
        return host != null
                        && !host.isEmpty()
                        && host.length() <= 255
                        && DOMAIN.matcher(host).matches()
                ? host
                : null;
    }
}
