// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.net.ssl.SSLSession;
import org.jobgate.container.tls.Caller;
import org.jobgate.container.tls.ChainValidator;

/**
 * Who stands behind a TLS session. A session is asked about for each request, so it is remembered as long as the session is; not in the
 * session itself, for with a value in it JSSE sends the client a further ticket (TLS 1.3) with the next answer, and gfal2 takes an answer
 * that begins with one for the end of the connection.
 */
final class SessionCallers {

    /** A remembered caller is used only for the same chain, as a client may choose the session's id. */
    @SuppressWarnings("ArrayRecordComponent") // made once, compared by isOf only
    private record Known(X509Certificate[] chain, Caller caller) {
        boolean isOf(X509Certificate[] shown, Instant now) {
            return now.isBefore(caller.attributesUntil()) && Arrays.equals(chain, shown);
        }
    }

    private final Map<SSLSession, Known> remembered = Collections.synchronizedMap(new WeakHashMap<>());
    private final ChainValidator validator;
    private final Clock clock;

    SessionCallers(ChainValidator validator, Clock clock) {
        this.validator = requireNonNull(validator, "validator is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Who stands behind a chain that a client sent otherwise than to begin a session.
     *
     * @throws CertificateException if it is not good
     */
    Caller of(X509Certificate[] chain) throws CertificateException {
        return validator.validate(chain);
    }

    /**
     * Who it is, made anew when an attribute has expired.
     *
     * @param chain that the client showed
     * @throws CertificateException if the chain is not good any more
     */
    Caller of(SSLSession session, X509Certificate[] chain) throws CertificateException {
        Instant now = clock.instant();
        Known known = remembered.get(session);
        if (known != null && known.isOf(chain, now)) {
            return known.caller();
        }
        Caller caller = validator.validate(chain);
        remembered.put(session, new Known(chain.clone(), caller));
        return caller;
    }
}
