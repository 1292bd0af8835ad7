// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import org.jspecify.annotations.Nullable;

/**
 * What came of a request.
 *
 * @param failed the transfer that ended it; absent where all were made
 * @param record of that one
 * @param tally how all of them ended
 */
public record TransferResult(
        @Nullable TransferTask failed, @Nullable TransferRecord record, Tally tally) {

    static final TransferResult DONE = new TransferResult(null, null, Tally.allPending(0));
}
