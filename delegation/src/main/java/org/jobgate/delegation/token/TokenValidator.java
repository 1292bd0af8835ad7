// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.identity.Identity;

/**
 * Says whether a bearer token is good, and who stands behind it: RFC 7519 and RFC 8725 with the WLCG Common JWT Profiles 1.2 or
 * SciTokens 2.0 on top, as the issuer is configured.
 *
 * <p>The subject is {@code ISSUER,SUB}: two issuers never make the same one.
 */
public final class TokenValidator {

    /** How identities that a token proved were proven. */
    public static final String METHOD = "token";

    private final TokenSettings settings;
    private final TokenClaims claims;
    private final Map<String, Known> issuers = new HashMap<>();

    private record Known(TokenIssuer issuer, TokenSignature signature) {}

    /** Prepares; no issuer is asked yet. */
    public TokenValidator(List<TokenIssuer> issuers, TokenSettings settings, KeyFetch fetch, Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.claims = new TokenClaims(settings, clock);
        for (TokenIssuer issuer : issuers) {
            TokenSignature signature = new TokenSignature(IssuerKeys.of(issuer, fetch, settings));
            this.issuers.put(issuer.name(), new Known(issuer, signature));
        }
    }

    /**
     * Who stands behind the token.
     *
     * @throws TokenException why it is refused
     */
    public VerifiedToken validate(String token) throws TokenException {
        SignedJWT signed = signed(token, settings);
        TokenSignature.checkHeader(signed.getHeader());
        JWTClaimsSet said = said(signed);
        Known known = issuer(said);
        known.signature().verify(signed);
        claims.check(known.issuer(), said);
        Identity identity = new Identity(
                TokenSubject.of(known.issuer(), said),
                METHOD,
                false,
                TokenScopes.groups(known.issuer(), said),
                TokenScopes.of(said, settings.requiredScopes()),
                known.issuer().name());
        return new VerifiedToken(identity, said.getExpirationTime().toInstant());
    }

    /** The parts of a token of bounded size; nothing of it is proven yet. */
    static SignedJWT signed(String token, TokenSettings settings) throws TokenException {
        if (token.length() > settings.maxBytes()) {
            throw new TokenException(
                    TokenProblem.TOO_LARGE,
                    "it has " + token.length() + " bytes; the limit is tokens.maxBytes = " + settings.maxBytes());
        }
        JWT parsed;
        try {
            parsed = JWTParser.parse(token);
        } catch (ParseException | IllegalArgumentException e) {
            // the parser's message may quote the token
            throw new TokenException(TokenProblem.MALFORMED, "it is not three parts of base64url that hold JSON");
        }
        return switch (parsed) {
            case SignedJWT signed -> signed;
            case PlainJWT plain -> throw new TokenException(TokenProblem.NOT_SIGNED, "its algorithm is none");
            case EncryptedJWT encrypted ->
                throw new TokenException(TokenProblem.ENCRYPTED, "it is encrypted; only signed tokens are taken");
            default -> throw new TokenException(TokenProblem.MALFORMED, "it is of no known kind");
        };
    }

    /** What a token says, not proven yet. */
    static JWTClaimsSet said(SignedJWT signed) throws TokenException {
        try {
            JWTClaimsSet claims = signed.getJWTClaimsSet();
            if (claims != null) {
                return claims;
            }
        } catch (ParseException e) {
            throw new TokenException(TokenProblem.MALFORMED, "a claim of it has the wrong type");
        }
        throw new TokenException(TokenProblem.MALFORMED, "its payload is no JSON object");
    }

    /** The issuer as the token says, not proven yet: it decides only whose keys are tried. */
    private Known issuer(JWTClaimsSet said) throws TokenException {
        String name = said.getIssuer();
        if (name == null) {
            throw new TokenException(TokenProblem.ISSUER, "it names no issuer (iss)");
        }
        Known known = issuers.get(name);
        if (known == null) {
            throw new TokenException(
                    TokenProblem.ISSUER,
                    "its issuer \"" + TokenException.shown(name) + "\" is not one whose tokens are taken here");
        }
        return known;
    }

    /** How many issuers there are. */
    public int issuers() {
        return issuers.size();
    }
}
