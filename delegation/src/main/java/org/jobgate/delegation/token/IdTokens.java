// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Clock;
import java.util.List;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * Says whether an ID token is good, and who signed in: OpenID Connect Core 1.0 section 3.1.3.7. The subject is the one that a bearer token
 * of the same issuer and {@code sub} has, so that one line of a map or of a ban list means both.
 */
public final class IdTokens {

    /** How identities that an ID token proved were proven. */
    public static final String METHOD = "oidc";

    private final TokenIssuer issuer;
    private final String clientId;
    private final TokenSettings settings;
    private final TokenClaims claims;
    private final TokenSignature signature;

    /**
     * Prepares; the issuer is not asked yet.
     *
     * @param issuer who signs in, and which groups it may name
     * @param clientId for whom ID tokens must be meant: what this gateway is to the issuer
     * @param settings of bearer tokens; their audiences and required scopes are for access tokens and do not hold here
     */
    public IdTokens(TokenIssuer issuer, String clientId, TokenSettings settings, KeyFetch fetch, Clock clock) {
        this.issuer = requireNonNull(issuer, "issuer is null");
        this.clientId = requireNonNull(clientId, "clientId is null");
        this.settings = new TokenSettings(
                List.of(clientId),
                false,
                List.of(),
                settings.maxBytes(),
                settings.maxLifetime(),
                settings.skew(),
                settings.keysFresh(),
                settings.keysGrace(),
                settings.keysPause());
        this.claims = new TokenClaims(this.settings, clock);
        this.signature = new TokenSignature(IssuerKeys.of(issuer, fetch, settings));
    }

    /**
     * Who signed in.
     *
     * @param nonce that the sign-in was begun with
     * @param scopes what the issuer has granted, beside those that only say what is told of the user; empty where none was asked for
     * @throws TokenException why the token is refused
     */
    public Identity validate(String token, String nonce, List<String> scopes) throws TokenException {
        SignedJWT signed = TokenValidator.signed(token, settings);
        TokenSignature.checkHeader(signed.getHeader());
        JWTClaimsSet said = TokenValidator.said(signed);
        if (!issuer.name().equals(said.getIssuer())) {
            throw new TokenException(
                    TokenProblem.ISSUER,
                    "its issuer \"" + TokenException.shown(String.valueOf(said.getIssuer())) + "\" is not "
                            + issuer.name());
        }
        signature.verify(signed);
        claims.checkTimes(said);
        claims.checkAudience(TokenProfile.PLAIN, said.getAudience());
        checkParty(said);
        checkNonce(said, nonce);
        return new Identity(
                TokenSubject.of(issuer, said), METHOD, false, TokenScopes.groups(issuer, said), scopes, issuer.name());
    }

    /** A token that is meant for several must say that it was given to this gateway. */
    private void checkParty(JWTClaimsSet said) throws TokenException {
        String party = text(said, "azp");
        boolean isOurs = party == null ? said.getAudience().size() == 1 : party.equals(clientId);
        if (!isOurs) {
            throw new TokenException(
                    TokenProblem.AUDIENCE,
                    party == null
                            ? "it is meant for several and does not say to whom it was given (azp)"
                            : "it was given to \"" + TokenException.shown(party) + "\" (azp)");
        }
    }

    private static void checkNonce(JWTClaimsSet said, String nonce) throws TokenException {
        String own = text(said, "nonce");
        boolean isOurs = own != null
                && MessageDigest.isEqual(own.getBytes(StandardCharsets.UTF_8), nonce.getBytes(StandardCharsets.UTF_8));
        if (!isOurs) {
            throw new TokenException(TokenProblem.PROFILE, "it is not of the sign-in that was begun here (nonce)");
        }
    }

    private static @Nullable String text(JWTClaimsSet said, String name) throws TokenException {
        try {
            return said.getStringClaim(name);
        } catch (ParseException e) {
            throw new TokenException(TokenProblem.PROFILE, "its claim " + name + " is not a text");
        }
    }
}
