// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about chains of certificates that are good, for a short while. Of too many the oldest is forgotten. Safe for many
 * threads.
 */
final class RememberedChains<T> {

    static final int MOST = 2000;

    private record Entry<T>(T finding, Instant until) {}

    private final Duration lifetime;
    private final Clock clock;

    /** The oldest first. Guarded by itself. */
    private final Map<List<X509Certificate>, Entry<T>> entries = new LinkedHashMap<>();

    RememberedChains(Duration lifetime, Clock clock) {
        this.lifetime = requireNonNull(lifetime, "lifetime is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** What is remembered; null where nothing is, or too long ago. */
    @Nullable
    T of(X509Certificate[] chain) {
        Entry<T> entry;
        synchronized (entries) {
            entry = entries.get(List.of(chain));
        }
        return entry != null && clock.instant().isBefore(entry.until()) ? entry.finding() : null;
    }

    /** Remembers it, but not beyond this time. */
    void put(X509Certificate[] chain, T finding, Instant atMost) {
        Instant until = clock.instant().plus(lifetime);
        Entry<T> entry = new Entry<>(finding, until.isBefore(atMost) ? until : atMost);
        List<X509Certificate> key = List.of(chain);
        synchronized (entries) {
            entries.remove(key);
            if (entries.size() >= MOST) {
                entries.remove(entries.keySet().iterator().next());
            }
            entries.put(key, entry);
        }
    }
}
