// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jobgate.authz.Action;
import org.jobgate.authz.AuthorizationChain;
import org.jobgate.authz.AuthzResult;
import org.jobgate.authz.Decision;
import org.jobgate.authz.Verdict;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/** What an administrator asks of the authorization: what somebody would be answered, and why. */
public final class AuthzRequests {

    private static final String HOW =
            "Send a certificate chain or a token as the body, or give subject=, with fqan= and scope= separated by blanks.";

    private final AuthorizationChain chain;
    private final Credentials credentials;

    /** Finds the identity behind the credentials that a caller would present. */
    public interface Credentials {

        /**
         * Of a chain of certificates in PEM form.
         *
         * @throws GeneralSecurityException with the reason why it would be refused
         */
        Identity ofCertificates(String pem) throws GeneralSecurityException;

        /**
         * Of a bearer token.
         *
         * @throws GeneralSecurityException with the reason why it would be refused
         */
        Identity ofToken(String token) throws GeneralSecurityException;
    }

    public AuthzRequests(AuthorizationChain chain, Credentials credentials) {
        this.chain = requireNonNull(chain, "chain is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
    }

    /** What would be decided; nothing is changed by it. */
    Object explain(Function<String, @Nullable String> parameter, String body) {
        Action action = action(parameter.apply("action"));
        Identity identity;
        try {
            identity = identity(parameter, body.strip());
        } catch (GeneralSecurityException e) {
            return Map.of("decision", "refused", "reason", "The credential is not accepted: " + e.getMessage());
        }
        AuthzResult result = chain.rehearse(identity, action);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("subject", identity.subject());
        view.put("method", identity.method());
        view.put("fqans", identity.fqans());
        view.put("scopes", identity.scopes());
        view.put("action", action.word());
        switch (result.decision()) {
            case Decision.Permit permit -> {
                view.put("decision", "permit");
                view.put("accounts", action.isOwners() ? List.of() : permit.accounts());
            }
            case Decision.Deny deny -> answer(view, "deny", deny.reason());
            case Decision.Indeterminate unclear -> answer(view, "indeterminate", unclear.reason());
        }
        view.put("rule", chain.rule().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
        Verdict decisive = result.decisive();
        view.put(
                "by",
                decisive == null
                        ? (action.isOwners() ? "owner" : "nobody")
                        : decisive.link().name());
        view.put(
                "points",
                result.verdicts().stream().map(verdict -> view(result, verdict)).toList());
        if (identity.limited() && action == Action.SUBMIT) {
            answer(view, "deny", "a limited proxy may not start jobs");
        }
        return view;
    }

    private static void answer(Map<String, Object> view, String decision, String reason) {
        view.put("decision", decision);
        view.put("reason", reason);
    }

    private static Map<String, Object> view(AuthzResult result, Verdict verdict) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("point", verdict.link().name());
        view.put("answer", verdict.decision().word());
        view.put("reason", verdict.decision().reason());
        String nearest = verdict.decision().word().equals("permit")
                ? ""
                : verdict.link().point().nearest(result.request());
        view.put("nearest", nearest);
        return view;
    }

    private static Action action(@Nullable String word) {
        try {
            return Action.of(word == null ? Action.SUBMIT.word() : word);
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest("The action cannot be used: " + e.getMessage() + ".", "Name one of them.");
        }
    }

    private Identity identity(Function<String, @Nullable String> parameter, String body)
            throws GeneralSecurityException {
        if (body.contains("-----BEGIN CERTIFICATE-----")) {
            return credentials.ofCertificates(body);
        }
        if (!body.isEmpty()) {
            return credentials.ofToken(body);
        }
        String subject = parameter.apply("subject");
        if (subject == null) {
            throw AdminFault.badRequest("It is not said who asks.", HOW);
        }
        try {
            List<String> scopes = words(parameter.apply("scope"));
            return new Identity(
                    subject, scopes.isEmpty() ? "tls" : "token", false, words(parameter.apply("fqan")), scopes);
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest("This cannot be a caller: " + e.getMessage() + ".", HOW);
        }
    }

    private static List<String> words(@Nullable String text) {
        return text == null || text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }
}
