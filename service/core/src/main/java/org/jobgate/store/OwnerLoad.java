// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import static java.util.Objects.requireNonNull;

/**
 * The live jobs of one owner.
 *
 * @param jobs all of them, more than none
 * @param active those of which the LRM runs the program
 */
public record OwnerLoad(String subject, long jobs, long active) {
    public OwnerLoad {
        requireNonNull(subject, "subject is null");
    }
}
