// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/** How long requests last. */
final class Lifetimes {

    private Lifetimes() {}

    /** Seconds that a new request lasts: the longest of what it asks for, for its files must not end before it, within the site's limit. */
    static long of(Ask ask, SrmSettings settings) {
        LongStream asked = Stream.of("desiredTotalRequestTime", "desiredPinLifeTime", "desiredLifeTime")
                .flatMapToLong(name -> ask.seconds(name).stream().asLongStream());
        return limited(asked.max().orElse(settings.usualLifetime().toSeconds()), settings);
    }

    static long limited(long seconds, SrmSettings settings) {
        return Math.min(seconds, settings.longestLifetime().toSeconds());
    }
}
