// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.transfer.Tally;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a request as it is stored.
 *
 * @param terminates when the resource is destroyed
 * @param started when work on it began; absent before
 * @param ended when it was over; absent before
 * @param tally of its end; absent before
 */
record StoredState(
        Instant terminates,
        @Nullable Instant started,
        @Nullable Instant ended,
        @Nullable Tally tally) {

    StoredState {
        requireNonNull(terminates, "terminates is null");
    }

    boolean isRunning() {
        return started != null && ended == null;
    }

    StoredState terminating(Instant time) {
        return new StoredState(time, started, ended, tally);
    }

    StoredState startedAt(Instant time) {
        return new StoredState(terminates, time, ended, tally);
    }

    StoredState endedAt(Instant time, Tally last) {
        return new StoredState(terminates, started, time, last);
    }
}
