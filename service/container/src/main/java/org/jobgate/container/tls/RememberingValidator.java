// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.ValidationErrorListener;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidator;
import java.security.cert.CertPath;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * Another validator, which is not asked again about a chain that it has just found good. A GridFTP server shows the same chain at every
 * data connection of a session, and looking at it takes more than all else of the handshake.
 */
final class RememberingValidator implements X509CertChainValidator {

    private final X509CertChainValidator validator;
    private final RememberedChains<ValidationResult> good;

    RememberingValidator(X509CertChainValidator validator, RememberedChains<ValidationResult> good) {
        this.validator = requireNonNull(validator, "validator is null");
        this.good = requireNonNull(good, "good is null");
    }

    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        ValidationResult known = good.of(chain);
        if (known != null) {
            return known;
        }
        ValidationResult result = validator.validate(chain);
        if (result.isValid()) {
            good.put(chain, result, firstEnd(chain));
        }
        return result;
    }

    /** An expiry is noticed at once. */
    private static Instant firstEnd(X509Certificate[] chain) {
        Instant first = Instant.MAX;
        for (X509Certificate each : chain) {
            Instant end = each.getNotAfter().toInstant();
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    @Override
    public ValidationResult validate(CertPath path) {
        return validator.validate(path);
    }

    @Override
    public X509Certificate[] getTrustedIssuers() {
        return validator.getTrustedIssuers();
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
}
