// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.util.Set;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jspecify.annotations.Nullable;

/**
 * Something to be written. {@link #apply} runs on the writer's thread, and again where its transaction had to be repeated. An unchecked
 * exception fails this write alone and must leave the batch as it was; an {@link SQLException} undoes the whole transaction.
 */
interface Write<T> {

    /** The answer; absent only where {@code T} is {@link Void}. */
    @Nullable
    T apply(Batch batch) throws SQLException;

    /** How many places it takes in the queue and in a transaction. */
    default int weight() {
        return 1;
    }

    /** The jobs it will look at, so that one question to the database fetches those of many writes. */
    default Set<JobId> jobs() {
        return Set.of();
    }

    /** The keys it will look at. */
    default Set<SubmissionKey> keys() {
        return Set.of();
    }
}
