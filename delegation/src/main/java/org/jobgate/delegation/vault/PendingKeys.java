// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.security.KeyPair;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.limits.Limit;

/**
 * Keys that wait for their owners to sign a proxy over them. They live in memory only: between the two messages of a client lie
 * seconds, and after a restart he is told to begin again.
 */
public final class PendingKeys {

    private final Limit limit;
    private final Duration lifetime;
    private final Clock clock;

    /** The oldest first. */
    private final Map<String, Pending> pending = new LinkedHashMap<>();

    private record Pending(KeyPair keys, Instant until) {}

    public PendingKeys(Limit limit, Duration lifetime, Clock clock) {
        this.limit = requireNonNull(limit, "limit is null");
        this.lifetime = requireNonNull(lifetime, "lifetime is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Keeps the key, in the place of one that waited under the same name. */
    public synchronized void put(String owner, String key, KeyPair keys) {
        Instant now = clock.instant();
        pending.values().removeIf(waiting -> !waiting.until().isAfter(now));
        String id = SealedRecords.id(owner, key);
        pending.remove(id);
        limit.check(pending.size() + 1L, "keys that wait for a proxy to be signed");
        pending.put(id, new Pending(keys, now.plus(lifetime)));
    }

    /** The key that waits under this name. */
    public synchronized Optional<KeyPair> find(String owner, String key) {
        return Optional.ofNullable(pending.get(SealedRecords.id(owner, key)))
                .filter(waiting -> waiting.until().isAfter(clock.instant()))
                .map(Pending::keys);
    }

    /** Its proxy has come, or it is wanted no more. */
    public synchronized void remove(String owner, String key) {
        pending.remove(SealedRecords.id(owner, key));
    }
}
