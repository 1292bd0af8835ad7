// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jobgate.transfer.protocol.TransferException;
import org.jspecify.annotations.Nullable;

/**
 * The next part of a file, made ready by a thread of its own while the part before it is on its way. There is never more than one, so what one
 * transfer holds in memory stays bounded. Between {@link #begin} and the end of {@link #take} or {@link #close} the work has its source for itself. For
 * one thread.
 */
final class Ahead<T> implements AutoCloseable {

    private final Consumer<T> unused;
    private @Nullable FutureTask<T> task;
    private @Nullable Thread worker;

    /** @param unused is given what was made ready and never taken */
    Ahead(Consumer<T> unused) {
        this.unused = requireNonNull(unused, "unused is null");
    }

    /** Has the next part made ready. */
    void begin(Callable<T> work) {
        if (task != null) {
            throw new IllegalStateException("a part is made ready already");
        }
        FutureTask<T> begun = new FutureTask<>(work);
        task = begun;
        worker = Thread.ofVirtual().name("transfer-ahead").start(begun);
    }

    boolean isBegun() {
        return task != null;
    }

    /** The part, waited for. What making it ready failed with is thrown here. */
    T take() throws IOException, TransferException, InterruptedException {
        T part = result(requireNonNull(task, "no part was begun"));
        task = null;
        worker = null;
        return part;
    }

    private static <T> T result(FutureTask<T> task) throws IOException, TransferException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            if (cause instanceof TransferException failed) {
                throw failed;
            }
            if (cause instanceof RuntimeException wrong) {
                throw wrong;
            }
            if (cause instanceof Error wrong) {
                throw wrong;
            }
            throw new IllegalStateException(e);
        }
    }

    /** Ends what is being made ready, and waits for that: nobody reads the source any more then. */
    @Override
    public void close() {
        FutureTask<T> begun = task;
        Thread thread = worker;
        if (begun == null || thread == null) {
            return;
        }
        task = null;
        worker = null;
        thread.interrupt(); // cancel() would lose what the work still ends with
        boolean isInterrupted = joined(thread);
        if (begun.state() == FutureTask.State.SUCCESS) {
            unused.accept(begun.resultNow());
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this thread was interrupted meanwhile. */
    private static boolean joined(Thread thread) {
        boolean isInterrupted = false;
        while (true) {
            try {
                thread.join();
                return isInterrupted;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
    }
}
