// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import java.security.Key;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks a token's signature by the keys of its issuer, and by nothing that the token brings along. */
final class TokenSignature {

    /** Asymmetric ones only: with a symmetric one the public key would be the secret (RFC 8725 section 2.1). */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** RFC 9068 section 2.1, and what issuers of the two profiles write. */
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    private static final int MAX_KEY_ID = 256;

    private final JWSVerificationKeySelector<SecurityContext> keys;

    TokenSignature(JWKSource<SecurityContext> source) {
        this.keys = new JWSVerificationKeySelector<>(ALGORITHMS, source);
    }

    /** What can be said of the header before any key is looked for. */
    static void checkHeader(JWSHeader header) throws TokenException {
        if (!ALGORITHMS.contains(header.getAlgorithm())) {
            throw new TokenException(
                    TokenProblem.ALGORITHM,
                    "its algorithm "
                            + TokenException.shown(header.getAlgorithm().getName())
                            + " is not one of RS, PS and ES with 256, 384 or 512");
        }
        if (header.getJWK() != null
                || header.getJWKURL() != null
                || header.getX509CertURL() != null
                || header.getX509CertChain() != null) {
            throw new TokenException(
                    TokenProblem.HEADER,
                    "its header brings a key of its own or the address of one (jwk, jku, x5u, x5c)");
        }
        if (header.getCriticalParams() != null && !header.getCriticalParams().isEmpty()) {
            throw new TokenException(
                    TokenProblem.HEADER, "its header calls critical (crit) what is not understood here");
        }
        String id = header.getKeyID();
        if (id != null && id.length() > MAX_KEY_ID) {
            throw new TokenException(
                    TokenProblem.HEADER,
                    "its kid has " + id.length() + " characters; at most " + MAX_KEY_ID + " are taken");
        }
        if (header.getType() != null
                && !TYPES.contains(header.getType().getType().toLowerCase(Locale.ROOT))) {
            throw new TokenException(
                    TokenProblem.TYPE,
                    "its typ is \"" + TokenException.shown(header.getType().getType()) + "\"");
        }
    }

    void verify(SignedJWT token) throws TokenException {
        List<Key> candidates = candidates(token.getHeader());
        if (candidates.isEmpty()) {
            throw noKey(token.getHeader());
        }
        for (Key key : candidates) {
            if (isSignedWith(token, key)) {
                return;
            }
        }
        throw new TokenException(TokenProblem.SIGNATURE, "it was not signed by its issuer as it is");
    }

    private List<Key> candidates(JWSHeader header) throws TokenException {
        try {
            return keys.selectJWSKeys(header, null);
        } catch (RateLimitReachedException e) {
            throw noKey(header);
        } catch (JWKSetUnavailableException e) {
            throw new TokenException(
                    TokenProblem.KEYS_UNAVAILABLE, "the keys of its issuer cannot be had now; try again later");
        } catch (KeySourceException e) {
            throw new TokenException(
                    TokenProblem.KEYS_UNAVAILABLE, "the keys of its issuer cannot be had now: " + e.getMessage());
        }
    }

    private static TokenException noKey(JWSHeader header) {
        String id = header.getKeyID();
        return new TokenException(
                TokenProblem.UNKNOWN_KEY,
                "its issuer has no key " + (id == null ? "" : "\"" + TokenException.shown(id) + "\" ") + "for "
                        + header.getAlgorithm());
    }

    private static boolean isSignedWith(SignedJWT token, Key key) {
        try {
            return token.verify(new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), key));
        } catch (JOSEException e) {
            // a key that cannot verify this has not signed it; the next is tried
            return false;
        }
    }
}
