// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpsClient;
import org.jspecify.annotations.Nullable;

/** Calls operations of services that know SOAP 1.1 and nothing above it: no addressing, no headers. */
public final class PlainSoap {

    /** The service answered with a fault. */
    public static final class FaultException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient XmlElement fault;

        FaultException(XmlElement fault) {
            super(String.valueOf(fault.childText("", "faultstring")));
            this.fault = fault;
        }

        /** The element {@code Fault} of SOAP. */
        public XmlElement fault() {
            return fault;
        }
    }

    private final HttpsClient http;
    private final @Nullable PrintStream trace;

    /** @param trace where to show each envelope; null for nowhere */
    public PlainSoap(HttpsClient http, @Nullable PrintStream trace) {
        this.http = requireNonNull(http, "http is null");
        this.trace = trace;
    }

    /**
     * Calls an operation.
     *
     * @param body the body's content as XML; may be empty
     * @return the body's first child of the reply; null where it has none
     * <p>Services of others cannot be told that a request comes again, so each is sent once.
     *
     * @throws FaultException the service refused
     * @throws IOException it could not be reached, or what came back is not its answer
     */
    public @Nullable XmlElement call(String url, String action, String body) throws IOException, FaultException {
        String envelope = "<soapenv:Envelope xmlns:soapenv=\"" + Names.SOAP + "\"><soapenv:Body>" + body
                + "</soapenv:Body></soapenv:Envelope>";
        show("request to " + url, envelope);
        HttpReply reply = http.post(url, action, envelope.getBytes(StandardCharsets.UTF_8), false);
        show("reply, status " + reply.status(), new String(reply.body(), StandardCharsets.UTF_8));
        XmlElement answer;
        try {
            answer = XmlElement.read(new ByteArrayInputStream(reply.body()));
        } catch (XMLStreamException e) {
            throw NoEnvelope.of(url, reply, e);
        }
        XmlElement content = answer.child(Names.SOAP, "Body");
        if (content == null) {
            throw NoEnvelope.of(url, reply, null);
        }
        XmlElement first =
                content.children().isEmpty() ? null : content.children().getFirst();
        if (first != null && first.is(Names.SOAP, "Fault")) {
            throw new FaultException(first);
        }
        return first;
    }

    private void show(String what, String text) {
        if (trace != null) {
            trace.println("---- " + what);
            trace.println(text);
        }
    }
}
