// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * A decision point in its place in the chain.
 *
 * @param name by which logs and people call it
 * @param actions what it is asked about
 * @param issuer in whose name it speaks; {@value #SITE} for the site itself
 * @param trusts issuers whose permits this one's issuer lets count, where the combining rule cares
 */
public record Link(String name, Set<Action> actions, String issuer, Set<String> trusts, DecisionPoint point) {

    /** The issuer that everybody trusts: it owns the gateway. */
    public static final String SITE = "site";

    public Link {
        requireNonNull(name, "name is null");
        actions = Set.copyOf(actions);
        requireNonNull(issuer, "issuer is null");
        trusts = Set.copyOf(trusts);
        requireNonNull(point, "point is null");
    }

    /** A point of the site itself, for these actions. */
    public static Link of(String name, Set<Action> actions, DecisionPoint point) {
        return new Link(name, actions, SITE, Set.of(), point);
    }
}
