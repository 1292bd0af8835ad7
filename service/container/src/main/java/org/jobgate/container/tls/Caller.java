// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * Who stands behind a validated chain of certificates.
 *
 * @param until when the first certificate of the chain expires
 * @param attributesUntil when the identity must be made anew, because the first of its attributes expires; not after {@code until}
 */
public record Caller(Identity identity, Instant until, Instant attributesUntil) {

    /** The policies that hand on what the end entity may do; any other would have to be understood, and an independent one hands on nothing. */
    private static final Set<String> UNDERSTOOD_POLICIES =
            Set.of(ProxyPolicy.INHERITALL_POLICY_OID, ProxyPolicy.LIMITED_PROXY_OID);

    /** Proxy certificate information: RFC 3820 section 3.8 wants it critical, and what canl leaves to us is that. */
    private static final String PROXY_INFORMATION = "1.3.6.1.5.5.7.1.14";

    public Caller {
        requireNonNull(identity, "identity is null");
        requireNonNull(until, "until is null");
        requireNonNull(attributesUntil, "attributesUntil is null");
    }

    /**
     * Reads the chain, which must have been validated: the end entity's subject, and whether any proxy in it is limited (RFC 3820, the
     * GSI-3 draft, or a legacy {@code CN=limited proxy}).
     *
     * @throws CertificateException if the chain does not name a subject
     */
    static Caller of(X509Certificate[] chain, VomsAttributes.Found attributes) throws CertificateException {
        checkCritical(chain);
        boolean limited = ProxyUtils.isProxy(chain) && checkProxies(chain);
        X509Certificate endEntity = ProxyUtils.getEndUserCertificate(chain);
        if (endEntity == null) {
            throw new CertificateException("the chain holds proxies but not the certificate they were made from");
        }
        String subject = SubjectName.slashForm(endEntity.getSubjectX500Principal());
        Instant until = Arrays.stream(chain)
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Identity identity = new Identity(subject, "tls", limited, attributes.fqans(), List.of());
        return new Caller(identity, until, attributes.until().isBefore(until) ? attributes.until() : until);
    }

    private static void checkCritical(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate certificate : chain) {
            Set<String> others = certificate.getNonCriticalExtensionOIDs();
            if (others != null && others.contains(PROXY_INFORMATION)) {
                throw new CertificateException("the proxy information of " + certificate.getSubjectX500Principal()
                        + " is not a critical extension");
            }
        }
    }

    private static boolean checkProxies(X509Certificate[] chain) throws CertificateException {
        try {
            ProxyChainInfo proxies = new ProxyChainInfo(chain);
            @Nullable ProxyPolicy[] policies = proxies.getPolicy();
            if (policies != null) {
                for (ProxyPolicy policy : policies) {
                    checkPolicy(policy);
                }
            }
            return proxies.isLimited();
        } catch (IOException e) {
            throw new CertificateException("a proxy certificate cannot be read: " + e.getMessage(), e);
        }
    }

    private static void checkPolicy(@Nullable ProxyPolicy policy) throws CertificateException {
        if (policy != null && !UNDERSTOOD_POLICIES.contains(policy.getPolicyOID())) {
            throw new CertificateException("the proxy's policy " + policy.getPolicyOID()
                    + " does not hand on the rights of its owner, or is not understood here");
        }
    }
}
