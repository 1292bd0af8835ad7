// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.Protocol;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/**
 * Turns a job description file into the element that goes over the wire. Users write elements without namespace; the
 * service wants each in its own (facts/gram4.md section 2.1). What stands in {@code extensions} is not touched.
 *
 * <p>A file may as well hold a JSDL document: it goes as it is among the extensions of a job that says nothing else, and the service reads it
 * there, for it alone knows the account's directories and what its LRM has (docs/reference/gram4.md).
 */
final class JobDescriptionFile {
    /** Larger files are refused. */
    static final int BYTES_MAX = 16 * 1024 * 1024;

    private static final String JSDL_ROOT = "JobDefinition";

    /** The namespace of JSDL 1.0 and those of its drafts; the service's refusal of a draft says which one it reads. */
    private static final String JSDL_NAMESPACE = "http://schemas\\.[go]gf\\.org/jsdl/.*";

    private static final Set<String> OF_TYPES = Set.of("localUserId", "holdState");
    private static final Set<String> OF_TRANSFER = Set.of("fileStageIn", "fileStageOut", "fileCleanUp");

    /** What an element without namespace means depends on where it stands. */
    private enum Place {
        DESCRIPTION,
        TRANSFER,
        ENDPOINT,
        ENDPOINT_PROPERTIES,
        EXTENSIONS
    }

    private final XMLStreamReader reader;
    private final StringBuilder out = new StringBuilder(2000);
    private final Deque<Place> places = new ArrayDeque<>();
    private final Deque<String> defaultNamespaces = new ArrayDeque<>();
    private final Deque<String> openTags = new ArrayDeque<>();
    private boolean isJsdl;

    private JobDescriptionFile(XMLStreamReader reader) {
        this.reader = reader;
    }

    /**
     * The description as one qualified element.
     *
     * @throws CommandException unreadable, too large, not well-formed, or not a job or multiJob
     */
    static String read(Path file) throws CommandException {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CommandException(
                        ExitStatus.USAGE, "Job description " + file + " is larger than " + BYTES_MAX + " bytes.");
            }
            return qualified(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "Job description " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "Job description " + file + " is not one: " + sentence(e) + ".", e);
        }
    }

    private static String sentence(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int start = message.indexOf("Message: ");
        String where = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNumber() + ": ";
        return where + (start < 0 ? message : message.substring(start + "Message: ".length()));
    }

    static String qualified(byte[] document) throws XMLStreamException {
        XMLStreamReader reader = XmlElement.parsers().createXMLStreamReader(new ByteArrayInputStream(document));
        JobDescriptionFile copy = new JobDescriptionFile(reader);
        while (reader.hasNext()) {
            copy.step(reader.next());
        }
        reader.close();
        return copy.isJsdl
                ? "<job xmlns=\"" + Names.DESCRIPTION + "\"><extensions>" + copy.out + "</extensions></job>"
                : copy.out.toString();
    }

    /** The JSDL document that a qualified description holds in the place of a job's elements; null where it holds none. */
    static @Nullable XmlElement jsdl(XmlElement description) {
        XmlElement extensions = description.child(Names.DESCRIPTION, "extensions");
        if (extensions == null || description.child(Names.DESCRIPTION, "executable") != null) {
            return null;
        }
        return extensions.children().stream()
                .filter(child ->
                        child.name().equals(JSDL_ROOT) && child.namespace().matches(JSDL_NAMESPACE))
                .findFirst()
                .orElse(null);
    }

    /** A job of one command with every default; each word is meant to the letter. */
    static String ofCommand(List<String> program) {
        StringBuilder out = new StringBuilder(300);
        out.append("<job xmlns=\"").append(Names.DESCRIPTION).append("\"><executable>");
        XmlText.appendLiteral(out, program.getFirst());
        out.append("</executable>");
        for (String argument : program.subList(1, program.size())) {
            out.append("<argument>");
            XmlText.appendLiteral(out, argument);
            out.append("</argument>");
        }
        return out.append("</job>").toString();
    }

    private void step(int event) throws XMLStreamException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> start();
            case XMLStreamConstants.END_ELEMENT -> end();
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                if (!openTags.isEmpty()) {
                    XmlText.append(out, reader.getText());
                }
            }
            case XMLStreamConstants.DTD ->
                throw new XMLStreamException("a document type declaration is not accepted", reader.getLocation());
            case XMLStreamConstants.ENTITY_REFERENCE ->
                throw new XMLStreamException("entities are not accepted", reader.getLocation());
            default -> {
                // comments and processing instructions are not part of a job
            }
        }
    }

    private void start() throws XMLStreamException {
        if (openTags.size() >= XmlElement.DEPTH_MAX) {
            throw new XMLStreamException("elements nest deeper than " + XmlElement.DEPTH_MAX, reader.getLocation());
        }
        String name = reader.getLocalName();
        Place place = places.isEmpty() ? rootPlace(name) : places.getFirst();
        String given = orEmpty(reader.getNamespaceURI());
        // a description of GT 4.2 is one of 4.0 in other namespaces; what is sent is translated to what the service
        // speaks
        String written = place == Place.EXTENSIONS ? given : Protocol.canonical(given);
        String namespace = namespace(place, name, written);
        boolean keepsPrefix =
                namespace.equals(given) && !orEmpty(reader.getPrefix()).isEmpty();
        String tag = keepsPrefix ? reader.getPrefix() + ":" + name : name;
        out.append('<').append(tag);
        String before = defaultNamespaces.isEmpty() ? "" : defaultNamespaces.getFirst();
        String after = keepsPrefix ? before : namespace;
        if (!after.equals(before)) {
            attribute("xmlns", after);
        }
        copyPrefixes();
        copyAttributes();
        out.append('>');
        openTags.push(tag);
        defaultNamespaces.push(after);
        places.push(inside(place, name));
    }

    private Place rootPlace(String name) throws XMLStreamException {
        if (name.equals(JSDL_ROOT) && orEmpty(reader.getNamespaceURI()).matches(JSDL_NAMESPACE)) {
            isJsdl = true;
            return Place.EXTENSIONS;
        }
        if (!name.equals("job") && !name.equals("multiJob")) {
            throw new XMLStreamException(
                    "the root element is " + name + "; job, multiJob, or JobDefinition of JSDL is needed",
                    reader.getLocation());
        }
        return Place.DESCRIPTION;
    }

    private static String namespace(Place place, String name, String written) {
        boolean isLoose = written.isEmpty() || written.equals(Names.DESCRIPTION);
        if (!isLoose) {
            return written;
        }
        return switch (place) {
            case DESCRIPTION -> OF_TYPES.contains(name) ? Names.TYPES : Names.DESCRIPTION;
            case TRANSFER -> Names.RFT;
            case ENDPOINT -> Names.WSA;
            case ENDPOINT_PROPERTIES ->
                switch (name) {
                    case "ResourceID" -> Names.JOB;
                    case "DelegationKey" -> Names.DELEGATION;
                    default -> written;
                };
            case EXTENSIONS -> written;
        };
    }

    private static Place inside(Place place, String name) {
        if (place == Place.EXTENSIONS || (name.equals("extensions") && place == Place.DESCRIPTION)) {
            return Place.EXTENSIONS;
        }
        if (place == Place.ENDPOINT_PROPERTIES || (place == Place.ENDPOINT && name.startsWith("Reference"))) {
            return Place.ENDPOINT_PROPERTIES;
        }
        if (name.endsWith("Endpoint")) {
            return Place.ENDPOINT;
        }
        return OF_TRANSFER.contains(name) ? Place.TRANSFER : place;
    }

    private void copyPrefixes() {
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = orEmpty(reader.getNamespacePrefix(i));
            if (!prefix.isEmpty()) {
                attribute("xmlns:" + prefix, orEmpty(reader.getNamespaceURI(i)));
            }
        }
    }

    private void copyAttributes() {
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String prefix = orEmpty(reader.getAttributePrefix(i));
            String name = reader.getAttributeLocalName(i);
            attribute(prefix.isEmpty() ? name : prefix + ":" + name, reader.getAttributeValue(i));
        }
    }

    private void attribute(String name, String value) {
        out.append(' ').append(name).append("=\"");
        XmlText.append(out, value);
        out.append('"');
    }

    private void end() {
        out.append("</").append(openTags.pop()).append('>');
        defaultNamespaces.pop();
        places.pop();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The bytes as they go over the wire; for tests and {@code -validate}. */
    static XmlElement parsed(String qualified) throws XMLStreamException {
        return XmlElement.read(new ByteArrayInputStream(qualified.getBytes(StandardCharsets.UTF_8)));
    }
}
