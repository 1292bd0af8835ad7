// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait between attempts: doubled each time up to a bound, and spread so that not all come back at once. */
final class Pauses {

    private static final int MAX_DOUBLINGS = 30;

    private final Duration first;
    private final Duration slowest;
    private final RandomGenerator random;

    Pauses(Duration first, Duration slowest, RandomGenerator random) {
        this.first = requireNonNull(first, "first is null");
        this.slowest = requireNonNull(slowest, "slowest is null");
        this.random = requireNonNull(random, "random is null");
    }

    /** After so many failures: between half of the full pause and all of it. */
    Duration after(int failures) {
        long doubled = first.toMillis() << Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
        long full = doubled < 0 ? slowest.toMillis() : Math.min(doubled, slowest.toMillis());
        return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
    }
}
