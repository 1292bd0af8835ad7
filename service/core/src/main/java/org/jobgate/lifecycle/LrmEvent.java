// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What the LRM's own record says of one job. Told at least once: a replayed event is recognised by the state machine.
 *
 * @param tag whose
 * @param localIds the LRM's ids of it
 * @param kind what happened
 * @param at when, by the LRM's clock
 * @param end how it ended; present with {@link Kind#ENDED} only
 */
public record LrmEvent(
        JobId tag,
        List<String> localIds,
        Kind kind,
        Instant at,
        @Nullable End end) {

    public LrmEvent {
        requireNonNull(tag, "tag is null");
        localIds = List.copyOf(localIds);
        requireNonNull(kind, "kind is null");
        requireNonNull(at, "at is null");
        if ((kind == Kind.ENDED) != (end != null)) {
            throw new IllegalArgumentException("an end belongs to ENDED, and only to it: " + kind);
        }
    }

    /** What happened. */
    public enum Kind {
        QUEUED,
        STARTED,
        SUSPENDED,
        REQUEUED,
        ENDED
    }

    /** Why a job is over. */
    public enum Cause {
        /** Its processes ended by themselves, with an exit code. */
        EXITED,
        /** A signal that was not ours ended it. */
        SIGNALLED,
        /** It could not be started; the fault says why. */
        NOT_STARTED,
        WALL_TIME,
        MEMORY,
        NODE_FAILED,
        PREEMPTED,
        /** It was cancelled, by us or behind our back. */
        CANCELLED,
        /** It is certain that it is over and that nobody knows how. */
        LOST
    }

    /**
     * How it ended.
     *
     * @param fault where the adapter can say more than the cause does
     */
    public record End(
            Cause cause,
            @Nullable Integer exitCode,
            @Nullable Integer signal,
            @Nullable Duration wallTime,
            @Nullable Fault fault,
            @Nullable Evidence evidence) {
        public End {
            requireNonNull(cause, "cause is null");
        }
    }
}
