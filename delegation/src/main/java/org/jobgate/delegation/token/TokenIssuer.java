// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One issuer whose tokens are taken.
 *
 * @param name its {@code iss}, exactly as its tokens have it: an https address without a comma
 * @param keys where its keys are: an https address or a file; null: as {@code NAME/.well-known/openid-configuration} says
 * @param groups only groups at or below these, e.g. {@code /atlas}, are taken from its tokens
 */
public record TokenIssuer(
        String name, TokenProfile profile, @Nullable URI keys, List<String> groups) {

    public TokenIssuer {
        requireNonNull(profile, "profile is null");
        groups = List.copyOf(groups);
        URI address = URI.create(name);
        if (!"https".equals(address.getScheme()) || address.getHost() == null || name.indexOf(',') >= 0) {
            throw new IllegalArgumentException(name + " is not an https address without a comma");
        }
        if (keys != null && !List.of("https", "file").contains(String.valueOf(keys.getScheme()))) {
            throw new IllegalArgumentException(keys + " is neither an https address nor a file");
        }
        for (String group : groups) {
            if (!group.matches("(/[A-Za-z0-9._-]+)+")) {
                throw new IllegalArgumentException(group + " is not a group, as /atlas or /atlas/prod");
            }
        }
    }

    boolean mayName(String group) {
        return groups.stream().anyMatch(allowed -> group.equals(allowed) || group.startsWith(allowed + "/"));
    }
}
