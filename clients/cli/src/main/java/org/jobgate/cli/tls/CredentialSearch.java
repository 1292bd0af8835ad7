// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/** Finds who we are where Globus tools look: the proxy, then the user's certificate and key. */
public final class CredentialSearch {
    private final Map<String, String> environment;
    private final Path home;
    private final Path temporary;
    private final Supplier<char[]> passphrase;

    /** @param passphrase asked only for a locked key */
    public CredentialSearch(Map<String, String> environment, Path home, Path temporary, Supplier<char[]> passphrase) {
        this.environment = Map.copyOf(environment);
        this.home = requireNonNull(home, "home is null");
        this.temporary = requireNonNull(temporary, "temporary is null");
        this.passphrase = requireNonNull(passphrase, "passphrase is null");
    }

    /**
     * {@code X509_USER_PROXY}, else {@code /tmp/x509up_u<uid>}, else {@code X509_USER_CERT} and {@code X509_USER_KEY}, else
     * {@code ~/.globus/usercert.pem} and {@code userkey.pem}. A file that is named or there must be usable: no other one is
     * taken in its place.
     *
     * @throws CredentialException none found, or the one found is not usable
     */
    public Credential find() throws CredentialException {
        String proxy = environment.getOrDefault("X509_USER_PROXY", "");
        if (!proxy.isEmpty()) {
            return Credential.read(Path.of(proxy), Path.of(proxy), passphrase);
        }
        Path usual = usualProxy();
        if (Files.exists(usual)) {
            return Credential.read(usual, usual, passphrase);
        }
        Path certificate = named("X509_USER_CERT", ".globus/usercert.pem");
        Path key = named("X509_USER_KEY", ".globus/userkey.pem");
        if (Files.exists(certificate)) {
            return Credential.read(certificate, key, passphrase);
        }
        throw new CredentialException("No credential: X509_USER_PROXY is not set, and neither " + usual + " nor "
                + certificate + " exists. Make a proxy, e.g. with voms-proxy-init, or jobgate ca proxy for a trial.");
    }

    private Path usualProxy() throws CredentialException {
        try {
            return temporary.resolve("x509up_u" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            throw new CredentialException(
                    "The number of this account cannot be found out, so neither its proxy. Set X509_USER_PROXY.", e);
        }
    }

    private Path named(String variable, String usual) {
        String name = environment.getOrDefault(variable, "");
        return name.isEmpty() ? home.resolve(usual) : Path.of(name);
    }
}
