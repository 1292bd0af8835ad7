// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * How much space may be reserved.
 *
 * @param spaces that are remembered, of everybody
 * @param spacesPerOwner of one subject
 * @param bytesPerOwner in all spaces of one subject; 0 where nothing is reserved
 * @param longest lifetime of a space; one that asks for none gets it
 */
public record SpaceLimits(Limit spaces, Limit spacesPerOwner, Limit bytesPerOwner, Duration longest) {
    public SpaceLimits {
        requireNonNull(spaces, "spaces is null");
        requireNonNull(spacesPerOwner, "spacesPerOwner is null");
        requireNonNull(bytesPerOwner, "bytesPerOwner is null");
        requireNonNull(longest, "longest is null");
    }
}
