// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jobgate.limits.Interlude;
import org.jspecify.annotations.Nullable;

/** A write, who waits for it, and how it went. Used by the writer's thread only, but for the future. */
final class PendingWrite<T> implements WriteQueue.Weighted {

    private final Write<T> write;
    private final WrittenFuture<T> future;
    private @Nullable T result;
    private @Nullable Throwable failure;

    PendingWrite(Write<T> write, Interlude interlude) {
        this.write = write;
        this.future = new WrittenFuture<>(interlude);
    }

    Write<T> write() {
        return write;
    }

    CompletableFuture<T> future() {
        return future;
    }

    @Override
    public int weight() {
        return write.weight();
    }

    /** Runs the write in the transaction. An unchecked exception of it fails this write only. */
    void apply(Batch batch) throws SQLException {
        result = null;
        failure = null;
        try {
            result = write.apply(batch);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    void fail(Throwable reason) {
        failure = reason;
    }

    /**
     * Tells all who wait for these writes how they went, on other threads, for the writer must not be held up. Where nothing but threads waits for
     * a write, which takes no time, one thread does this for all such writes; to begin one for each costs more. What hangs on a write may take
     * its time, so it has a thread of its own.
     */
    static void answer(List<PendingWrite<?>> writes, Executor executor) {
        List<PendingWrite<?>> brief = new ArrayList<>(writes.size());
        for (PendingWrite<?> write : writes) {
            if (write.future.hasFollowers()) {
                executor.execute(write.answer());
            } else {
                brief.add(write);
            }
        }
        if (!brief.isEmpty()) {
            List<Runnable> answers =
                    brief.stream().map(write -> write.briefAnswer(executor)).toList();
            executor.execute(() -> answers.forEach(Runnable::run));
        }
    }

    /** As {@link #answer()}, but on a thread of its own where something has come to hang on the write since it was looked at. */
    private Runnable briefAnswer(Executor executor) {
        Runnable answer = answer();
        return () -> {
            if (future.hasFollowers()) {
                executor.execute(answer);
            } else {
                answer.run();
            }
        };
    }

    /** How it went, as of now: the writer may try it again in another transaction. */
    private Runnable answer() {
        Throwable reason = failure;
        T value = result;
        return () -> {
            if (reason != null) {
                future.completeExceptionally(reason);
            } else {
                future.complete(value);
            }
        };
    }
}
