// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.limits;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A bounded number of places for requests that last, in all and for each owner. */
public final class Places {

    private final Limit all;
    private final Limit perOwner;
    private final AtomicLong taken = new AtomicLong();
    private final ConcurrentHashMap<String, Long> ofOwner = new ConcurrentHashMap<>();

    /** All free. */
    public Places(Limit all, Limit perOwner) {
        this.all = requireNonNull(all, "all is null");
        this.perOwner = requireNonNull(perOwner, "perOwner is null");
    }

    /** A place; closing it gives it back. */
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * A limit that is met.
     *
     * @param isOfOwner whether it bounds what one owner has
     */
    public record Full(Limit limit, long use, boolean isOfOwner) {}

    /** One of the two. */
    public record Entry(@Nullable Place place, @Nullable Full full) {}

    /** Takes a place, if one is free. */
    public Entry enter(String owner) {
        long own = ofOwner.merge(owner, 1L, Long::sum);
        long count = taken.incrementAndGet();
        if (own > perOwner.value()) {
            leave(owner);
            return new Entry(null, new Full(perOwner, own, true));
        }
        if (count > all.value()) {
            leave(owner);
            return new Entry(null, new Full(all, count, false));
        }
        return new Entry(() -> leave(owner), null);
    }

    private void leave(String owner) {
        taken.decrementAndGet();
        ofOwner.computeIfPresent(owner, (key, count) -> count > 1 ? count - 1 : null);
    }

    /** How many are taken. */
    public long taken() {
        return taken.get();
    }

    /** How many this owner has. */
    public long takenBy(String owner) {
        return ofOwner.getOrDefault(owner, 0L);
    }

    /** How many owners are remembered: none that has no place. */
    public int owners() {
        return ofOwner.size();
    }
}
