// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
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
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;

/**
 * Validates chains by what was found in a {@link TrustDirectory}. No chain is good in which a key is weak, be it a proxy's, an intermediate
 * authority's or that of the trusted authority itself: everything that trusts certificates stands behind this one, so no door can forget
 * it. When the directory is read again is not this class's to say.
 */
final class DirectoryValidator extends AbstractValidator {

    private final TrustDirectory directory;
    private final NamespaceCheckingMode namespaces;
    private final KeyStrength strength;
    private final Clock clock;

    DirectoryValidator(
            TrustDirectory directory,
            NamespaceCheckingMode namespaces,
            RevocationParameters revocation,
            KeyStrength strength,
            Clock clock) {
        super(List.of());
        this.directory = requireNonNull(directory, "directory is null");
        this.namespaces = requireNonNull(namespaces, "namespaces is null");
        this.strength = requireNonNull(strength, "strength is null");
        this.clock = requireNonNull(clock, "clock is null");
        try {
            init(new Anchors(directory), new Lists(directory), ProxySupport.ALLOW, revocation);
        } catch (InvalidAlgorithmParameterException e) {
            throw new IllegalStateException("a store of revocation lists takes any parameters of its own kind", e);
        }
    }

    /** Of the certificates that the peer sent, only those that lead to a trusted authority count; if several paths do, one good path is enough. */
    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        TrustDirectory.Snapshot known = directory.snapshot();
        ValidationResult refused = null;
        for (X509Certificate[] way : NeededCertificates.of(chain, known.anchors())) {
            ValidationResult result = validate(way, known);
            if (result.isValid()) {
                return result;
            }
            refused = refused == null ? result : refused;
        }
        return requireNonNull(refused, "there is always a way to look at");
    }

    private ValidationResult validate(X509Certificate[] way, TrustDirectory.Snapshot known) {
        Optional<ValidationResult> weak = weak(way, List.of(way));
        if (weak.isPresent()) {
            return weak.get();
        }
        ValidationResult result = validate(way, new HashSet<>(known.anchors()));
        List<X509Certificate> whole = result.getValidChain();
        boolean isWhole = result.isValid() && whole != null;
        if (isWhole) {
            // a peer need not send the authorities; those of the trust directory are in the result
            weak = weak(way, whole);
        } else {
            tellExpiredLists(way, result, known);
        }
        X509Certificate[] looked = isWhole ? whole.toArray(X509Certificate[]::new) : way;
        List<ValidationError> errors =
                new NamespaceChecker(namespaces, known.namespaces(), known.signingPolicies()).check(looked);
        processErrorList(errors);
        result.addErrors(errors);
        return weak.orElse(result);
    }

    private Optional<ValidationResult> weak(X509Certificate[] way, List<X509Certificate> looked) {
        return looked.stream()
                .map(strength::weakness)
                .flatMap(Optional::stream)
                .findFirst()
                .map(what -> new ValidationResult(false, List.of(error(way, what))));
    }

    private static ValidationError error(X509Certificate[] way, String what) {
        return new ValidationError(way, -1, ValidationErrorCode.unknownMsg, what);
    }

    /** The library calls the signature of a revocation list invalid when the list has expired. */
    private void tellExpiredLists(X509Certificate[] way, ValidationResult result, TrustDirectory.Snapshot known) {
        Optional<String> expired = expiredList(way, known);
        if (expired.isPresent()
                && result.getErrors().stream()
                        .anyMatch(error -> error.getErrorCode() == ValidationErrorCode.crlVerifyFailed)) {
            result.setErrors(result.getErrors().stream()
                    .map(error -> error.getErrorCode() == ValidationErrorCode.crlVerifyFailed
                            ? error(way, expired.get())
                            : error)
                    .collect(Collectors.toCollection(ArrayList::new)));
        }
    }

    private Optional<String> expiredList(X509Certificate[] way, TrustDirectory.Snapshot known) {
        Instant now = clock.instant();
        return Arrays.stream(way)
                .map(X509Certificate::getIssuerX500Principal)
                .map(issuer -> newest(known.lists().getOrDefault(issuer, List.of()))
                        .filter(until -> until.isBefore(now))
                        .map(until -> "the revocation list of " + issuer + " in the trust directory expired at " + until
                                + "; the administrator must fetch a new one (fetch-crl)"))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Instant> newest(List<X509CRL> lists) {
        return lists.stream().map(list -> list.getNextUpdate().toInstant()).max(Comparator.naturalOrder());
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
