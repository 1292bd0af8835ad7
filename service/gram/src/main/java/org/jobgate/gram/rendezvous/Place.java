// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;

/**
 * A rank that is given to somebody.
 *
 * @param mark the registrant's mark
 * @param size bytes that the registrant left
 * @param kept done when the registration is on disk
 */
record Place(int rank, Mark mark, int size, CompletableFuture<Void> kept) {

    Place {
        requireNonNull(mark, "mark is null");
        requireNonNull(kept, "kept is null");
    }

    boolean isKept() {
        return kept.isDone() && !kept.isCompletedExceptionally();
    }
}
