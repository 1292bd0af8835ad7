// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** What a token lets its bearer do: {@code scope} (RFC 8693 section 4.2, a text; some issuers write a list), and WLCG groups. */
final class TokenScopes {

    private static final int MAX_LENGTH = 255;

    private TokenScopes() {}

    static List<String> of(JWTClaimsSet claims, List<String> required) throws TokenException {
        List<String> scopes = switch (claims.getClaim("scope")) {
            case null -> List.of();
            case String text ->
                Arrays.stream(text.split(" ", -1))
                        .filter(scope -> !scope.isEmpty())
                        .toList();
            case List<?> list -> texts(list);
            default -> throw new TokenException(TokenProblem.SCOPE, "its scope is neither a text nor a list of texts");
        };
        checkForm(scopes);
        for (String wanted : required) {
            // a path narrows a scope; for jobs, / says nothing more
            if (!scopes.contains(wanted) && !scopes.contains(wanted + ":/")) {
                throw new TokenException(
                        TokenProblem.SCOPE,
                        "it lacks the scope " + wanted
                                + ", which the site asks of every token (tokens.requiredScopes)");
            }
        }
        return scopes;
    }

    private static List<String> texts(List<?> list) throws TokenException {
        List<String> texts = new ArrayList<>();
        for (@Nullable Object entry : list) {
            if (!(entry instanceof String text)) {
                throw new TokenException(TokenProblem.SCOPE, "its scope holds something that is not a text");
            }
            texts.add(text);
        }
        return texts;
    }

    private static void checkForm(List<String> scopes) throws TokenException {
        if (scopes.isEmpty()) {
            throw new TokenException(TokenProblem.SCOPE, "it has no scope, so it allows nothing");
        }
        if (scopes.size() > Identity.MAX_ATTRIBUTES) {
            throw new TokenException(
                    TokenProblem.SCOPE,
                    "it has " + scopes.size() + " scopes; at most " + Identity.MAX_ATTRIBUTES + " are taken");
        }
        for (String scope : scopes) {
            // RFC 6749 section 3.3: printable, no blank, no quote, no backslash
            if (scope.length() > MAX_LENGTH || !scope.matches("[\\x21\\x23-\\x5B\\x5D-\\x7E]+")) {
                throw new TokenException(TokenProblem.SCOPE, "its scope holds what RFC 6749 does not allow");
            }
        }
    }

    /** The groups that this issuer may speak for, as FQANs; others are left out. */
    static List<String> groups(TokenIssuer issuer, JWTClaimsSet claims) throws TokenException {
        return issuer.profile().groups(claims).stream()
                .filter(issuer::mayName)
                .filter(group -> group.length() <= MAX_LENGTH && group.matches("(/[A-Za-z0-9._-]+)+"))
                .distinct()
                .limit(Identity.MAX_ATTRIBUTES)
                .toList();
    }
}
