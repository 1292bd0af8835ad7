// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import java.util.List;

/**
 * One protocol by which clients reach this gateway. A door translates: requests into calls of {@link DoorContext#jobs()}, and what those
 * answer into its own words. It knows no other door, and no LRM.
 *
 * <p>Its life: it is made before the first request is answered and before any job is worked on; its mounts are asked for once;
 * {@link #start} is called when the store is open and the engine runs, before requests come; {@link #endWaits} at the beginning of a stop;
 * {@link #close} when the last request was answered, before the store is closed.
 */
public interface FrontDoor extends AutoCloseable {

    /** What the configuration calls it ({@code doors.NAME}): small letters. */
    String name();

    /** Where it answers. The same at each call. */
    List<Mount> mounts();

    /** Begins what the door does by itself, such as telling clients about their jobs. */
    default void start() {
        // most doors only answer
    }

    /** Answers the requests that wait for a change at the door's own hands, and lets none wait any more: a stop would have to wait for them. */
    default void endWaits() {
        // those that wait for a change of a job are answered by the engine
    }

    /** What is measured of this door beside its requests, which are measured for every door. The same at each call. */
    default List<DoorGauge> metrics() {
        return List.of();
    }

    /** Ends what {@link #start} began; a door that was not started can be closed. */
    @Override
    default void close() {
        // most doors hold nothing
    }
}
