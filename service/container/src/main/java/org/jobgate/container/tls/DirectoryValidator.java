// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.crl.AbstractCRLStoreSPI;
import eu.emi.security.authn.x509.helpers.ns.NamespaceChecker;
import eu.emi.security.authn.x509.helpers.pkipath.AbstractValidator;
import eu.emi.security.authn.x509.helpers.trust.TrustAnchorStore;
import eu.emi.security.authn.x509.impl.CRLParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CRLSelector;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/** Validates chains by what was found in a {@link TrustDirectory}. When the directory is read again is not this class's to say. */
final class DirectoryValidator extends AbstractValidator {

    private final TrustDirectory directory;
    private final NamespaceCheckingMode namespaces;

    DirectoryValidator(TrustDirectory directory, NamespaceCheckingMode namespaces, RevocationParameters revocation) {
        super(List.of());
        this.directory = directory;
        this.namespaces = namespaces;
        try {
            init(new Anchors(directory), new Lists(directory), ProxySupport.ALLOW, revocation);
        } catch (InvalidAlgorithmParameterException e) {
            throw new IllegalStateException("a store of revocation lists takes any parameters of its own kind", e);
        }
    }

    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        TrustDirectory.Snapshot known = directory.snapshot();
        ValidationResult result = validate(chain, new HashSet<>(known.anchors()));
        List<X509Certificate> valid = result.getValidChain();
        X509Certificate[] looked = result.isValid() && valid != null ? valid.toArray(X509Certificate[]::new) : chain;
        List<ValidationError> errors =
                new NamespaceChecker(namespaces, known.namespaces(), known.signingPolicies()).check(looked);
        processErrorList(errors);
        result.addErrors(errors);
        return result;
    }

    private record Anchors(TrustDirectory directory) implements TrustAnchorStore {

        @Override
        public Set<TrustAnchor> getTrustAnchors() {
            return new HashSet<>(directory.snapshot().anchors());
        }

        @Override
        public X509Certificate[] getTrustedCertificates() {
            return directory.snapshot().authorities();
        }

        @Override
        public long getUpdateInterval() {
            return -1;
        }

        @Override
        public void setUpdateInterval(long interval) {
            throw new UnsupportedOperationException("the trust directory is read again by its own thread");
        }

        @Override
        public void dispose() {
            // nothing is kept open
        }
    }

    private static final class Lists extends AbstractCRLStoreSPI {

        private final TrustDirectory directory;

        Lists(TrustDirectory directory) throws InvalidAlgorithmParameterException {
            super(new CRLParameters(), new ObserversHandler());
            this.directory = directory;
        }

        @Override
        protected Collection<X509CRL> getCRLForIssuer(X500Principal issuer) {
            return directory.snapshot().lists().getOrDefault(issuer, List.of());
        }

        @Override
        protected Collection<X509CRL> getCRLWithMatcher(CRLSelector selector) {
            return directory.snapshot().lists().values().stream()
                    .flatMap(List::stream)
                    .filter(selector::match)
                    .toList();
        }

        @Override
        public void setUpdateInterval(long interval) {
            throw new UnsupportedOperationException("the trust directory is read again by its own thread");
        }

        @Override
        public void dispose() {
            // nothing is kept open
        }
    }
}
