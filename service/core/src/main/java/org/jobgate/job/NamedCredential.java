// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delegated credential that a job's description names.
 *
 * @param key by which the vault of delegated credentials knows it, beside its owner
 * @param address where it was delegated to, as the client says it; absent where the client's language names credentials by their key
 *     alone. Only the door looks at it, to show the description as it was written: one gateway has several addresses
 */
public record NamedCredential(
        CredentialUse use, String key, @Nullable String address) {

    public NamedCredential {
        requireNonNull(use, "use is null");
        requireNonNull(key, "key is null");
    }

    /** A credential that is named by its key alone. */
    public static NamedCredential of(CredentialUse use, String key) {
        return new NamedCredential(use, key, null);
    }

    /** These in the order of their uses. */
    static List<NamedCredential> ordered(List<NamedCredential> credentials) {
        List<NamedCredential> ordered = credentials.stream()
                .sorted(Comparator.comparing(NamedCredential::use))
                .toList();
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).use() == ordered.get(i - 1).use()) {
                throw new IllegalArgumentException(
                        "two credentials are named for " + ordered.get(i).use());
            }
        }
        return ordered;
    }
}
