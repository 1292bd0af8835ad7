// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import com.nimbusds.jwt.JWTClaimsSet;
import org.jobgate.job.Text;

/** The name of a token's bearer: issuer and subject, joined by a comma, which no issuer's address holds. */
final class TokenSubject {

    private static final int MAX_SUBJECT = 255; // RFC 7519 gives no bound; OpenID Connect Core 1.0 section 2 does

    private TokenSubject() {}

    static String of(TokenIssuer issuer, JWTClaimsSet claims) throws TokenException {
        String subject = claims.getSubject();
        if (subject == null) {
            throw new TokenException(TokenProblem.SUBJECT, "it names no subject (sub)");
        }
        try {
            return issuer.name() + "," + Text.requireText(subject, "its sub", MAX_SUBJECT);
        } catch (IllegalArgumentException e) {
            throw new TokenException(TokenProblem.SUBJECT, String.valueOf(e.getMessage()));
        }
    }
}
