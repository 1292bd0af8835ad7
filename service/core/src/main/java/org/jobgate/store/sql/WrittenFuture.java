// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.limits.Interlude;
import org.jspecify.annotations.Nullable;

/**
 * Complete when a write is on disk. A thread that waits for it says so to the {@link Interlude}: forcing a transaction to disk takes far
 * longer than what a request does itself, so a few requests that wait for theirs would else keep all others from working. What is made of it
 * by {@code thenApply} and its like is of the same kind.
 */
final class WrittenFuture<T> extends CompletableFuture<T> {

    private final Interlude interlude;

    /** So many threads have waited for this. */
    private final AtomicInteger waiting = new AtomicInteger();

    WrittenFuture(Interlude interlude) {
        this.interlude = requireNonNull(interlude, "interlude is null");
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new WrittenFuture<>(interlude);
    }

    @Override
    public T join() {
        return isDone() ? super.join() : waited().join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        return isDone() ? super.get() : waited().get();
    }

    /**
     * The same, waited for as far as the interlude does that. The thread hangs on this before it is counted: the other way round, what hangs on this
     * for another reason could be taken for it.
     */
    private CompletableFuture<T> waited() {
        CompletableFuture<T> same = new CompletableFuture<>();
        var unused = whenComplete((result, failure) -> {
            if (failure == null) {
                same.complete(result);
            } else {
                same.completeExceptionally(failure);
            }
        });
        waiting.incrementAndGet();
        interlude.untilDone(same);
        return same;
    }

    /** Whether something other than waiting threads hangs on this, which may take its time when this is completed. */
    boolean hasFollowers() {
        return getNumberOfDependents() > waiting.get();
    }

    @Override
    public @Nullable T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        interlude.begins();
        try {
            return super.get(timeout, unit);
        } finally {
            interlude.ends();
        }
    }
}
