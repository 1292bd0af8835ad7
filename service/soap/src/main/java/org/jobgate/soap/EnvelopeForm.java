// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.jobgate.job.ShortText;

/**
 * The reader of a SOAP 1.1 envelope, which refuses what is no envelope of at most one Header and then one Body with one element in it. CXF
 * reads an envelope as far as that element and would leave the rest unread; the sender would believe it done.
 *
 * <p>What follows the operation is seen only when it is read: the reader of the operation calls {@link #finish} before it acts on the operation.
 */
final class EnvelopeForm extends StreamReaderDelegate {

    private static final String ONE_BODY =
            " A SOAP 1.1 envelope holds at most one Header and then one Body, with one element in it that names the operation. Send each"
                    + " operation in a request of its own.";

    /** Elements that have begun and not ended. */
    private int depth;

    /** What names of the envelope's own parts begin with: its namespace, whichever it is. CXF refuses wrong ones. */
    private String namespace = "";

    private boolean hasHeader;
    private boolean hasBody;
    private boolean hasOperation;

    EnvelopeForm(XMLStreamReader reader) {
        super(reader);
    }

    @Override
    public int next() throws XMLStreamException {
        int event = super.next();
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> begun();
            case XMLStreamConstants.END_ELEMENT -> depth--;
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.ENTITY_REFERENCE ->
                text(event);
            default -> {
                // comments, processing instructions and the document's ends have no meaning here
            }
        }
        return event;
    }

    /** The reader below would go on by itself, unseen. */
    @Override
    public int nextTag() throws XMLStreamException {
        int event = next();
        while (event != XMLStreamConstants.START_ELEMENT && event != XMLStreamConstants.END_ELEMENT) {
            boolean isNothing = event == XMLStreamConstants.COMMENT
                    || event == XMLStreamConstants.PROCESSING_INSTRUCTION
                    || event == XMLStreamConstants.SPACE
                    || (isText(event) && isWhiteSpace());
            if (!isNothing) {
                throw new XMLStreamException("a tag must come here", getLocation());
            }
            event = next();
        }
        return event;
    }

    @Override
    public String getElementText() throws XMLStreamException {
        String text = super.getElementText();
        depth--;
        return text;
    }

    /**
     * Reads the rest of the document.
     *
     * @throws SoapFaultException if there is anything in it
     * @throws XMLStreamException if it is not well-formed
     */
    void finish() throws XMLStreamException {
        while (hasNext()) {
            next();
        }
    }

    private static boolean isText(int event) {
        return event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA;
    }

    private void begun() {
        depth++;
        switch (depth) {
            case 1 -> namespace = String.valueOf(getNamespaceURI());
            case 2 -> part();
            case 3 -> {
                if (hasBody && hasOperation) {
                    throw refused("The SOAP body holds a second element, " + shown(getName()) + ".");
                }
                hasOperation = hasBody;
            }
            default -> {
                // inside a header block or the operation, which are for others to read
            }
        }
    }

    private void part() {
        QName name = getName();
        boolean isOfEnvelope = namespace.equals(name.getNamespaceURI());
        if (hasBody) {
            throw refused("The SOAP envelope holds " + shown(name) + " behind its Body.");
        }
        if (isOfEnvelope && name.getLocalPart().equals("Header") && !hasHeader) {
            hasHeader = true;
        } else if (isOfEnvelope && name.getLocalPart().equals("Body")) {
            hasBody = true;
        } else {
            throw refused("The SOAP envelope holds " + shown(name) + " before its Body.");
        }
    }

    /** The text of header blocks and of the operation is theirs; between them there is none. */
    private void text(int event) {
        boolean isBetween = depth == 1 || depth == 2;
        if (isBetween && (event == XMLStreamConstants.ENTITY_REFERENCE || !isWhiteSpace())) {
            throw refused("The SOAP " + (depth == 1 ? "envelope" : hasBody ? "body" : "header")
                    + " holds text beside its elements.");
        }
    }

    private static String shown(QName name) {
        String text = name.toString();
        return ShortText.of(text, 200);
    }

    private static SoapFaultException refused(String sentence) {
        return SoapFaultException.client(sentence + ONE_BODY);
    }
}
