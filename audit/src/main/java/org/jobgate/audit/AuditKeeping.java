// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long records are kept, and how long they name people. Both count from the end of a job; what is still alive is kept.
 *
 * @param records what is older is taken out; absent: never
 * @param names what is older names its owner by a pseudonym only; absent: never
 */
public record AuditKeeping(
        @Nullable Duration records, @Nullable Duration names) {

    /** All of it, for ever. */
    public static final AuditKeeping FOR_EVER = new AuditKeeping(null, null);

    public AuditKeeping {
        for (Duration time : new Duration[] {records, names}) {
            if (time != null && !time.isPositive()) {
                throw new IllegalArgumentException("records are kept for some time, not for " + time);
            }
        }
    }

    /** How old an entry must be to be looked at; absent where none ever is. */
    @Nullable
    Duration first() {
        if (records == null || names == null) {
            return records == null ? names : records;
        }
        return records.compareTo(names) < 0 ? records : names;
    }
}
