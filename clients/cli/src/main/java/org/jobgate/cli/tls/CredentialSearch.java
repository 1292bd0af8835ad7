// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds who we are where grid tools look: bearer tokens, the proxy, the user's certificate and key. */
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
     * What to show: {@code BEARER_TOKEN} or {@code BEARER_TOKEN_FILE} where one of them is set; else a certificate, as {@link #find}
     * looks for it; else the token in the usual file, {@code $XDG_RUNTIME_DIR/bt_u<uid>} or {@code /tmp/bt_u<uid>}. (WLCG Bearer Token
     * Discovery 1.0 has this order of tokens; a certificate stands before the usual files, since a token may lie there for other services.)
     *
     * @throws CredentialException none found, or the one found is not usable
     */
    public Identification identification() throws CredentialException {
        String token = environment.getOrDefault("BEARER_TOKEN", "").strip();
        if (!token.isEmpty()) {
            return Identification.of(BearerToken.of("the variable BEARER_TOKEN", token));
        }
        String named = environment.getOrDefault("BEARER_TOKEN_FILE", "");
        if (!named.isEmpty()) {
            return Identification.of(BearerToken.read(Path.of(named), account()));
        }
        Credential credential = certificate();
        return credential != null ? Identification.of(credential) : usualToken();
    }

    private Identification usualToken() throws CredentialException {
        String name = "bt_u" + account();
        String run = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        for (Path folder : run.isEmpty() ? List.of(temporary) : List.of(Path.of(run), temporary)) {
            Path file = folder.resolve(name);
            if (BearerToken.isThere(file)) {
                return Identification.of(BearerToken.read(file, account()));
            }
        }
        throw none();
    }

    /**
     * {@code X509_USER_PROXY}, else {@code /tmp/x509up_u<uid>}, else {@code X509_USER_CERT} and {@code X509_USER_KEY}, else
     * {@code ~/.globus/usercert.pem} and {@code userkey.pem}. A file that is named or there must be usable: no other one is
     * taken in its place.
     *
     * @throws CredentialException none found, or the one found is not usable
     */
    public Credential find() throws CredentialException {
        Credential credential = certificate();
        if (credential == null) {
            throw none();
        }
        return credential;
    }

    private @Nullable Credential certificate() throws CredentialException {
        Path proxy = proxyFile();
        if (!environment.getOrDefault("X509_USER_PROXY", "").isEmpty() || Files.exists(proxy)) {
            return Credential.read(proxy, proxy, passphrase);
        }
        return Files.exists(certificateFile()) ? Credential.read(certificateFile(), keyFile(), passphrase) : null;
    }

    private CredentialException none() throws CredentialException {
        return new CredentialException("No credential: X509_USER_PROXY is not set, and neither " + proxyFile() + " nor "
                + certificateFile() + " exists, nor is there a bearer token (BEARER_TOKEN, BEARER_TOKEN_FILE, "
                + temporary.resolve("bt_u" + account())
                + "). Make a proxy with: jobgate proxy init, or voms-proxy-init.");
    }

    /** {@code X509_USER_PROXY}, else {@code /tmp/x509up_u<uid>}; it need not be there. */
    public Path proxyFile() throws CredentialException {
        String proxy = environment.getOrDefault("X509_USER_PROXY", "");
        return proxy.isEmpty() ? temporary.resolve("x509up_u" + account()) : Path.of(proxy);
    }

    /** {@code X509_USER_CERT}, else {@code ~/.globus/usercert.pem}; it need not be there. */
    public Path certificateFile() {
        return named("X509_USER_CERT", ".globus/usercert.pem");
    }

    /** {@code X509_USER_KEY}, else {@code ~/.globus/userkey.pem}; it need not be there. */
    public Path keyFile() {
        return named("X509_USER_KEY", ".globus/userkey.pem");
    }

    private static int account() throws CredentialException {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
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
