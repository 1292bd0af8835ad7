// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What the transfers of an engine share. */
record EngineParts(
        TransferSettings settings,
        TransferRecords records,
        TransferCredentials credentials,
        Attempt attempt,
        Turns turns,
        Pauses pauses,
        ScheduledExecutorService timer,
        LongSupplier nanoTime,
        Set<Transfer> watched,
        LongAdder moved,
        LongAdder failed,
        LongAdder retried,
        LongAdder bytes) {

    static Set<Transfer> nothingWatched() {
        return ConcurrentHashMap.newKeySet();
    }

    void watch(Transfer transfer) {
        watched.add(transfer);
    }

    void unwatch(Transfer transfer) {
        watched.remove(transfer);
    }
}
