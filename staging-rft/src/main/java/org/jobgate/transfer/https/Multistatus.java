// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jobgate.files.FileNames;
import org.jobgate.files.UrlText;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Source;

/** What a WebDAV server says is in a directory (RFC 4918 section 14.16). */
final class Multistatus {

    private static final String DAV = "DAV:";
    private static final long MAX_BYTES = 16L << 20;

    private final URI directory;
    private final List<Entry> entries = new ArrayList<>();
    private String href = "";
    private String text = "";
    private boolean isCollection;
    private long size = Source.UNKNOWN;

    private Multistatus(URI directory) {
        this.directory = directory;
    }

    /**
     * Reads an answer to PROPFIND of depth 1.
     *
     * @throws IOException if it is none, or larger than 16 MiB
     */
    static List<Entry> read(InputStream answer, URI directory) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        byte[] bytes = answer.readNBytes((int) MAX_BYTES);
        if (bytes.length == MAX_BYTES) {
            throw new IOException("the listing is larger than 16 MiB");
        }
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new java.io.ByteArrayInputStream(bytes));
            return new Multistatus(directory).read(reader);
        } catch (XMLStreamException e) {
            throw new IOException("the listing cannot be read: " + e.getMessage(), e);
        }
    }

    private List<Entry> read(XMLStreamReader reader) throws XMLStreamException {
        boolean isListing = false;
        while (reader.hasNext()) {
            int event = reader.next();
            boolean isDav = (event == XMLStreamConstants.START_ELEMENT || event == XMLStreamConstants.END_ELEMENT)
                    && DAV.equals(reader.getNamespaceURI());
            if (event == XMLStreamConstants.START_ELEMENT) {
                isListing |= isDav && reader.getLocalName().equals("multistatus");
                begin(isDav ? reader.getLocalName() : "");
            } else if (event == XMLStreamConstants.CHARACTERS) {
                text += reader.getText();
            } else if (isDav) {
                end(reader.getLocalName());
            }
        }
        if (!isListing) {
            throw new XMLStreamException("it is no multistatus");
        }
        return entries;
    }

    private void begin(String name) {
        text = "";
        if (name.equals("response")) {
            href = "";
            isCollection = false;
            size = Source.UNKNOWN;
        } else if (name.equals("collection")) {
            isCollection = true;
        }
    }

    private void end(String name) throws XMLStreamException {
        String value = text.strip();
        if (name.equals("href") && href.isEmpty()) {
            href = value;
        } else if (name.equals("getcontentlength") && value.matches("[0-9]{1,18}")) {
            size = Long.parseLong(value);
        } else if (name.equals("response")) {
            addEntry();
        }
    }

    /** The directory itself is listed too, and left out; and what is not directly in it. */
    private void addEntry() throws XMLStreamException {
        try {
            // servers differ in what they encode, and some encode nothing: names are compared, not their codes
            String path = directory.resolve(UrlText.encoded(href)).getRawPath();
            String listed = path == null ? "" : path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            String whole = FileNames.decoded(listed);
            String base = FileNames.decoded(directory.getRawPath());
            if (whole.startsWith(base) && whole.length() > base.length() && whole.indexOf('/', base.length()) < 0) {
                entries.add(new Entry(
                        whole.substring(base.length()),
                        isCollection ? Entry.Kind.DIRECTORY : Entry.Kind.FILE,
                        isCollection ? Source.UNKNOWN : size));
            }
        } catch (IllegalArgumentException e) {
            throw new XMLStreamException("the server lists a name that cannot be one: " + href, e);
        }
    }
}
