// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Lets a caller with a token do what a scope of the token allows, and no more; abstains for other callers. */
public final class TokenScopes implements DecisionPoint {

    private final Map<Action, List<String>> scopes;

    /** @param scopes for each action those of which one must be there; an action without any is allowed to no token */
    public TokenScopes(Map<Action, List<String>> scopes) {
        this.scopes = new EnumMap<>(Action.class);
        this.scopes.putAll(scopes);
    }

    /**
     * Reads pairs as {@code submit=compute.create}.
     *
     * @throws IllegalArgumentException that names the pair which is none
     */
    public static Map<Action, List<String>> parse(List<String> pairs) {
        return pairs.stream()
                .collect(Collectors.groupingBy(
                        pair -> Action.of(cut(pair)[0]),
                        Collectors.mapping(pair -> cut(pair)[1], Collectors.toList())));
    }

    private static String[] cut(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 1 || equals == pair.length() - 1) {
            throw new IllegalArgumentException("\"" + pair + "\" is not written as ACTION=SCOPE");
        }
        return new String[] {pair.substring(0, equals), pair.substring(equals + 1)};
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        List<String> held = request.identity().scopes();
        if (held.isEmpty() && !request.identity().method().contains("token")) {
            return new PointDecision.Abstain("the caller has not come with a token");
        }
        List<String> wanted = scopes.getOrDefault(request.action(), List.of());
        return wanted.stream()
                .filter(scope -> held.stream().anyMatch(own -> allows(own, scope)))
                .findFirst()
                .<PointDecision>map(scope -> new PointDecision.Abstain("the token has the scope " + scope))
                .orElseGet(() -> new PointDecision.Deny(
                        "The token allows no " + request.action().word() + ": it has the scopes ["
                                + String.join(" ", held) + "] and needs one of [" + String.join(" ", wanted) + "]"));
    }

    @Override
    public boolean isFinal() {
        return true;
    }

    /** A scope may be narrowed to a path, which has no meaning for jobs: {@code compute.create:/} is {@code compute.create}. */
    private static boolean allows(String held, String wanted) {
        return held.equals(wanted) || held.equals(wanted + ":/");
    }
}
