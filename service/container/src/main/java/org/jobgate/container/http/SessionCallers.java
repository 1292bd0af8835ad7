// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import javax.net.ssl.SSLSession;
import org.jobgate.container.tls.Caller;
import org.jobgate.container.tls.ChainValidator;

/** Who stands behind a TLS session. A session is asked about for each request, so it remembers. */
final class SessionCallers {

    private static final String IN_SESSION = Caller.class.getName();

    private final ChainValidator validator;
    private final Clock clock;

    SessionCallers(ChainValidator validator, Clock clock) {
        this.validator = requireNonNull(validator, "validator is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Who it is, made anew when an attribute has expired.
     *
     * @param chain that the client showed
     * @throws CertificateException if the chain is not good any more
     */
    Caller of(SSLSession session, X509Certificate[] chain) throws CertificateException {
        Instant now = clock.instant();
        if (session.getValue(IN_SESSION) instanceof Caller known && now.isBefore(known.attributesUntil())) {
            return known;
        }
        Caller caller = validator.validate(chain);
        session.putValue(IN_SESSION, caller);
        return caller;
    }
}
