// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.eclipse.jetty.io.EndPoint;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Proxies that clients of httpg delegate while they connect, as the Globus toolkit does it: after the byte {@code D} the server sends a
 * certificate request (PKCS#10) and the client a proxy certificate over its key, both in DER. The rest of the proxy's chain is that which the
 * client has shown in the TLS handshake.
 *
 * <p>A proxy takes the place of an earlier one of the subject: so who connects all the time does not fill the vault. As many are kept as
 * were delegated at the same time, {@value #AT_ONCE} at the most.
 */
final class HttpgDelegations {

    /** Of one subject. */
    private static final int AT_ONCE = 8;

    private static final String ID = "httpg-";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** Who may delegate, and where to. */
    private record Doors(Access access, Delegations delegations) {}

    private final CertificateCallers callers;

    /** The credentials that are being delegated now, with their owners. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Doors doors;

    HttpgDelegations(CertificateCallers callers) {
        this.callers = requireNonNull(callers, "callers is null");
    }

    /** From now on they can be delegated. */
    void serve(Access access, Delegations delegations) {
        doors = new Doors(access, delegations);
    }

    /** The client is told this, and the connection ends. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        RefusedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Begins with one client.
     *
     * @param port that the connection came in by
     * @throws RefusedException where it may not delegate, or nobody may
     */
    Exchange begin(EndPoint.@Nullable SslSessionData session, PortRules port) throws RefusedException {
        Doors to = doors;
        if (to == null || session == null) {
            throw new RefusedException("No credential can be delegated here; connect without delegation.", null);
        }
        Identity identity;
        try {
            identity = callers.of(session, port);
        } catch (CertificateException e) {
            throw new RefusedException("The certificate of this connection is not good: " + e.getMessage(), e);
        }
        if (identity == null) {
            throw new RefusedException("Who has shown no certificate cannot delegate one.", null);
        }
        String owner = identity.subject();
        String id = IntStream.rangeClosed(1, AT_ONCE)
                .mapToObj(number -> ID + number)
                .filter(one -> begun.add(one + " " + owner))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        "You delegate " + AT_ONCE + " credentials at this moment; try again in another.", null));
        try {
            Caller caller = to.access().caller(identity);
            Delegations.Request request = to.delegations().request(caller, id);
            return new Exchange(to.delegations(), caller, owner, session.peerCertificates(), request);
        } catch (FaultException e) {
            begun.remove(id + " " + owner);
            throw refused(e);
        } catch (RuntimeException e) {
            begun.remove(id + " " + owner);
            throw e;
        }
    }

    private static RefusedException refused(FaultException e) {
        return new RefusedException((e.fault().sentence() + " " + e.fault().remedy()).strip(), e);
    }

    /** One client that delegates. To be closed, whatever comes of it. */
    final class Exchange implements AutoCloseable {

        private final Delegations delegations;
        private final Caller caller;
        private final String owner;
        private final X509Certificate[] shown;
        private final Delegations.Request request;

        private Exchange(
                Delegations delegations,
                Caller caller,
                String owner,
                X509Certificate[] shown,
                Delegations.Request request) {
            this.delegations = delegations;
            this.caller = caller;
            this.owner = owner;
            this.shown = shown.clone();
            this.request = request;
        }

        /** The certificate request, in DER. */
        byte[] request() {
            return Base64.getMimeDecoder().decode(request.pem().replaceAll("-----[^-]*-----", ""));
        }

        /**
         * Keeps what the client has signed.
         *
         * @param certificate in DER
         * @throws RefusedException where it is not a proxy of the client's own
         */
        void answer(byte[] certificate) throws RefusedException {
            StringBuilder chain = new StringBuilder(pem(certificate));
            try {
                for (X509Certificate one : shown) {
                    chain.append(pem(one.getEncoded()));
                }
                delegations.put(caller, request.id(), chain.toString());
            } catch (CertificateEncodingException e) {
                throw new RefusedException("The chain of this connection cannot be read: " + e.getMessage(), e);
            } catch (FaultException e) {
                throw refused(e);
            }
        }

        private static String pem(byte[] der) {
            return "-----BEGIN CERTIFICATE-----\n" + new String(LINES.encode(der), StandardCharsets.US_ASCII)
                    + "\n-----END CERTIFICATE-----\n";
        }

        @Override
        public void close() {
            begun.remove(request.id() + " " + owner);
        }
    }
}
