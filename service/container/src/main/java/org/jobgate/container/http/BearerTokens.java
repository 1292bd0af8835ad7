// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.delegation.token.TokenException;
import org.jobgate.delegation.token.TokenProblem;
import org.jobgate.delegation.token.TokenValidator;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** The bearer token of a request (RFC 6750 section 2.1: in the header only, never in the address, which logs and histories keep). */
final class BearerTokens {

    private static final String SCHEME = "bearer ";

    private final TokenValidator validator;
    private final RefusalLog refusals;

    BearerTokens(TokenValidator validator, RefusalLog refusals) {
        this.validator = requireNonNull(validator, "validator is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
    }

    /** A request's token is refused; the answer is the caller's to have. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Refusal refusal;
        private final String description;

        private RefusedException(String code, String description, String remedy) {
            super(description);
            this.description = description;
            this.refusal = new Refusal(401, code, "The bearer token is refused: " + description + ".", remedy, null);
        }

        /** As RFC 6750 section 3 wants it. */
        void write(Request request, Response response, Callback callback) {
            String plain = description.replaceAll("[^\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]", "'");
            response.getHeaders()
                    .put(
                            HttpHeader.WWW_AUTHENTICATE,
                            "Bearer realm=\"jobgate\", error=\"invalid_token\", error_description=\"" + plain + "\"");
            refusal.write(request, response, callback);
        }
    }

    /**
     * Who stands behind the request's token; null if it has none.
     *
     * @throws RefusedException it has one that is not good, or that is not taken here
     */
    @Nullable
    Identity identity(Request request, PortRules port) throws RefusedException {
        String token = token(request);
        if (token == null) {
            return null;
        }
        try {
            if (!port.takesTokens(Request.getPathInContext(request)) || validator.issuers() == 0) {
                throw new RefusedException(
                        "TOKEN_NOT_TAKEN",
                        "tokens are not taken here",
                        "Use a certificate, or a port and path where the site takes tokens.");
            }
            return validator.validate(token).identity();
        } catch (TokenException e) {
            String reason = e.problem() + ": " + e.getMessage();
            refusals.refused("bearer token", "a client at " + Request.getRemoteAddr(request), reason);
            throw new RefusedException("TOKEN_" + e.problem(), String.valueOf(e.getMessage()), remedy(e.problem()));
        }
    }

    private static @Nullable String token(Request request) throws RefusedException {
        if (!request.getHeaders().contains(HttpHeader.AUTHORIZATION)) {
            return null; // as most requests
        }
        List<String> credentials = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION).stream()
                .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(SCHEME))
                .toList();
        if (credentials.size() > 1) {
            throw new RefusedException("TOKEN_MALFORMED", "there are several in the request", "Send one.");
        }
        return credentials.isEmpty()
                ? null
                : credentials.getFirst().substring(SCHEME.length()).strip();
    }

    private static String remedy(TokenProblem problem) {
        return switch (problem) {
            case EXPIRED, NOT_YET_VALID -> "Get a new token; if it is new, compare the clocks.";
            case AUDIENCE, SCOPE, LIFETIME -> "Ask the issuer for a token that fits.";
            case ISSUER -> "Ask the site whether it takes tokens of this issuer.";
            case KEYS_UNAVAILABLE -> "Try again in some minutes.";
            default -> "Get a token from an issuer that the site takes.";
        };
    }
}
