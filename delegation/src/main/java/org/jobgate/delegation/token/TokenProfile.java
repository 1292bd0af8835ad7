// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import com.nimbusds.jwt.JWTClaimsSet;
import java.text.ParseException;
import java.util.List;

/** How an issuer writes its tokens. */
public enum TokenProfile {
    /** WLCG Common JWT Profiles 1.x: the claim {@code wlcg.ver} is required, and {@code aud}. */
    WLCG("wlcg.ver", "1.", "https://wlcg.cern.ch/jwt/v1/any") {
        @Override
        boolean requiresVersion() {
            return true;
        }
    },
    /** SciTokens 2.0: the claim {@code ver} is {@code scitoken:2.0}, and {@code aud} is required. */
    SCITOKENS("ver", "scitoken:2", "ANY") {
        @Override
        boolean requiresVersion() {
            return true;
        }
    },
    /** RFC 9068 and what is like it: no claim says a version. */
    PLAIN("", "", "") {
        @Override
        boolean requiresVersion() {
            return false;
        }
    };

    private final String versionClaim;
    private final String versionPrefix;
    private final String anyAudience;

    TokenProfile(String versionClaim, String versionPrefix, String anyAudience) {
        this.versionClaim = versionClaim;
        this.versionPrefix = versionPrefix;
        this.anyAudience = anyAudience;
    }

    abstract boolean requiresVersion();

    /** Whether the audience means every service there is. */
    boolean isAnyAudience(String audience) {
        return !anyAudience.isEmpty() && anyAudience.equals(audience);
    }

    void checkVersion(JWTClaimsSet claims) throws TokenException {
        if (!requiresVersion()) {
            return;
        }
        String version = text(claims, versionClaim);
        if (version == null || !version.startsWith(versionPrefix)) {
            throw new TokenException(
                    TokenProblem.PROFILE,
                    version == null
                            ? "the claim " + versionClaim + " is missing, which tokens of this issuer must have"
                            : "its " + versionClaim + " is \"" + TokenException.shown(version) + "\"; " + versionPrefix
                                    + "x is understood");
        }
    }

    private static @org.jspecify.annotations.Nullable String text(JWTClaimsSet claims, String name)
            throws TokenException {
        try {
            return claims.getStringClaim(name);
        } catch (ParseException e) {
            throw new TokenException(TokenProblem.PROFILE, "its claim " + name + " is not a text");
        }
    }

    /** The groups of a WLCG token; other profiles have none. */
    List<String> groups(JWTClaimsSet claims) throws TokenException {
        if (this != WLCG || claims.getClaim("wlcg.groups") == null) {
            return List.of();
        }
        try {
            return List.copyOf(claims.getStringListClaim("wlcg.groups"));
        } catch (ParseException | NullPointerException e) {
            throw new TokenException(TokenProblem.MALFORMED, "its claim wlcg.groups is not a list of texts");
        }
    }
}
