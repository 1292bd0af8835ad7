// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jobgate.job.Reason;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** What the answers of a store mean for a transfer, and their XML, which is read without DTDs, entities of others, and an end too far. */
final class S3Answers {

    private static final int MAX_BYTES = 8 << 20;
    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int MAX_TEXT = 300;

    private S3Answers() {}

    /** Hears the elements of an answer. */
    interface Elements {
        void begin(String name);

        /**
         * An element is over.
         *
         * @param text of the element itself, without that of others in it
         */
        void end(String name, String text);
    }

    /** @throws IOException if it is no XML, or larger than 8 MiB */
    static void read(InputStream answer, Elements elements) throws IOException {
        byte[] bytes = answer.readNBytes(MAX_BYTES);
        if (bytes.length == MAX_BYTES) {
            throw new IOException("the store's answer is larger than " + MAX_BYTES + " bytes");
        }
        try {
            read(bytes, elements);
        } catch (XMLStreamException e) {
            throw new IOException("the store's answer cannot be read: " + e.getMessage(), e);
        }
    }

    private static void read(byte[] bytes, Elements elements) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(bytes));
        StringBuilder text = new StringBuilder();
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                text.setLength(0);
                elements.begin(reader.getLocalName());
            } else if (event == XMLStreamConstants.CHARACTERS) {
                text.append(reader.getText());
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                elements.end(reader.getLocalName(), text.toString());
                text.setLength(0);
            }
        }
    }

    /** The code and the words of an answer that says no. */
    static final class Refusal implements Elements {
        private String code = "";
        private String message = "";
        private boolean isError;

        @Override
        public void begin(String name) {
            isError |= name.equals("Error");
        }

        @Override
        public void end(String name, String text) {
            if (name.equals("Code")) {
                code = shown(text);
            } else if (name.equals("Message")) {
                message = shown(text);
            }
        }

        private static String shown(String text) {
            String plain = text.replaceAll("[\\p{Cntrl}]+", " ").strip();
            return plain.length() > MAX_TEXT ? plain.substring(0, MAX_TEXT) : plain;
        }

        boolean isError() {
            return isError;
        }
    }

    /** The store said no. */
    static TransferException refused(HttpResponse<InputStream> response, String what) {
        Refusal refusal = new Refusal();
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MAX_ERROR_BYTES);
            if (bytes.length > 0) {
                read(bytes, refusal);
            }
        } catch (IOException | XMLStreamException e) {
            refusal.message = "and its reason could not be read";
        }
        return refused(response.statusCode(), refusal, what);
    }

    static TransferException refused(int status, Refusal refusal, String what) {
        String sentence = "the store refused " + what + " with HTTP status " + status
                + (refusal.code.isEmpty() ? "" : ", " + refusal.code)
                + (refusal.message.isEmpty() ? "" : " (" + refusal.message + ")");
        if (refusal.code.equals("ExpiredToken") || refusal.code.equals("RequestTimeout")) {
            return new TransferException(
                    Kind.TRANSIENT, sentence, "Renew the session token in ~/.aws/credentials if it has expired.");
        }
        if (refusal.code.equals("RequestTimeTooSkewed")) {
            return new TransferException(Kind.PERMANENT, sentence, "The site's administrator must set its clock.");
        }
        return switch (status) {
            case 301, 307 ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence,
                        "The bucket is somewhere else: the site's administrator can set staging.s3Endpoint and staging.s3Region.");
            case 401, 403 ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence,
                        "Check the keys in ~/.aws/credentials of the job's account, and what the bucket lets them do.");
            case 404 -> new TransferException(Kind.PERMANENT, sentence, "Correct the bucket and the key in the job.");
            case 408, 409, 412, 500 -> new TransferException(Kind.TRANSIENT, sentence, "Try again later.");
            case 429, 502, 503, 504 ->
                new TransferException(Kind.SERVER, sentence, "Try again later; ask the store's administrator.");
            case 507 -> new TransferException(Kind.TRANSIENT, sentence, "Make room in the store.");
            default -> new TransferException(Kind.PERMANENT, sentence, "Ask the store's administrator.");
        };
    }

    /** There was no answer. */
    static TransferException broken(IOException e, String what) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransferException known) {
                return known; // of the other side
            }
            if (cause instanceof CertificateException) {
                return new TransferException(
                        Kind.PERMANENT,
                        "the store's endpoint is not trusted: " + cause.getMessage(),
                        "The site's administrator can install the authority of its certificate.",
                        e);
            }
        }
        return new TransferException(
                Kind.SERVER,
                "the store did not answer (" + what + "): " + Reason.of(e),
                "Try again later; ask the store's administrator.",
                e);
    }
}
