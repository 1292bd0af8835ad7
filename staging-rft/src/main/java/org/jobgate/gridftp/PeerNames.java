// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import eu.emi.security.authn.x509.helpers.ssl.HostnameToCertificateChecker;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.security.auth.x500.X500Principal;

/** The names of which a peer's certificate must have one. */
final class PeerNames {

    private PeerNames() {}

    /** A server: the subject that it is expected to have, or else its host. */
    static GsiTrust.PeerCheck server(GsiSecurity security, String host) {
        SubjectName wanted = security.server();
        return wanted == null ? host(host) : named(wanted);
    }

    /** A server that runs with a proxy has the name of who made it, or the proxy's own. */
    private static GsiTrust.PeerCheck named(SubjectName wanted) {
        return chain -> {
            X500Principal own = chain[0].getSubjectX500Principal();
            if (!SubjectName.of(user(chain)).equals(wanted)
                    && !SubjectName.of(own).equals(wanted)) {
                throw new CertificateException("the certificate is of " + own + ", and " + wanted + " was expected");
            }
        };
    }

    /** A host: its alternative names, or its common name, {@code host/NAME} of older grid certificates included. */
    static GsiTrust.PeerCheck host(String host) {
        return chain -> {
            if (!isHost(host, chain[0])) {
                throw new CertificateException("the certificate is of " + chain[0].getSubjectX500Principal()
                        + " and does not name the host " + host);
            }
        };
    }

    private static boolean isHost(String host, X509Certificate certificate) throws CertificateException {
        try {
            if (new HostnameToCertificateChecker().checkMatching(host, certificate)) {
                return true;
            }
        } catch (UnknownHostException e) {
            throw new CertificateException("the host " + host + " cannot be compared with the certificate's names", e);
        }
        return certificate.getSubjectAlternativeNames() == null && hasServiceName(host, certificate);
    }

    private static boolean hasServiceName(String host, X509Certificate certificate) {
        String name = new HostnameToCertificateChecker().getMostSpecificCN(certificate.getSubjectX500Principal());
        return name != null && name.equalsIgnoreCase("host/" + host);
    }

    /** For a data channel: the same user as ours, or the subject that was asked for. */
    static GsiTrust.PeerCheck user(GsiSecurity security, DataAuthentication authentication) {
        SubjectName wanted = authentication.subject() == null
                ? SubjectName.of(user(security.credential().getCertificateChain()))
                : SubjectName.parse(authentication.subject());
        return chain -> {
            SubjectName peer = SubjectName.of(user(chain));
            if (!peer.equals(wanted)) {
                throw new CertificateException("the peer of the data channel is " + peer + ", not " + wanted);
            }
        };
    }

    private static X500Principal user(X509Certificate[] chain) {
        return ProxyUtils.isProxy(chain) ? ProxyUtils.getOriginalUserDN(chain) : chain[0].getSubjectX500Principal();
    }
}
