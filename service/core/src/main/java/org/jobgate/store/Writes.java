// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jobgate.job.FaultException;

/** Waits for what is written to the store: everybody who does so gets a refusal as the store said it. */
public final class Writes {

    private Writes() {}

    /**
     * What the write achieved, when it is on disk. Waits for as long as that takes.
     *
     * @throws FaultException if it was refused, as the store said it
     */
    public static <T> T await(CompletableFuture<T> write) {
        try {
            return write.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FaultException fault) {
                throw fault;
            }
            throw e;
        }
    }
}
