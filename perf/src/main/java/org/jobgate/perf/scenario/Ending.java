// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jobgate.perf.wire.ToldEnd;

/**
 * How the end of one job became known.
 *
 * @param ended when the job did its last act; absent where it did not
 * @param recorded when the LRM recorded the end; absent where its record is not looked at, or has none
 * @param pushed that the notification consumer was told; absent where it was not
 * @param answered that the client that waits was told; absent where it was not
 */
record Ending(
        Optional<Instant> ended, Optional<Instant> recorded, Optional<ToldEnd> pushed, Optional<ToldEnd> answered) {

    Ending {
        requireNonNull(ended, "ended is null");
        requireNonNull(recorded, "recorded is null");
        requireNonNull(pushed, "pushed is null");
        requireNonNull(answered, "answered is null");
    }

    /** Whether both clients were told of it. */
    boolean isTold() {
        return pushed.isPresent() && answered.isPresent();
    }

    /** Whether the job did its last act, and each client that was told of its end was told that it is Done. */
    boolean isDone() {
        return ended.isPresent()
                && pushed.map(ToldEnd::state).orElse("Done").equals("Done")
                && answered.map(ToldEnd::state).orElse("Done").equals("Done");
    }

    /** Milliseconds from a moment until one was told; empty where either is not known. */
    static Optional<Double> millis(Optional<Instant> from, Optional<ToldEnd> told) {
        return from.flatMap(begin ->
                told.map(end -> Duration.between(begin, end.at()).toNanos() / 1e6));
    }
}
