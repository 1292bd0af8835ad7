// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
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
 * <p>One proxy is kept for each set of rights that the subject has delegated (VOMS attributes, limited or not), the one that lasts the longest:
 * so who connects all the time does not fill the vault, and jobs and copies that use a proxy are never given one of other rights or of less
 * time by a later connection.
 *
 * <p>A key and the site's policy cost more than most requests. So the work for a client is done when it is the turn of its owner
 * ({@link TurnGate}), and keys that nothing was signed for are used again.
 */
final class HttpgDelegations {

    /** Of one subject. */
    private static final int AT_ONCE = 8;

    /** What ids begin with. That of a request ends in its number, that of a credential in a digest of its rights. */
    private static final String ID = "httpg-";

    private static final int DIGEST = 8;

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** Who may delegate, and where to. */
    private record Doors(Access access, Delegations delegations) {}

    private final CertificateCallers callers;
    private final TurnGate gate;

    /** The credentials that are being delegated now, with their owners. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Doors doors;

    HttpgDelegations(CertificateCallers callers, TurnGate gate) {
        this.callers = requireNonNull(callers, "callers is null");
        this.gate = requireNonNull(gate, "gate is null");
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
     * Begins with one client, when it is its owner's turn.
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
        try {
            return inTurn(to, identity, session.peerCertificates());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException("The service stops; try again later.", e);
        }
    }

    private Exchange inTurn(Doors to, Identity identity, X509Certificate[] shown)
            throws RefusedException, InterruptedException {
        TurnGate.Run run = gate.forRequest(TurnGate.ownerKey(identity.subject()));
        if (run == null) {
            throw new RefusedException("Too much of yours waits for its turn; try again later.", null);
        }
        return run.make(() -> begin(to, identity, shown));
    }

    private Exchange begin(Doors to, Identity identity, X509Certificate[] shown) throws RefusedException {
        String owner = identity.subject();
        String id = IntStream.rangeClosed(1, AT_ONCE)
                .mapToObj(number -> ID + number)
                .filter(one -> begun.add(one + " " + owner))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        "You delegate " + AT_ONCE + " credentials at this moment; try again in another.", null));
        try {
            Caller caller = to.access().caller(identity);
            Delegations.Request request = to.delegations().requestAgain(caller, id);
            return new Exchange(to.delegations(), caller, owner, shown, request);
        } catch (FaultException e) {
            begun.remove(id + " " + owner);
            throw refused(e);
        } catch (RuntimeException e) {
            begun.remove(id + " " + owner);
            throw e;
        }
    }

    /** The id of credentials that prove this: the same rights have the same. */
    private static String ofRights(Identity identity) {
        String rights = (identity.limited() ? "limited\n" : "full\n") + String.join("\n", identity.fqans());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(rights.getBytes(StandardCharsets.UTF_8));
            return ID + HexFormat.of().formatHex(digest, 0, DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
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
         * @return the id of the delegated credential
         * @throws RefusedException where it is not a proxy of the client's own
         */
        String answer(byte[] certificate) throws RefusedException {
            X509Certificate[] chain = new X509Certificate[shown.length + 1];
            System.arraycopy(shown, 0, chain, 1, shown.length);
            try {
                chain[0] = (X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(certificate));
                StringBuilder text = new StringBuilder();
                for (X509Certificate one : chain) {
                    text.append(pem(one.getEncoded()));
                }
                return delegations
                        .putLonger(caller, request.id(), ofRights(callers.of(chain)), text.toString())
                        .id();
            } catch (CertificateException e) {
                throw new RefusedException("The delegated credential is not accepted: " + e.getMessage() + ".", e);
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
