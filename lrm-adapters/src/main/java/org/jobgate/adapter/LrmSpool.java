// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Where the jobs of one LRM are looked after in each account's home; as the account sees it: {@code ~} is its home, {@code ${account}} its
 * name.
 *
 * @param path the directory
 * @param former the directory that the LRM shared with another one before it got its own; jobs that began there stay there. Absent where
 *     there is none
 */
public record LrmSpool(String path, @Nullable String former) {

    public LrmSpool {
        requireNonNull(path, "path is null");
    }

    /** One that never was another. */
    public static LrmSpool of(String path) {
        return new LrmSpool(path, null);
    }
}
