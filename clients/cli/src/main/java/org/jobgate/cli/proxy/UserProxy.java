// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jobgate.cli.ca.Issued;
import org.jobgate.cli.ca.KeyKind;
import org.jobgate.cli.ca.PemFiles;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.TrustDirectory;

/** The proxy of somebody for whom a program acts that acts for others too. */
public final class UserProxy {
    private static final Duration NETWORK_PATIENCE = Duration.ofSeconds(60);
    private static final int BITS = 2048;

    private final Credential credential;
    private final ProxyDescription description;

    private UserProxy(Credential credential) {
        this.credential = credential;
        this.description = ProxyDescription.of(credential.source(), credential.chain());
    }

    /**
     * Reads it.
     *
     * @throws CredentialException it is not there, is open to others, expired, or cannot be read
     */
    public static UserProxy read(Path file) throws CredentialException {
        try {
            return new UserProxy(Credential.read(file, file, Passphrases.none()));
        } catch (IllegalArgumentException e) {
            throw new CredentialException("The proxy in " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    public Credential credential() {
        return credential;
    }

    /** The person behind it. */
    public String identity() {
        return description.identity();
    }

    /** The person, and the first attribute that a VOMS server gave it: those who have both in common are one user. */
    public String owner() {
        return description.identity()
                + description.voms().stream()
                        .flatMap(voms -> voms.fqans().stream())
                        .findFirst()
                        .map(fqan -> " " + fqan)
                        .orElse("");
    }

    /** When the first of its certificates ends. */
    public Instant end() {
        return description.end();
    }

    /**
     * Gets a newer one of the same person from a MyProxy server, and writes it in its place.
     *
     * @param server {@code HOST} or {@code HOST:PORT}
     * @param user under which name it was left there
     * @param renewer who renews, as the server's rules name them
     * @throws CredentialException the server refused, or sent what does not renew it
     * @throws IOException not reached, not believed, or not written
     */
    public void renew(String server, String user, Credential renewer, TrustDirectory trusted, Duration lifetime)
            throws IOException, CredentialException {
        MyProxyServer from = MyProxyAddress.of(server, null, Map.of(), NETWORK_PATIENCE);
        Entitlement.Renewal renewal = new Entitlement.Renewal(renewer, credential);
        try {
            Issued proxy = from.get(
                    new MyProxyServer.Wish(user, null, lifetime), renewal, KeyKind.RSA.generate(BITS), trusted);
            renewal.require(proxy.chain(), credential.source());
            PemFiles.writeProxy(credential.source(), proxy);
        } catch (GeneralSecurityException e) {
            throw new CredentialException("No proxy could be made at " + server + ": " + e.getMessage(), e);
        }
    }
}
