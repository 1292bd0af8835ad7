// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** The files that a job wants fetched before it, sent after it, and deleted at its end. */
public record TransferList(List<Transfer> stageIn, List<Transfer> stageOut, List<String> cleanUp) {

    public static final TransferList NONE = new TransferList(List.of(), List.of(), List.of());

    public TransferList {
        requireNonNull(stageIn, "stageIn is null");
        stageIn = List.copyOf(stageIn);
        stageOut = List.copyOf(stageOut);
        cleanUp = List.copyOf(cleanUp);
    }

    public boolean isEmpty() {
        return stageIn.isEmpty() && stageOut.isEmpty() && cleanUp.isEmpty();
    }
}
