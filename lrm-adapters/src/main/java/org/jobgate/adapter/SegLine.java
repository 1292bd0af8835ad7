// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.lrm.LrmEvent;

/**
 * A line of a scheduler event generator: {@code 001;<seconds since 1970>;<local job id>;<state>;<exit code>} (facts/gram4.md §8.6).
 *
 * @param state {@value #PENDING}, {@value #ACTIVE}, {@value #FAILED}, {@value #DONE} or {@value #SUSPENDED}
 * @param exitCode 0 unless the job is over
 */
record SegLine(Instant at, String localId, int state, int exitCode) {

    static final int PENDING = 1;
    static final int ACTIVE = 2;
    static final int FAILED = 4;
    static final int DONE = 8;
    static final int SUSPENDED = 16;

    /** Longer lines are none. */
    static final int MAX_LENGTH = 4096;

    private static final int SIGNAL_BASE = 128;

    /** What stands behind the exit code is not ours to read. */
    private static final Pattern LINE =
            Pattern.compile("001;([0-9]{1,12});([^;\\p{Cntrl}]{1,1024});(1|2|4|8|16);(-?[0-9]{1,9})(?:;.*)?");

    SegLine {
        requireNonNull(at, "at is null");
        requireNonNull(localId, "localId is null");
    }

    /** The line, or nothing if it is none. */
    static Optional<SegLine> parse(String text) {
        Matcher line = LINE.matcher(text.strip());
        if (!line.matches()) {
            return Optional.empty();
        }
        return Optional.of(new SegLine(
                Instant.ofEpochSecond(Long.parseLong(line.group(1))),
                line.group(2),
                Integer.parseInt(line.group(3)),
                Integer.parseInt(line.group(4))));
    }

    /** The lines that say the same as the event, one for each of the LRM's ids; none where it is no change of state. */
    static List<SegLine> of(LrmEvent event) {
        if (event.kind() == LrmEvent.Kind.UNKNOWN) {
            return List.of();
        }
        int state = switch (event.kind()) {
            case QUEUED, REQUEUED -> PENDING;
            case STARTED -> ACTIVE;
            case SUSPENDED -> SUSPENDED;
            case UNKNOWN, ENDED -> isExit(event) ? DONE : FAILED;
        };
        return event.localIds().stream()
                .map(id -> new SegLine(event.at(), id, state, exitCode(event)))
                .toList();
    }

    private static boolean isExit(LrmEvent event) {
        return event.end() != null && event.end().cause() == LrmEvent.Cause.EXITED;
    }

    private static int exitCode(LrmEvent event) {
        LrmEvent.End end = event.end();
        if (end == null) {
            return 0;
        }
        if (end.exitCode() != null) {
            return end.exitCode();
        }
        return end.signal() == null ? 0 : SIGNAL_BASE + end.signal();
    }

    boolean isOver() {
        return state == FAILED || state == DONE;
    }

    /** As it is written, without the end of the line. */
    String text() {
        return "001;" + at.getEpochSecond() + ";" + localId.replaceAll("[;\\p{Cntrl}]", "_") + ";" + state + ";"
                + exitCode;
    }
}
