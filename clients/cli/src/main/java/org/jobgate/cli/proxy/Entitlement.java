// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jspecify.annotations.Nullable;

/** Why a MyProxy server should give a proxy to the one who asks. */
sealed interface Entitlement {

    /** The credential that is shown on the connection; null for none. */
    @Nullable
    Credential caller();

    /** The pass phrase in the request; empty for none. */
    char[] passphrase();

    /** The client knows the pass phrase under which it was left there. */
    final class Secret implements Entitlement {
        private final char[] passphrase;

        /** @param passphrase filled with blanks when it has been sent */
        Secret(char[] passphrase) {
            this.passphrase = requireNonNull(passphrase, "passphrase is null");
        }

        @Override
        public @Nullable Credential caller() {
            return null;
        }

        @Override
        public char[] passphrase() {
            return passphrase;
        }
    }

    /**
     * The rules of the server, or those of the proxy's owner, let the caller renew the proxy (authorized_renewers, myproxy-init -R; or
     * trusted_retrievers, myproxy-init -Z), and the caller has a proxy of that owner.
     *
     * @param caller the credential that renews; by the server's default not that of the proxy's owner
     * @param present the proxy to renew, not expired yet
     */
    record Renewal(Credential caller, Credential present) implements Entitlement {
        private static final int BY_CERTIFICATE = 2;
        private static final int LENGTHS = 2 * Integer.BYTES;

        public Renewal {
            requireNonNull(caller, "caller is null");
            requireNonNull(present, "present is null");
        }

        @Override
        public char[] passphrase() {
            return new char[0];
        }

        /**
         * Refuses what does not renew the present proxy.
         *
         * @param place where it is to be written, for the message
         * @throws CredentialException if it is somebody else's, or does not end later
         */
        void require(List<X509Certificate> renewed, Path place) throws CredentialException {
            ProxyDescription was = ProxyDescription.of(present.source(), present.chain());
            ProxyDescription is = ProxyDescription.of(place, renewed);
            if (!is.identity().equals(was.identity())) {
                throw new CredentialException(
                        "The MyProxy server sent a proxy of " + is.identity() + " for that of "
                                + was.identity() + " in " + present.source()
                                + ": nothing was changed. Name whose it is with --user, and --credential if there are several.");
            }
            if (!is.end().isAfter(was.end())) {
                throw new CredentialException("The MyProxy server sent a proxy that ends at " + is.end()
                        + ", not later than that in " + present.source() + " (" + was.end()
                        + "): nothing was changed. Ask for more --hours, or leave a longer one there.");
            }
        }

        /**
         * The answer to a challenge: the number of the method in the byte order of the machines it was written for, the length of the signature
         * in that of the network, the signature of the challenge, the number of certificates in a byte, and these (the protocol's section
         * on authorization; with SHA-1, which myproxy-server 6.2 takes).
         */
        byte[] answer(String challenge) throws GeneralSecurityException {
            Signature signature =
                    Signature.getInstance(present.key().getAlgorithm().equals("RSA") ? "SHA1withRSA" : "SHA1withECDSA");
            signature.initSign(present.key());
            signature.update(challenge.getBytes(StandardCharsets.US_ASCII));
            byte[] signed = signature.sign();
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.writeBytes(ByteBuffer.allocate(LENGTHS)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(BY_CERTIFICATE)
                    .order(ByteOrder.BIG_ENDIAN)
                    .putInt(signed.length)
                    .array());
            answer.writeBytes(signed);
            answer.write(present.chain().size());
            for (X509Certificate certificate : present.chain()) {
                answer.writeBytes(certificate.getEncoded());
            }
            return answer.toByteArray();
        }
    }
}
