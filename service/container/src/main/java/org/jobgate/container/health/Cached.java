// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is costly to find out, kept for a while. Many callers cause one look; while one looks again, the others get the value of
 * before, and wait only if there is none yet.
 */
public final class Cached<T> implements Supplier<T> {

    private final Supplier<T> source;
    private final long keptNanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();

    private volatile @Nullable Kept<T> kept;

    private record Kept<T>(T value, long at) {}

    public Cached(Supplier<T> source, Duration kept, LongSupplier nanoTime) {
        this.source = requireNonNull(source, "source is null");
        this.keptNanos = kept.toNanos();
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    @Override
    public T get() {
        Kept<T> before = kept;
        if (before != null && isFresh(before)) {
            return before.value();
        }
        if (before != null && looking.isLocked()) {
            return before.value();
        }
        looking.lock();
        try {
            Kept<T> meanwhile = kept;
            if (meanwhile != null && isFresh(meanwhile)) {
                return meanwhile.value();
            }
            T value = source.get();
            kept = new Kept<>(value, nanoTime.getAsLong());
            return value;
        } finally {
            looking.unlock();
        }
    }

    private boolean isFresh(Kept<T> value) {
        return nanoTime.getAsLong() - value.at() < keptNanos;
    }
}
