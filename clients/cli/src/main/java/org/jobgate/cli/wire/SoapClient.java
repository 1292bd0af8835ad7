// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpsClient;
import org.jspecify.annotations.Nullable;

/**
 * Calls operations of services: one envelope there, one back (facts/gram4.md section 1.3 for the headers). Each may come twice: a submission
 * carries its id, and nothing else that is asked here does more by a second request.
 */
public final class SoapClient {
    /** The usual exception: it adds nothing to the fault. */
    private static final int STATUS_OF_FAULTS = 500;

    private final HttpsClient http;
    private final @Nullable PrintStream trace;
    private final @Nullable Protocol forced;
    private Protocol spoken = Protocol.GT40;

    /**
     * @param http keeps connections open between calls
     * @param trace where to show each envelope; null for nowhere
     * @param forced what is spoken, whatever the service says; null: what the endpoint reference tells, else GT 4.0, and GT 4.2 where the
     *     service asks for that
     */
    public SoapClient(HttpsClient http, @Nullable PrintStream trace, @Nullable Protocol forced) {
        this.http = requireNonNull(http, "http is null");
        this.trace = trace;
        this.forced = forced;
    }

    /**
     * A request as a generation says it, with the names of GT 4.0.
     *
     * @param extraHeaders further header blocks as XML; may be empty
     * @param body the body's one child as XML
     */
    public record Request(String action, String extraHeaders, String body) {}

    /**
     * Calls an operation that has another form in each generation.
     *
     * @return the body's one child of the reply, in the names of GT 4.0
     * @throws SoapFaultException the service refused
     * @throws IOException it could not be reached, or what came back is not its answer; where asking again does not help, a {@link
     *     org.jobgate.cli.tls.RefusedException}
     */
    public XmlElement call(Epr target, Function<Protocol, Request> request) throws IOException, SoapFaultException {
        Protocol told = forced != null ? forced : target.protocol();
        Protocol first = told != null ? told : spoken;
        try {
            return exchange(target, first, request);
        } catch (SoapFaultException e) {
            if (forced != null || first == Protocol.GT42 || !e.asksForNewer()) {
                throw e;
            }
            // nothing was done: the service did not even look at the body
            spoken = Protocol.GT42;
            return exchange(target, spoken, request);
        }
    }

    /**
     * Calls an operation.
     *
     * @param extraHeaders further header blocks as XML; may be empty
     * @param body the body's one child as XML
     * @return the body's one child of the reply, in the names of GT 4.0
     * @throws SoapFaultException the service refused
     * @throws IOException it could not be reached, or what came back is not its answer
     */
    public XmlElement call(Epr target, String action, String extraHeaders, String body)
            throws IOException, SoapFaultException {
        return call(target, protocol -> new Request(action, extraHeaders, body));
    }

    private XmlElement exchange(Epr target, Protocol protocol, Function<Protocol, Request> made)
            throws IOException, SoapFaultException {
        Request request = made.apply(protocol);
        String action = protocol.action(request.action());
        String envelope = envelope(protocol, target, action, request);
        show("request", envelope);
        HttpReply reply = http.post(target.address(), action, envelope.getBytes(StandardCharsets.UTF_8), true);
        if (trace != null) {
            show("reply, status " + reply.status(), new String(reply.body(), StandardCharsets.UTF_8));
        }
        return content(target, protocol, reply);
    }

    static String envelope(Protocol protocol, Epr target, String action, Request request) {
        StringBuilder out = new StringBuilder(1200 + request.body().length());
        out.append("<soapenv:Envelope xmlns:soapenv=\"").append(Names.SOAP);
        out.append("\" xmlns:wsa=\"").append(Names.WSA).append("\"><soapenv:Header>");
        header(out, "MessageID", "uuid:" + UUID.randomUUID());
        header(out, "To", target.address());
        header(out, "Action", action);
        out.append("<wsa:From soapenv:mustUnderstand=\"0\"><wsa:Address>").append(protocol.anonymous());
        out.append("</wsa:Address></wsa:From>");
        target.properties().forEach(property -> property.write(out, protocol.headerMark()));
        out.append(request.extraHeaders())
                .append("</soapenv:Header><soapenv:Body>")
                .append(request.body());
        return protocol.toWire(out.append("</soapenv:Body></soapenv:Envelope>").toString());
    }

    private static void header(StringBuilder out, String name, String value) {
        out.append("<wsa:").append(name).append(" soapenv:mustUnderstand=\"0\">");
        XmlText.append(out, value);
        out.append("</wsa:").append(name).append('>');
    }

    private static XmlElement content(Epr target, Protocol protocol, HttpReply reply)
            throws IOException, SoapFaultException {
        // a fault may come with any status (facts/gt4-wire.md section 3)
        XmlElement envelope;
        try {
            envelope = XmlElement.read(new ByteArrayInputStream(reply.body()));
        } catch (XMLStreamException e) {
            throw NoEnvelope.of(target.address(), reply, e);
        }
        XmlElement body = envelope.child(Names.SOAP, "Body");
        if (body == null || body.children().isEmpty()) {
            throw NoEnvelope.of(target.address(), reply, null);
        }
        XmlElement content = body.children().getFirst();
        content = protocol == Protocol.GT40 ? content : Protocol.canonical(content);
        if (content.is(Names.SOAP, "Fault")) {
            SoapFaultException fault = SoapFaultException.of(content);
            if (NoEnvelope.mayPass(reply.status()) && reply.status() != STATUS_OF_FAULTS) {
                throw new IOException(target.address() + ": " + fault.getMessage(), fault);
            }
            throw fault;
        }
        return content;
    }

    private void show(String what, String text) {
        if (trace != null) {
            trace.println("---- " + what);
            trace.println(text);
        }
    }
}
