// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request.
 *
 * @param failed the transfer that ended it; absent where all were made
 * @param record of that one
 * @param tally how all of them ended
 * @param notes what the owner should know of files, although it is no failure; not of all where there are very many
 */
public record TransferResult(
        @Nullable TransferTask failed, @Nullable TransferRecord record, Tally tally, List<String> notes) {

    public TransferResult {
        notes = List.copyOf(notes);
    }

    static final TransferResult DONE = new TransferResult(null, null, Tally.allPending(0), List.of());
}
