// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.ResourceUse;
import org.jspecify.annotations.Nullable;

/**
 * What the LRM's own record says of one job. Told at least once: a replayed event is recognised by the state machine.
 *
 * @param tag whose
 * @param localIds the LRM's ids of it
 * @param kind what happened
 * @param at when, by the LRM's clock
 * @param end how it ended; present with {@link Kind#ENDED} only
 * @param note why it is so, in the LRM's own words, for the owner: why it waits, is held, was put back; one line of at most {@value
 *     #MAX_NOTE} characters
 */
public record LrmEvent(
        JobId tag,
        List<String> localIds,
        Kind kind,
        Instant at,
        @Nullable End end,
        @Nullable String note) {

    public static final int MAX_NOTE = 500;

    public LrmEvent {
        requireNonNull(tag, "tag is null");
        localIds = List.copyOf(localIds);
        requireNonNull(kind, "kind is null");
        requireNonNull(at, "at is null");
        if ((kind == Kind.ENDED) != (end != null)) {
            throw new IllegalArgumentException("an end belongs to ENDED, and only to it: " + kind);
        }
        note = note == null ? null : readable(note);
    }

    /** An event of which the LRM says no more. */
    public LrmEvent(JobId tag, List<String> localIds, Kind kind, Instant at, @Nullable End end) {
        this(tag, localIds, kind, at, end, null);
    }

    private static @Nullable String readable(String text) {
        String line = JobSideText.line(text, MAX_NOTE);
        return line.isEmpty() ? null : line;
    }

    /** What happened. */
    public enum Kind {
        QUEUED(JobState.PENDING),
        STARTED(JobState.ACTIVE),
        SUSPENDED(JobState.SUSPENDED),
        REQUEUED(JobState.PENDING),
        /** The LRM answers, and does not know it: the note says so to the owner, the job stays as it is. */
        UNKNOWN(null),
        ENDED(null);

        private final @Nullable JobState state;

        Kind(@Nullable JobState state) {
            this.state = state;
        }

        /** Where it leads, if the job is still in the LRM; a replayed one may mean nothing any more. */
        @Nullable
        public JobState state() {
            return state;
        }
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
        /** The job is certainly over, and how it ended is not known. */
        LOST
    }

    /**
     * How it ended.
     *
     * @param wallTime from its start to its end; bounded as the times in {@link ResourceUse} are
     * @param fault where the adapter can say more than the cause does
     * @param used what the job used, as far as the LRM or the job itself says
     */
    public record End(
            Cause cause,
            @Nullable Integer exitCode,
            @Nullable Integer signal,
            @Nullable Duration wallTime,
            @Nullable Fault fault,
            @Nullable Evidence evidence,
            @Nullable ResourceUse used) {
        public End {
            requireNonNull(cause, "cause is null");
            wallTime = ResourceUse.bounded(wallTime);
        }

        /** An end of which it is not known what the job used. */
        public End(
                Cause cause,
                @Nullable Integer exitCode,
                @Nullable Integer signal,
                @Nullable Duration wallTime,
                @Nullable Fault fault,
                @Nullable Evidence evidence) {
            this(cause, exitCode, signal, wallTime, fault, evidence, null);
        }
    }
}
