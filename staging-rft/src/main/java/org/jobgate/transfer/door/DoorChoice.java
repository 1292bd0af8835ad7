// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.door;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Which of several doors is taken. All of them are alive and lead to the file. */
@FunctionalInterface
public interface DoorChoice {

    /**
     * The one to be taken.
     *
     * @param doors at least one, in the order of the configuration
     */
    DoorState choose(List<DoorState> doors);

    /** One after the other. */
    static DoorChoice roundRobin() {
        AtomicInteger next = new AtomicInteger();
        return doors -> doors.get(Math.floorMod(next.getAndIncrement(), doors.size()));
    }

    static DoorChoice random(RandomGenerator random) {
        return doors -> doors.get(random.nextInt(doors.size()));
    }

    /** The fewest transfers on their way; among those the one that was the fastest, and one that was never measured before it. */
    static DoorChoice leastLoad() {
        Comparator<DoorState> fewest = Comparator.comparingInt(DoorState::active);
        return doors -> doors.stream()
                .min(fewest.thenComparing(
                        Comparator.comparingDouble(DoorChoice::rank).reversed()))
                .orElseThrow();
    }

    private static double rank(DoorState state) {
        return state.bytesPerSecond() == 0 ? Double.MAX_VALUE : state.bytesPerSecond();
    }
}
