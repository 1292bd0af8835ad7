// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jobgate.job.FaultException;

/** Waits for writes to be on disk. */
final class Writes {

    private Writes() {}

    static <T> T await(CompletableFuture<T> write) {
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
