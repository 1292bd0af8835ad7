// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Says of a refusal that the same request may be taken later: it was refused for what there is besides at present, and nothing of it was
 * stored.
 *
 * @param room whose room is used up
 * @param after when it is worth asking again, in whole seconds; from {@link #LEAST} to {@link #MOST}, whatever was given
 */
public record Later(Room room, Duration after) {

    /** A client that asks more often gains nothing. */
    public static final Duration LEAST = Duration.ofSeconds(1);

    /** No client waits longer for a state that may have changed meanwhile. */
    public static final Duration MOST = Duration.ofHours(1);

    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final Duration UNTIL_JOBS_END = Duration.ofSeconds(30);

    /** Who has as much as is allowed. */
    public enum Room {
        /** The sender: others are served. */
        OWNER,
        /** The service, for everybody. */
        SERVICE
    }

    public Later {
        requireNonNull(room, "room is null");
        long seconds = after.plusMillis(999).toSeconds();
        after = Duration.ofSeconds(Math.clamp(seconds, LEAST.toSeconds(), MOST.toSeconds()));
    }

    /** The room becomes free when jobs, credentials or writes of others end, which takes a while. */
    public static Later whenThereIsRoom(Room room) {
        return new Later(room, UNTIL_JOBS_END);
    }

    /** The service as a whole does not take it, perhaps for a moment only. */
    public static Later inAMoment() {
        return new Later(Room.SERVICE, MOMENT);
    }
}
