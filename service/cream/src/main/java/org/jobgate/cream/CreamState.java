// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is, as CREAM's clients know it. The numbers are those of its events.
 *
 * <p>RUNNING is what CREAM's own wrapper reports before the program of the user begins; here files are brought before the LRM has the job, so a
 * job that the LRM has started is REALLY-RUNNING at once. Its history has RUNNING before that, with the same time and the same change; its
 * events do not, for an event is one change. PURGED is only seen by those who were told of the purge.
 */
enum CreamState {
    REGISTERED(0, "REGISTERED"),
    PENDING(1, "PENDING"),
    IDLE(2, "IDLE"),
    RUNNING(3, "RUNNING"),
    REALLY_RUNNING(4, "REALLY-RUNNING"),
    CANCELLED(5, "CANCELLED"),
    HELD(6, "HELD"),
    DONE_OK(7, "DONE-OK"),
    DONE_FAILED(8, "DONE-FAILED"),
    PURGED(9, "PURGED"),
    ABORTED(10, "ABORTED");

    /** How the core's history begins to say that a job goes on which was held. */
    private static final String RELEASED = "released";

    /** The beginning of the reason of a job that is held by its owner. */
    private static final String WANTED_HELD = "its owner wants it held";

    private final int number;
    private final String word;

    CreamState(int number, String word) {
        this.number = number;
        this.word = word;
    }

    /** One entry of a job's history: when it came to a state, and by which change. */
    record Entry(CreamState state, Change change) {}

    String word() {
        return word;
    }

    /** The number that events have in place of the name. */
    int number() {
        return number;
    }

    /** The state of this name or number. */
    static Optional<CreamState> of(String text) {
        return Arrays.stream(values())
                .filter(state -> state.word.equals(text)
                        || Integer.toString(state.number()).equals(text))
                .findFirst();
    }

    boolean isTerminal() {
        return this == CANCELLED || this == DONE_OK || this == DONE_FAILED || this == ABORTED || this == PURGED;
    }

    /** How the job stands. */
    static CreamState of(Job job) {
        boolean waitsForStart = job.holdAt() == JobState.STAGE_IN && job.outcome() == null;
        return switch (job.state()) {
            case UNSUBMITTED, STAGE_IN -> waitsForStart ? REGISTERED : job.isHeld() ? HELD : PENDING;
            case PENDING -> job.isHeld() ? HELD : IDLE;
            case ACTIVE -> REALLY_RUNNING;
            case SUSPENDED -> HELD;
            case STAGE_OUT, CLEAN_UP -> before(job);
            case DONE -> DONE_OK;
            case FAILED -> failed(job);
            case CANCELLED -> CANCELLED;
        };
    }

    /** Sending files and cleaning up are no states of CREAM: the job is as it was. */
    private static CreamState before(Job job) {
        return job.started() != null ? REALLY_RUNNING : job.queued() != null ? IDLE : PENDING;
    }

    /** A job that its LRM never had is ABORTED. */
    private static CreamState failed(Job job) {
        return job.queued() == null && job.localIds().isEmpty() ? ABORTED : DONE_FAILED;
    }

    /** The states that a job came to, each once for as long as it stayed there, from its changes in order. */
    static List<Entry> history(Job job, List<Change> changes) {
        List<Entry> entries = new ArrayList<>();
        for (Change change : changes) {
            CreamState next = after(
                    job, change, entries.isEmpty() ? null : entries.getLast().state());
            if (next != null && (entries.isEmpty() || entries.getLast().state() != next)) {
                if (next == REALLY_RUNNING && entries.stream().noneMatch(entry -> entry.state() == RUNNING)) {
                    entries.add(new Entry(RUNNING, change));
                }
                entries.add(new Entry(next, change));
            }
        }
        return entries;
    }

    private static @Nullable CreamState after(Job job, Change change, @Nullable CreamState before) {
        return switch (change.to()) {
            case UNSUBMITTED, STAGE_IN -> early(change, before);
            case PENDING -> change.isHeld() ? HELD : IDLE;
            case ACTIVE -> REALLY_RUNNING;
            case SUSPENDED -> HELD;
            case STAGE_OUT, CLEAN_UP -> null;
            case DONE -> DONE_OK;
            case FAILED -> failed(job);
            case CANCELLED -> CANCELLED;
        };
    }

    /**
     * Before the LRM: registered until it is started, which is a release or the beginning of its work. One that its owner has held at another door
     * meanwhile is held.
     */
    private static @Nullable CreamState early(Change change, @Nullable CreamState before) {
        if (before == null) {
            return REGISTERED;
        }
        String note = change.note();
        if (change.isHeld()) {
            boolean isHeld = before == HELD || (note != null && note.startsWith(WANTED_HELD));
            return isHeld ? HELD : REGISTERED;
        }
        boolean goesOn = change.event() != null || (note != null && note.startsWith(RELEASED));
        return (before == REGISTERED || before == HELD) && goesOn ? PENDING : null;
    }
}
