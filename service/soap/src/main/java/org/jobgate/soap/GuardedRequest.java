// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import org.apache.cxf.interceptor.AttachmentInInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** Has a request opened by its service's guard, before anything else looks at it. */
final class GuardedRequest extends AbstractPhaseInterceptor<Message> {

    /** How the container calls an identity of a TLS session. */
    private static final String BY_CERTIFICATE = "tls";

    private final MessageGuard guard;

    GuardedRequest(MessageGuard guard) {
        super(Phase.RECEIVE);
        addBefore(AttachmentInInterceptor.class.getName());
        addAfter(RequestGuard.class.getName());
        this.guard = guard;
    }

    @Override
    public void handleMessage(Message message) {
        InputStream body = message.getContent(InputStream.class);
        HttpServletRequest http = (HttpServletRequest) message.get(AbstractHTTPDestination.HTTP_REQUEST);
        if (body == null || http == null) {
            return;
        }
        try {
            byte[] envelope = body.readAllBytes();
            MessageGuard.Opened opened = guard.open(new MessageGuard.Arrived(
                    envelope, ofTransport(http), chain(http), http.isSecure(), http.getRemoteAddr()));
            message.setContent(InputStream.class, new ByteArrayInputStream(opened.envelope()));
            if (opened.envelope() != envelope) {
                // written anew: what was verified must not be read in another encoding, whatever HTTP says of it
                message.put(Message.ENCODING, StandardCharsets.UTF_8.name());
            }
            message.getExchange().put(MessageGuard.Opened.class, opened);
        } catch (SoapFaultException e) {
            throw CxfFaults.of(e);
        } catch (IOException e) {
            throw new Fault(e);
        }
    }

    /** The certificates that the transport's word is of; a token's word is of none, whatever the connection has shown besides. */
    private static X509Certificate @Nullable [] chain(HttpServletRequest http) {
        Identity identity = ofTransport(http);
        return identity != null && identity.method().equals(BY_CERTIFICATE)
                ? (X509Certificate[]) http.getAttribute("jakarta.servlet.request.X509Certificate")
                : null;
    }

    static @Nullable Identity ofTransport(@Nullable HttpServletRequest http) {
        return http == null ? null : (Identity) http.getAttribute(Identity.REQUEST_ATTRIBUTE);
    }
}
