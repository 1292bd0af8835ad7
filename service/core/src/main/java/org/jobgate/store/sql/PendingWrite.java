// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jobgate.limits.Interlude;
import org.jspecify.annotations.Nullable;

/** A write, who waits for it, and how it went. Used by the writer's thread only, but for the future. */
final class PendingWrite<T> implements WriteQueue.Weighted {

    private final Write<T> write;
    private final CompletableFuture<T> future;
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

    /** Completes the future, on another thread: what the waiting caller does next must not hold up the writer. */
    void answer(Executor executor) {
        Throwable reason = failure;
        T value = result;
        executor.execute(() -> {
            if (reason != null) {
                future.completeExceptionally(reason);
            } else {
                future.complete(value);
            }
        });
    }
}
