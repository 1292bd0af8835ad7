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
import org.jobgate.job.Later;
import org.jobgate.limits.Limit;

/**
 * Keys that wait for their owners to sign a proxy over them. They live in memory only: a client sends its two messages within
 * seconds, and after a restart of the service it is told to begin again.
 */
public final class PendingKeys {

    private final Limit limit;
    private final Limit limitPerOwner;
    private final Duration lifetime;
    private final Clock clock;

    /** The oldest first. */
    private final Map<String, Pending> pending = new LinkedHashMap<>();

    private record Pending(String owner, KeyPair keys, Instant until) {}

    /**
     * Room for so many.
     *
     * @param limitPerOwner of one owner, so that nobody fills it for all
     */
    public PendingKeys(Limit limit, Limit limitPerOwner, Duration lifetime, Clock clock) {
        this.limitPerOwner = requireNonNull(limitPerOwner, "limitPerOwner is null");
        this.limit = requireNonNull(limit, "limit is null");
        this.lifetime = requireNonNull(lifetime, "lifetime is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Checks that there is room for one more, before a key is made for it.
     *
     * @throws org.jobgate.job.FaultException of code {@code LIMIT_EXCEEDED}
     */
    synchronized void check(String owner, String key) {
        Instant now = clock.instant();
        pending.values().removeIf(waiting -> !waiting.until().isAfter(now));
        if (pending.containsKey(SealedRecords.id(owner, key))) {
            return;
        }
        long own = pending.values().stream()
                .filter(waiting -> waiting.owner().equals(owner))
                .count();
        limitPerOwner.checkRoom(own + 1L, "keys of " + owner + " that wait for a proxy to be signed", Later.Room.OWNER);
        limit.checkRoom(pending.size() + 1L, "keys that wait for a proxy to be signed", Later.Room.SERVICE);
    }

    /** Keeps the key, in the place of one that waited under the same name. */
    public synchronized void put(String owner, String key, KeyPair keys) {
        check(owner, key);
        String id = SealedRecords.id(owner, key);
        pending.remove(id);
        pending.put(id, new Pending(owner, keys, clock.instant().plus(lifetime)));
    }

    /** The key that waits under this name. */
    public synchronized Optional<KeyPair> find(String owner, String key) {
        return Optional.ofNullable(pending.get(SealedRecords.id(owner, key)))
                .filter(waiting -> waiting.until().isAfter(clock.instant()))
                .map(Pending::keys);
    }

    /** Its proxy has come, or it is wanted no more; answers whether one was there. */
    public synchronized boolean remove(String owner, String key) {
        Pending waiting = pending.remove(SealedRecords.id(owner, key));
        return waiting != null && waiting.until().isAfter(clock.instant());
    }
}
