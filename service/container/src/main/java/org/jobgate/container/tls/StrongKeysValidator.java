// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationErrorListener;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.security.cert.CertPath;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Another validator, with an eye on keys: no chain is good in which a key is weak, be it a proxy's, an intermediate authority's or that of
 * the trusted authority itself. Everything that trusts certificates stands behind this one, so no door can forget it.
 */
final class StrongKeysValidator implements X509CertChainValidatorExt {

    private final X509CertChainValidatorExt validator;
    private final KeyStrength strength;

    StrongKeysValidator(X509CertChainValidatorExt validator, KeyStrength strength) {
        this.validator = requireNonNull(validator, "validator is null");
        this.strength = requireNonNull(strength, "strength is null");
    }

    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        Optional<ValidationResult> weak = weak(chain, List.of(chain));
        return weak.isPresent() ? weak.get() : withItsAuthority(validator.validate(chain), chain);
    }

    @Override
    public ValidationResult validate(CertPath path) {
        X509Certificate[] chain = path.getCertificates().toArray(X509Certificate[]::new);
        Optional<ValidationResult> weak = weak(chain, List.of(chain));
        return weak.isPresent() ? weak.get() : withItsAuthority(validator.validate(path), chain);
    }

    /** A peer need not send the authorities; those of the trust directory are in the result. */
    private ValidationResult withItsAuthority(ValidationResult result, X509Certificate[] chain) {
        List<X509Certificate> whole = result.getValidChain();
        return !result.isValid() || whole == null ? result : weak(chain, whole).orElse(result);
    }

    private Optional<ValidationResult> weak(X509Certificate[] chain, List<X509Certificate> looked) {
        return looked.stream()
                .map(strength::weakness)
                .flatMap(Optional::stream)
                .findFirst()
                .map(what -> new ValidationResult(
                        false, List.of(new ValidationError(chain, -1, ValidationErrorCode.unknownMsg, what))));
    }

    @Override
    public X509Certificate[] getTrustedIssuers() {
        return validator.getTrustedIssuers();
    }

    @Override
    public ProxySupport getProxySupport() {
        return validator.getProxySupport();
    }

    @Override
    public RevocationParameters getRevocationCheckingMode() {
        return validator.getRevocationCheckingMode();
    }

    @Override
    public void addValidationListener(ValidationErrorListener listener) {
        validator.addValidationListener(listener);
    }

    @Override
    public void removeValidationListener(ValidationErrorListener listener) {
        validator.removeValidationListener(listener);
    }

    @Override
    public void addUpdateListener(StoreUpdateListener listener) {
        validator.addUpdateListener(listener);
    }

    @Override
    public void removeUpdateListener(StoreUpdateListener listener) {
        validator.removeUpdateListener(listener);
    }

    @Override
    public void dispose() {
        validator.dispose();
    }
}
