// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks when a token is valid and whom it is meant for. */
final class TokenClaims {

    private final TokenSettings settings;
    private final Clock clock;

    TokenClaims(TokenSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = requireNonNull(clock, "clock is null");
    }

    void check(TokenIssuer issuer, JWTClaimsSet claims) throws TokenException {
        checkTimes(claims);
        issuer.profile().checkVersion(claims);
        checkAudience(issuer.profile(), claims.getAudience());
    }

    void checkTimes(JWTClaimsSet claims) throws TokenException {
        Instant now = clock.instant();
        Instant until = instant(claims.getExpirationTime());
        Instant from = instant(claims.getNotBeforeTime());
        Instant made = instant(claims.getIssueTime());
        if (until == null) {
            throw new TokenException(TokenProblem.NO_EXPIRY, "it does not say when it expires (exp)");
        }
        if (!now.minus(settings.skew()).isBefore(until)) {
            throw new TokenException(TokenProblem.EXPIRED, "it expired at " + until);
        }
        refuseFuture("nbf", from, now);
        refuseFuture("iat", made, now);
        Instant start = made != null ? made : from != null ? from : now;
        Duration lifetime = Duration.between(start, until);
        if (lifetime.compareTo(settings.maxLifetime()) > 0) {
            throw new TokenException(
                    TokenProblem.LIFETIME,
                    "it is valid for " + lifetime.toSeconds() + " s; the limit is tokens.maxLifetime = "
                            + settings.maxLifetime().toSeconds() + " s");
        }
    }

    private void refuseFuture(String claim, @Nullable Instant time, Instant now) throws TokenException {
        if (time != null && time.isAfter(now.plus(settings.skew()))) {
            throw new TokenException(TokenProblem.NOT_YET_VALID, "its " + claim + " is in the future, " + time);
        }
    }

    private static @Nullable Instant instant(@Nullable Date date) {
        return date == null ? null : date.toInstant();
    }

    void checkAudience(TokenProfile profile, List<String> audiences) throws TokenException {
        if (audiences.isEmpty()) {
            throw new TokenException(TokenProblem.AUDIENCE, "it does not say whom it is meant for (aud)");
        }
        for (String audience : audiences) {
            if (settings.audiences().contains(audience)
                    || (settings.anyAudience() && profile.isAnyAudience(audience))) {
                return;
            }
        }
        throw new TokenException(
                TokenProblem.AUDIENCE,
                "it is meant for \"" + TokenException.shown(String.join(", ", audiences)) + "\", not for "
                        + settings.audiences().getFirst());
    }
}
