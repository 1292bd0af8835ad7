// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import org.jobgate.delegation.token.TokenSettings;
import org.jobgate.delegation.token.TokenValidator;

/** An issuer of tokens, made for one test. */
public final class TestTokens {

    final RSAKey rsa;
    final ECKey ec;
    private final String issuer;

    public TestTokens(String issuer) {
        this(issuer, "rsa-1");
    }

    /** One whose RSA key has another name, as after a rotation. */
    TestTokens(String issuer, String rsaKey) {
        this.issuer = issuer;
        try {
            this.rsa = new RSAKeyGenerator(2048).keyID(rsaKey).generate();
            this.ec = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A validator that refuses all tokens. */
    public static TokenValidator none() {
        TokenSettings settings = new TokenSettings(
                List.of("nobody"),
                false,
                List.of(),
                100,
                Duration.ofHours(1),
                Duration.ZERO,
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofSeconds(1));
        return new TokenValidator(
                List.of(),
                settings,
                address -> {
                    throw new IOException("there is nobody to ask");
                },
                Clock.systemUTC());
    }

    /** Writes the public keys where a configuration can name them. */
    public Path publish(Path file) throws IOException {
        return Files.writeString(file, published());
    }

    /** The public keys as a JWK set. */
    String published() {
        return new JWKSet(List.of(rsa.toPublicJWK(), ec.toPublicJWK())).toString();
    }

    /** Claims of a good WLCG token for the audience {@code gate}. */
    public JWTClaimsSet.Builder wlcg() {
        return plain().claim("wlcg.ver", "1.0");
    }

    /** Claims that every profile wants. */
    @SuppressWarnings("JavaUtilDate") // what the library takes
    public JWTClaimsSet.Builder plain() {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject("alice")
                .audience("gate")
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                .claim("scope", "compute.read compute.create");
    }

    /** A token as its issuer would write it. */
    public String sign(JWTClaimsSet.Builder claims) {
        return sign(claims.build(), header -> {});
    }

    String sign(JWTClaimsSet claims, Consumer<JWSHeader.Builder> change) {
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(rsa.getKeyID());
        change.accept(header);
        return sign(header.build(), claims, rsa);
    }

    static String sign(JWSHeader header, JWTClaimsSet claims, JWK key) {
        try {
            JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner((ECKey) key);
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
