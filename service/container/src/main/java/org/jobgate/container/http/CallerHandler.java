// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.tls.Caller;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.identity.Identity;

/**
 * Leaves the caller's identity in the request, by the certificates of its TLS session. A session outlives requests, so a credential
 * that has expired since the handshake is noticed here.
 */
final class CallerHandler extends Handler.Wrapper {

    private static final String IN_SESSION = Caller.class.getName();

    private final ChainValidator validator;
    private final Clock clock;

    CallerHandler(ChainValidator validator, Clock clock, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.validator = requireNonNull(validator, "validator is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        // an identity is only ever set here, whatever came with the request
        request.removeAttribute(Identity.REQUEST_ATTRIBUTE);
        if (!(request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData session)
                || session.peerCertificates() == null
                || session.peerCertificates().length == 0) {
            return super.handle(request, response, callback);
        }
        try {
            Caller caller = caller(session.sslSession(), session.peerCertificates());
            if (!clock.instant().isBefore(caller.until())) {
                throw new CertificateException("it expired at " + caller.until());
            }
            request.setAttribute(Identity.REQUEST_ATTRIBUTE, caller.identity());
        } catch (CertificateException e) {
            refusal(e).write(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private Caller caller(SSLSession session, X509Certificate[] chain) throws CertificateException {
        if (session.getValue(IN_SESSION) instanceof Caller known) {
            return known;
        }
        Caller caller = validator.validate(chain);
        session.putValue(IN_SESSION, caller);
        return caller;
    }

    private static Refusal refusal(CertificateException e) {
        return new Refusal(
                401,
                "CREDENTIAL_UNUSABLE",
                "The certificate of this connection is not good any more: " + e.getMessage() + ".",
                "Connect again with a valid one.",
                null);
    }
}
