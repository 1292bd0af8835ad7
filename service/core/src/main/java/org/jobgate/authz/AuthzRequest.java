// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.identity.Identity;

/**
 * What a decision point is asked.
 *
 * @param attributes what information points have found out about the caller, by name
 * @param isRehearsal whether somebody only wants to know what would be decided: then nothing may change, no account be leased
 */
public record AuthzRequest(
        Identity identity, Action action, Map<String, List<String>> attributes, boolean isRehearsal) {

    /** The attribute whose values count as further FQANs of the caller. */
    public static final String FQAN = "fqan";

    public AuthzRequest {
        requireNonNull(identity, "identity is null");
        requireNonNull(action, "action is null");
        attributes = Map.copyOf(attributes);
    }

    /** Without attributes of information points. */
    public static AuthzRequest of(Identity identity, Action action) {
        return new AuthzRequest(identity, action, Map.of(), false);
    }

    /** The same with more attributes; values of a name that is there already are added to it. */
    AuthzRequest with(Map<String, List<String>> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, List<String>> all = new HashMap<>(attributes);
        more.forEach((name, values) -> all.merge(name, values, AuthzRequest::joined));
        return new AuthzRequest(identity, action, all, isRehearsal);
    }

    /** The FQANs of the caller in their short form, the primary one first. */
    public List<String> fqans() {
        return joined(identity.fqans(), attributes.getOrDefault(FQAN, List.of())).stream()
                .map(Fqan::shortForm)
                .distinct()
                .toList();
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
    }
}
