// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.multi;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The factory of another gateway to which this one can give jobs.
 *
 * @param lrm the name under which it is an LRM here
 * @param address of its ManagedJobFactoryService
 * @param lrmThere which of its LRMs that is; absent means its default
 */
public record OtherFactory(
        String lrm, String address, @Nullable String lrmThere) {

    public OtherFactory {
        requireNonNull(lrm, "lrm is null");
        requireNonNull(address, "address is null");
    }

    /** Whether an endpoint with this key, if any, means it. */
    boolean isCalled(@Nullable String key) {
        return key == null || key.equals(lrmThere);
    }
}
