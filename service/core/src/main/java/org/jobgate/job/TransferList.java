// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;

/**
 * The files that a job wants fetched before it, sent after it, and deleted at its end.
 *
 * @param stageInOptions how to fetch, by name as in requests to RFT (facts/gram4.md section 6.1): {@code maxAttempts},
 *     {@code concurrency}, {@code allOrNone}, {@code parallelStreams} and so on; absent ones are the file transfer's defaults
 * @param stageOutOptions how to send
 * @param cleanUpOptions how to delete
 */
public record TransferList(
        List<Transfer> stageIn,
        List<Transfer> stageOut,
        List<String> cleanUp,
        Map<String, String> stageInOptions,
        Map<String, String> stageOutOptions,
        Map<String, String> cleanUpOptions) {

    public static final TransferList NONE = new TransferList(List.of(), List.of(), List.of());

    public TransferList {
        requireNonNull(stageIn, "stageIn is null");
        stageIn = List.copyOf(stageIn);
        stageOut = List.copyOf(stageOut);
        cleanUp = List.copyOf(cleanUp);
        stageInOptions = Map.copyOf(stageInOptions);
        stageOutOptions = Map.copyOf(stageOutOptions);
        cleanUpOptions = Map.copyOf(cleanUpOptions);
    }

    /** Files to be moved in the default way. */
    public TransferList(List<Transfer> stageIn, List<Transfer> stageOut, List<String> cleanUp) {
        this(stageIn, stageOut, cleanUp, Map.of(), Map.of(), Map.of());
    }

    public boolean isEmpty() {
        return stageIn.isEmpty() && stageOut.isEmpty() && cleanUp.isEmpty();
    }
}
