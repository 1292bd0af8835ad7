// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import org.jspecify.annotations.Nullable;

/**
 * How many transfers of a request stand how. The counts add up to all that are known: what is in directories counts from when they were
 * listed.
 *
 * @param retrying attempts failed, and another one comes
 * @param bytes that were moved, in all attempts
 * @param fault the sentence of the newest failure; absent where nothing failed
 */
public record Tally(
        int finished,
        int retrying,
        int failed,
        int active,
        int pending,
        int cancelled,
        long bytes,
        @Nullable String fault) {

    /** The tally of a request of which nothing was done. */
    public static Tally allPending(int count) {
        return new Tally(0, 0, 0, 0, count, 0, 0, null);
    }

    public int all() {
        return finished + retrying + failed + active + pending + cancelled;
    }
}
