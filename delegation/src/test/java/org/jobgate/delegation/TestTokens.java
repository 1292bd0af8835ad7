// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Tokens of an issuer that nobody here knows. */
public final class TestTokens {

    private TestTokens() {}

    /** One that ends then; null for one that does not say when. */
    @SuppressWarnings("JavaUtilDate") // what the library takes
    public static String until(@Nullable Instant expiry) {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer("https://elsewhere.example.org")
                .subject("alice")
                .expirationTime(expiry == null ? null : Date.from(expiry))
                .build();
        try {
            SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
            token.sign(new MACSigner("a secret of thirty-two characters".getBytes(StandardCharsets.US_ASCII)));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
