// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.AttachmentInInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** Before anything is parsed: bounds the body, serves the WSDL, and refuses every method but POST. */
final class RequestGuard extends AbstractPhaseInterceptor<Message> {

    private final String service;
    private final Limit bodyBytes;
    private final Function<String, Optional<byte[]>> documents;

    /** @param documents answers the document for a query string such as {@code wsdl} */
    RequestGuard(String service, Limit bodyBytes, Function<String, Optional<byte[]>> documents) {
        super(Phase.RECEIVE);
        addBefore(AttachmentInInterceptor.class.getName());
        this.service = service;
        this.bodyBytes = bodyBytes;
        this.documents = documents;
    }

    @Override
    public void handleMessage(Message message) {
        HttpServletRequest request = (HttpServletRequest) message.get(AbstractHTTPDestination.HTTP_REQUEST);
        if (request != null && !request.getMethod().equals("POST")) {
            answerWithoutSoap(message, request);
            return;
        }
        expectVersion(message);
        if (request != null && !saysCharset(request.getContentType())) {
            // XML says itself what it is written in, else it is UTF-8; Latin 1, which CXF takes, was HTTP's rule for
            // text once
            message.remove(Message.ENCODING);
        }
        bodyBytes.check(request == null ? 0 : request.getContentLengthLong(), "Bytes of the request's body");
        InputStream body = message.getContent(InputStream.class);
        if (body != null) {
            message.setContent(InputStream.class, new BoundedInputStream(body, bodyBytes));
        }
    }

    /** Until the envelope is read, what HTTP says of it is all there is: a request that is refused before has its answer in that version. */
    private static void expectVersion(Message message) {
        String type = (String) message.get(Message.CONTENT_TYPE);
        boolean isSoap12 = type != null && type.startsWith("application/soap+xml");
        if (message instanceof SoapMessage soap && !isSoap12) {
            soap.setVersion(Soap11.getInstance());
        }
    }

    private static boolean saysCharset(@Nullable String contentType) {
        return contentType != null && contentType.toLowerCase(Locale.ROOT).contains("charset=");
    }

    private void answerWithoutSoap(Message message, HttpServletRequest request) {
        HttpServletResponse response = requireNonNull(
                (HttpServletResponse) message.get(AbstractHTTPDestination.HTTP_RESPONSE), "CXF gives no response");
        String query = request.getQueryString();
        Optional<byte[]> document =
                query == null || !request.getMethod().equals("GET") ? Optional.empty() : documents.apply(query);
        try {
            if (document.isPresent()) {
                send(response, 200, "text/xml; charset=utf-8", document.get());
            } else {
                int status = request.getMethod().equals("GET") ? 404 : 405;
                String text = "This is the SOAP service " + service + ". Send it POST requests; "
                        + "its description is at ?wsdl.\n";
                send(response, status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new Fault(e);
        }
        message.put(AbstractHTTPDestination.REQUEST_REDIRECTED, true);
        message.getInterceptorChain().abort();
    }

    private static void send(HttpServletResponse response, int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        if (status == 405) {
            response.setHeader("Allow", "GET, POST");
        }
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.flushBuffer();
    }
}
