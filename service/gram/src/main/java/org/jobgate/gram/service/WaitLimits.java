// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * The bounds of waiting for a change.
 *
 * @param requests how many requests may wait at the same time; one more is answered at once
 * @param longest no request waits longer
 */
public record WaitLimits(Limit requests, Duration longest) {

    public WaitLimits {
        requireNonNull(requests, "requests is null");
        requireNonNull(longest, "longest is null");
        if (longest.isNegative()) {
            throw new IllegalArgumentException("the longest wait is negative: " + longest);
        }
    }
}
