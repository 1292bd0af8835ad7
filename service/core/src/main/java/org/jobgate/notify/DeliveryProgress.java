// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.util.TreeMap;

/** Which changes still have messages on their way, so that the cursor is never saved past one that was not delivered. */
public final class DeliveryProgress {

    private final TreeMap<Long, Integer> outstanding = new TreeMap<>();
    private long read;

    /** A message about this change is to be delivered. */
    public synchronized void begin(long sequence) {
        outstanding.merge(sequence, 1, Integer::sum);
    }

    /** A message about this change needs no delivery any more. */
    public synchronized void end(long sequence) {
        outstanding.computeIfPresent(sequence, (key, count) -> count == 1 ? null : count - 1);
    }

    /** Everything up to this change was looked at. */
    synchronized void read(long sequence) {
        read = Math.max(read, sequence);
    }

    /** Up to here nothing is outstanding. */
    synchronized long finished() {
        return outstanding.isEmpty() ? read : Math.min(read, outstanding.firstKey() - 1);
    }
}
