// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/** Proves that the store works: forces a number to disk and reads it back on another connection. */
final class StoreProbe {

    private static final String PROBE = "probe";

    private final GroupCommitWriter writer;
    private final JobReads reads;
    private final String store;
    private final Duration timeout;

    StoreProbe(GroupCommitWriter writer, JobReads reads, String store, Duration timeout) {
        this.writer = writer;
        this.reads = reads;
        this.store = store;
        this.timeout = timeout;
    }

    /**
     * Runs one probe.
     *
     * @throws FaultException saying what does not work
     */
    void run() {
        long written = await(writer.put(batch -> {
            batch.flush();
            return StoreNumbers.next(batch, PROBE);
        }));
        long read = reads.number(StoreNumbers.READ, PROBE);
        if (read < written) {
            throw unavailable("it took the number " + written + " and gives back " + read, null);
        }
    }

    private long await(CompletableFuture<Long> write) {
        try {
            return write.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FaultException fault) {
                throw new FaultException(fault.fault(), e);
            }
            throw unavailable("a write failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw unavailable("a write was not on disk after " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("the probe was interrupted", e);
        }
    }

    private FaultException unavailable(String why, @Nullable Throwable cause) {
        Fault fault = Fault.of(
                FaultCode.STORE_UNAVAILABLE,
                "The store " + store + " does not work: " + why + ".",
                "See the service's log and the disk of the store.");
        return cause == null ? new FaultException(fault) : new FaultException(fault, cause);
    }
}
