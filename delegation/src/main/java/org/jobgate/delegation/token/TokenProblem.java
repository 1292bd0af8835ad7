// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

/** Why a token is refused: one word for programs, logs and the reference page. */
public enum TokenProblem {
    TOO_LARGE("the token has more bytes than are looked at"),
    MALFORMED("the token is not a signed JSON Web Token"),
    NOT_SIGNED("the token's algorithm is none, or it is not signed at all"),
    ENCRYPTED("the token is encrypted, which nobody here can open"),
    ALGORITHM("the token is signed with an algorithm that is not taken; a symmetric one never is"),
    HEADER("the token's header brings its own key, a place of keys, or something critical that is not understood"),
    TYPE("the token's typ says that it is something else than an access token"),
    ISSUER("the token has no issuer, or one that the site does not name"),
    KEYS_UNAVAILABLE("the issuer's keys cannot be had now"),
    UNKNOWN_KEY("no key of the issuer fits the token's kid and algorithm"),
    SIGNATURE("the token's signature is wrong"),
    NO_EXPIRY("the token does not say when it expires"),
    EXPIRED("the token has expired"),
    NOT_YET_VALID("the token is not valid yet, by its nbf or its iat"),
    LIFETIME("the token is valid for longer than the site takes"),
    AUDIENCE("the token is not meant for this service"),
    PROFILE("the token does not say a version of the issuer's profile that is understood"),
    SUBJECT("the token has no subject, or one that cannot be written in a map or a log"),
    SCOPE("the token has no scope that means anything here, or too many of them");

    private final String meaning;

    TokenProblem(String meaning) {
        this.meaning = meaning;
    }

    /** One sentence's worth, for people. */
    public String meaning() {
        return meaning;
    }
}
