// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import org.eclipse.jetty.io.EndPoint;
import org.jobgate.container.config.CredentialsConfig.ClientCertificates;
import org.jobgate.container.config.CredentialsConfig.LimitedProxies;
import org.jobgate.container.tls.Caller;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** Who a client is by the certificates of its TLS session. A session outlives requests, so a credential that has expired since the handshake is noticed here. */
final class CertificateCallers {

    private final SessionCallers callers;
    private final LimitedProxies limitedProxies;
    private final Clock clock;

    CertificateCallers(SessionCallers callers, LimitedProxies limitedProxies, Clock clock) {
        this.callers = requireNonNull(callers, "callers is null");
        this.limitedProxies = requireNonNull(limitedProxies, "limitedProxies is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * The client's identity.
     *
     * @param session absent where the connection has none
     * @param port that the connection came in by
     * @return null where the client has shown no certificate
     * @throws CertificateException if its chain is not good any more
     */
    @Nullable
    Identity of(EndPoint.@Nullable SslSessionData session, PortRules port) throws CertificateException {
        // a session of another port may be resumed on this one
        if (port.certificates() == ClientCertificates.NONE
                || session == null
                || session.peerCertificates() == null
                || session.peerCertificates().length == 0) {
            return null;
        }
        Caller caller = callers.of(session.sslSession(), session.peerCertificates());
        if (!clock.instant().isBefore(caller.until())) {
            throw new CertificateException("it expired at " + caller.until());
        }
        return limitedProxies == LimitedProxies.SUBMIT ? unlimited(caller.identity()) : caller.identity();
    }

    /**
     * The identity that a chain proves, whatever the site makes of limited proxies.
     *
     * @throws CertificateException if the chain is not good
     */
    Identity of(X509Certificate[] chain) throws CertificateException {
        return callers.of(chain).identity();
    }

    private static Identity unlimited(Identity identity) {
        return new Identity(
                identity.subject(), identity.method(), false, identity.fqans(), identity.scopes(), identity.issuer());
    }
}
