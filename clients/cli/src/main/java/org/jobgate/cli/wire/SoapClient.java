// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpsClient;
import org.jspecify.annotations.Nullable;

/** Calls operations of services: one envelope there, one back (facts/gram4.md section 1.3 for the headers). */
public final class SoapClient {
    private static final int STATUS_SERVER_ERROR = 500;
    private static final int STATUS_OK = 200;

    private final HttpsClient http;
    private final @Nullable PrintStream trace;

    /**
     * @param http keeps connections open between calls
     * @param trace where to show each envelope; null for nowhere
     */
    public SoapClient(HttpsClient http, @Nullable PrintStream trace) {
        this.http = requireNonNull(http, "http is null");
        this.trace = trace;
    }

    /**
     * Calls an operation.
     *
     * @param extraHeaders further header blocks as XML; may be empty
     * @param body the body's one child as XML
     * @return the body's one child of the reply
     * @throws SoapFaultException the service refused
     * @throws IOException it could not be reached, or what came back is not its answer
     */
    public XmlElement call(Epr target, String action, String extraHeaders, String body)
            throws IOException, SoapFaultException {
        String envelope = envelope(target, action, extraHeaders, body);
        show("request", envelope);
        HttpReply reply = http.post(target.address(), action, envelope.getBytes(StandardCharsets.UTF_8));
        if (trace != null) {
            show("reply, status " + reply.status(), new String(reply.body(), StandardCharsets.UTF_8));
        }
        return content(target, reply);
    }

    static String envelope(Epr target, String action, String extraHeaders, String body) {
        StringBuilder out = new StringBuilder(1200 + body.length());
        out.append("<soapenv:Envelope xmlns:soapenv=\"").append(Names.SOAP);
        out.append("\" xmlns:wsa=\"").append(Names.WSA).append("\"><soapenv:Header>");
        header(out, "MessageID", "uuid:" + UUID.randomUUID());
        header(out, "To", target.address());
        header(out, "Action", action);
        out.append("<wsa:From soapenv:mustUnderstand=\"0\"><wsa:Address>").append(Names.WSA_ANONYMOUS);
        out.append("</wsa:Address></wsa:From>");
        target.properties().forEach(property -> property.write(out, " soapenv:mustUnderstand=\"0\""));
        out.append(extraHeaders).append("</soapenv:Header><soapenv:Body>").append(body);
        return out.append("</soapenv:Body></soapenv:Envelope>").toString();
    }

    private static void header(StringBuilder out, String name, String value) {
        out.append("<wsa:").append(name).append(" soapenv:mustUnderstand=\"0\">");
        XmlText.append(out, value);
        out.append("</wsa:").append(name).append('>');
    }

    private static XmlElement content(Epr target, HttpReply reply) throws IOException, SoapFaultException {
        // a fault may come with either status (facts/gt4-wire.md section 3)
        if (reply.status() != STATUS_OK && reply.status() != STATUS_SERVER_ERROR) {
            throw new IOException(target.address() + " answered with HTTP status " + reply.status() + " "
                    + reply.reason() + reply.bodyStart());
        }
        XmlElement envelope;
        try {
            envelope = XmlElement.read(new ByteArrayInputStream(reply.body()));
        } catch (XMLStreamException e) {
            throw new IOException(
                    target.address() + " answered with HTTP status " + reply.status() + " and no SOAP envelope: "
                            + firstLine(e) + reply.bodyStart(),
                    e);
        }
        XmlElement body = envelope.child(Names.SOAP, "Body");
        if (body == null || body.children().isEmpty()) {
            throw new IOException(target.address() + " answered with an envelope that has no content");
        }
        XmlElement content = body.children().getFirst();
        if (content.is(Names.SOAP, "Fault")) {
            throw SoapFaultException.of(content);
        }
        return content;
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage();
        return message == null ? e.toString() : message.lines().findFirst().orElse("");
    }

    private void show(String what, String text) {
        if (trace != null) {
            trace.println("---- " + what);
            trace.println(text);
        }
    }
}
