// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.jobgate.cli.text.Sentence;

/**
 * Decides whether to believe a server: its chain must end at an authority of the trust directory, and it must be whom we
 * expect. A server that runs with somebody's proxy is accepted as that person.
 */
final class ServerTrust extends X509ExtendedTrustManager {
    /** Object identifiers of proxy certificate information: RFC 3820, and the draft before it. */
    private static final List<String> PROXY_INFORMATION = List.of("1.3.6.1.5.5.7.1.14", "1.3.6.1.4.1.3536.1.222");

    private static final int CHAIN_LENGTH_MAX = 10;
    private static final String SERVER_USE = "1.3.6.1.5.5.7.3.1";
    private static final String ANY_USE = "2.5.29.37.0";

    private final TrustDirectory trusted;
    private final ServerName expected;
    private final String host;

    ServerTrust(TrustDirectory trusted, ServerName expected, String host) {
        this.trusted = requireNonNull(trusted, "trusted is null");
        this.expected = requireNonNull(expected, "expected is null");
        this.host = requireNonNull(host, "host is null");
    }

    static boolean isProxy(X509Certificate certificate) {
        if (PROXY_INFORMATION.stream().anyMatch(oid -> certificate.getExtensionValue(oid) != null)) {
            return true;
        }
        // the oldest kind has no extension: its name is its issuer's and "proxy"
        String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        String issuer = certificate.getIssuerX500Principal().getName(X500Principal.RFC2253);
        return subject.equals("CN=proxy," + issuer) || subject.equals("CN=limited proxy," + issuer);
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        try {
            int endEntity = checkProxies(chain);
            X509Certificate server = chain[endEntity];
            checkAuthority(chain, endEntity);
            checkUse(server);
            if (!expected.matches(server, host)) {
                throw new CredentialException("The server at " + host + " is "
                        + SlashName.of(server.getSubjectX500Principal()) + "; expected " + expected.expected(host)
                        + ".");
            }
        } catch (CredentialException e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }

    /** Walks over proxies, each of which must be signed by the next certificate. Returns the place of the first that is none. */
    private static int checkProxies(X509Certificate[] chain) throws CredentialException {
        int at = 0;
        while (at < chain.length && isProxy(chain[at])) {
            X509Certificate proxy = chain[at];
            at++;
            if (at == chain.length) {
                throw new CredentialException("The server sent a proxy certificate without its owner's certificate.");
            }
            try {
                proxy.checkValidity();
                proxy.verify(chain[at].getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new CredentialException(
                        "The server's proxy certificate is not valid: " + Sentence.of(e.getMessage()), e);
            }
            if (!proxy.getIssuerX500Principal().equals(chain[at].getSubjectX500Principal())) {
                throw new CredentialException("The server's proxy certificate is not of the certificate that follows.");
            }
        }
        return at;
    }

    private void checkAuthority(X509Certificate[] chain, int endEntity) throws CredentialException {
        List<X509Certificate> path = new ArrayList<>();
        X509Certificate at = chain[endEntity];
        while (path.size() < CHAIN_LENGTH_MAX) {
            path.add(at);
            List<X509Certificate> authorities = trusted.authorities(at.getIssuerX500Principal());
            if (!authorities.isEmpty()) {
                validate(path, authorities);
                return;
            }
            at = issuer(chain, at);
        }
        throw new CredentialException("The server's certificate chain is longer than " + CHAIN_LENGTH_MAX + ".");
    }

    private X509Certificate issuer(X509Certificate[] chain, X509Certificate certificate) throws CredentialException {
        for (X509Certificate candidate : chain) {
            if (candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())
                    && !candidate.equals(certificate)) {
                return candidate;
            }
        }
        throw new CredentialException("The server's certificate "
                + SlashName.of(chain[0].getSubjectX500Principal()) + " is signed by "
                + SlashName.of(certificate.getIssuerX500Principal()) + ", which is not among the authorities in "
                + trusted.path() + ". If you trust it, put its certificate there; X509_CERT_DIR names the directory.");
    }

    private void validate(List<X509Certificate> path, List<X509Certificate> authorities) throws CredentialException {
        GeneralSecurityException last = new GeneralSecurityException("no authority");
        for (X509Certificate authority : authorities) {
            try {
                PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
                parameters.setRevocationEnabled(false); // the trust directory has its own lists: below
                CertPathValidator.getInstance("PKIX")
                        .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
                refuseRevoked(path, authority);
                return;
            } catch (GeneralSecurityException e) {
                last = e;
            }
        }
        throw new CredentialException(
                "The server's certificate " + SlashName.of(path.getFirst().getSubjectX500Principal())
                        + " is not valid: " + Sentence.of(last.getMessage()),
                last);
    }

    private void refuseRevoked(List<X509Certificate> path, X509Certificate authority) throws CredentialException {
        for (int i = 0; i < path.size(); i++) {
            trusted.refuseRevoked(path.get(i), i + 1 < path.size() ? path.get(i + 1) : authority);
        }
    }

    /** Not asked of a personal container (self or subject authorization): it runs with a user's certificate. */
    private void checkUse(X509Certificate server) throws CredentialException, CertificateException {
        List<String> uses = server.getExtendedKeyUsage();
        if (expected instanceof ServerName.Host
                && uses != null
                && !uses.contains(SERVER_USE)
                && !uses.contains(ANY_USE)) {
            throw new CredentialException("The server's certificate " + SlashName.of(server.getSubjectX500Principal())
                    + " is not made for servers (extendedKeyUsage).");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
