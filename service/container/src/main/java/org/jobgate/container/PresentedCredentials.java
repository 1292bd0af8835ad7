// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.admin.AuthzRequests;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.delegation.token.TokenException;
import org.jobgate.delegation.token.TokenValidator;
import org.jobgate.identity.Identity;

/** Reads credentials as the gateway would if their owner presented them, for an administrator who asks what the owner would be answered. */
final class PresentedCredentials implements AuthzRequests.Credentials {

    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----");

    private final ChainValidator validator;
    private final TokenValidator tokens;

    PresentedCredentials(ChainValidator validator, TokenValidator tokens) {
        this.validator = requireNonNull(validator, "validator is null");
        this.tokens = requireNonNull(tokens, "tokens is null");
    }

    @Override
    public Identity ofCertificates(String pem) throws CertificateException {
        List<X509Certificate> chain = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Matcher matcher = CERTIFICATE.matcher(pem);
        while (matcher.find()) {
            byte[] bytes = matcher.group().getBytes(StandardCharsets.US_ASCII);
            chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
        }
        if (chain.isEmpty()) {
            throw new CertificateException("the file holds no certificate in PEM form");
        }
        return validator.validate(chain.toArray(X509Certificate[]::new)).identity();
    }

    @Override
    public Identity ofToken(String token) throws CertificateException {
        try {
            return tokens.validate(token.strip()).identity();
        } catch (TokenException e) {
            throw new CertificateException("the token is refused: " + e.getMessage(), e);
        }
    }
}
