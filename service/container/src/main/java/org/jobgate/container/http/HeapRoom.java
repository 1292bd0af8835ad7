// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Whether the heap has room for one more client. Without it a crowd could end the whole service: the virtual machine exits when its heap
 * is exhausted.
 *
 * <p>What counts is the share of the old generation that its last full collection left in use, since all before a collection may be
 * garbage. A full heap is collected again when somebody asks, once in a while, for nothing else would show that there is room again.
 */
final class HeapRoom {

    /** Above this share of the old generation nothing more is taken: what is left is for the requests that are under way. */
    static final double FULL = 0.92;

    /** For the log: what is the matter, and what its reader can do. */
    static final String REMEDY =
            "the memory of the service is full: fewer connections (limits.maxConnections) or a larger heap (-Xmx in jvm.options) would leave room";

    private static final Duration BETWEEN_COLLECTIONS = Duration.ofSeconds(5);

    private final DoubleSupplier usedAfterCollection;
    private final Runnable collection;
    private final LongSupplier nanoTime;
    private final AtomicLong lastCollection;

    /**
     * A heap.
     *
     * @param usedAfterCollection the share in use after the last full collection, 0 to 1
     * @param collection makes a full one
     */
    HeapRoom(DoubleSupplier usedAfterCollection, Runnable collection, LongSupplier nanoTime) {
        this.usedAfterCollection = requireNonNull(usedAfterCollection, "usedAfterCollection is null");
        this.collection = requireNonNull(collection, "collection is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.lastCollection = new AtomicLong(nanoTime.getAsLong() - BETWEEN_COLLECTIONS.toNanos());
    }

    /** The heap of this process; one whose collector knows no bounded old generation always has room. */
    static HeapRoom ofThisProcess() {
        DoubleSupplier used = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
                .filter(pool ->
                        pool.getCollectionUsage() != null && pool.getUsage().getMax() > 0)
                .findFirst()
                .<DoubleSupplier>map(pool -> () -> share(pool))
                .orElse(() -> 0);
        return new HeapRoom(used, System::gc, System::nanoTime);
    }

    private static double share(MemoryPoolMXBean pool) {
        return (double) pool.getCollectionUsage().getUsed() / pool.getUsage().getMax();
    }

    /** Whether no further connection can be admitted now. */
    boolean isFull() {
        if (usedAfterCollection.getAsDouble() < FULL) {
            return false;
        }
        long last = lastCollection.get();
        long now = nanoTime.getAsLong();
        if (now - last >= BETWEEN_COLLECTIONS.toNanos() && lastCollection.compareAndSet(last, now)) {
            collection.run();
        }
        return usedAfterCollection.getAsDouble() >= FULL;
    }
}
