// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.regex.Pattern;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/**
 * Checks whether a token that a user sends for the user's jobs can be kept for them. The token is for services elsewhere. This service does
 * not judge who issued it, nor whether those services will accept it; it checks only the form and the end of its validity.
 */
public final class TokenAcceptance {

    /** More than what any issuer in the grid makes; HTTP servers take headers of 8 KiB to 64 KiB. */
    static final int MAX_LENGTH = 16 * 1024;

    /** A token that ends within this is of no use to any job. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    /** RFC 6750 section 2.1. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final Clock clock;

    public TokenAcceptance(Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** A token that was found good, and whose it is. */
    public record Accepted(String owner, String token, Instant expires) {

        /** Without anything secret. */
        @Override
        public String toString() {
            return "a token of " + owner + " until " + expires;
        }
    }

    /**
     * Checks a token.
     *
     * @param caller who sends it
     * @param token a JSON Web Token (RFC 7519) that says when it expires
     * @throws FaultException of code {@code CREDENTIAL_UNUSABLE} with the reason, which never holds the token
     */
    public Accepted check(String caller, String token) {
        if (token.length() > MAX_LENGTH) {
            throw refused("it has " + token.length() + " characters; at most " + MAX_LENGTH + " are taken");
        }
        if (!FORM.matcher(token).matches()) {
            throw refused(token.isEmpty() ? "it is empty" : "it has characters that no bearer token has");
        }
        Instant expires = expiry(token);
        if (!expires.isAfter(clock.instant().plus(SHORTEST))) {
            throw refused("it expires at " + expires);
        }
        return new Accepted(caller, token, expires);
    }

    private static Instant expiry(String token) {
        Date expiry;
        try {
            JWTClaimsSet claims = JWTParser.parse(token).getJWTClaimsSet();
            expiry = claims == null ? null : claims.getExpirationTime();
        } catch (ParseException e) {
            // the parser's words may hold a part of the token
            throw refused("it is no JSON Web Token (RFC 7519) that can be read");
        }
        if (expiry == null) {
            throw refused("it does not say when it expires (exp)");
        }
        return expiry.toInstant();
    }

    private static FaultException refused(String why) {
        return new FaultException(Fault.of(
                FaultCode.CREDENTIAL_UNUSABLE,
                "The delegated token is not accepted: " + why + ".",
                "Get a new one from its issuer, and send it as it is."));
    }
}
