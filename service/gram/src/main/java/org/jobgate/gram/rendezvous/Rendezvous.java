// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jobgate.gram.rendezvous.RefusedRegistrationException.Reason;

/**
 * Who stands where at the rendezvous of one job. Not thread-safe: its owner's lock guards it.
 *
 * <p>INVARIANT: ranks are 0 to capacity - 1, and each belongs to one registrant.
 */
final class Rendezvous {

    private final int capacity;
    private final NavigableMap<Integer, Place> places = new TreeMap<>();
    private long bytes;
    private boolean isAnnounced;

    Rendezvous(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a rendezvous of " + capacity);
        }
        this.capacity = capacity;
    }

    /** The place that the same arrival was given before. */
    Optional<Place> ofEarlier(Registration registration) {
        Mark mark = registration.mark();
        Integer rank = registration.rank();
        if (rank != null) {
            return Optional.ofNullable(places.get(rank))
                    .filter(place -> place.mark().hasDataOf(mark));
        }
        return places.values().stream()
                .filter(place -> place.mark().isSameMessage(mark))
                .findFirst();
    }

    /**
     * The rank for a new arrival.
     *
     * @throws RefusedRegistrationException where there is none
     */
    int rankFor(Registration registration) {
        Integer wanted = registration.rank();
        if (wanted == null) {
            return lowestFree();
        }
        if (wanted < 0 || wanted >= capacity) {
            throw new RefusedRegistrationException(
                    Reason.NO_SUCH_RANK,
                    "There is no rank " + wanted + ": the ranks are 0 to " + (capacity - 1)
                            + ". Register with one of these, or with -1 for the lowest that is free.");
        }
        if (places.containsKey(wanted)) {
            throw new RefusedRegistrationException(
                    Reason.RANK_TAKEN,
                    "The rank " + wanted + " belongs to a registrant with other data."
                            + " Register with another one, or with -1 for the lowest that is free.");
        }
        return wanted;
    }

    private int lowestFree() {
        int free = 0;
        for (int taken : places.keySet()) {
            if (taken > free) {
                break;
            }
            free = taken + 1;
        }
        if (free >= capacity) {
            throw new RefusedRegistrationException(
                    Reason.ALL_TAKEN,
                    "All " + capacity + " have registered. Nobody else is expected: start no more than the property"
                            + " Capacity says.");
        }
        return free;
    }

    void add(Place place) {
        if (place.rank() < 0 || place.rank() >= capacity || places.putIfAbsent(place.rank(), place) != null) {
            throw new IllegalStateException("no free rank " + place.rank() + " among " + capacity);
        }
        bytes += place.size();
    }

    /** It could not be kept. */
    void remove(Place place) {
        if (places.remove(place.rank(), place)) {
            bytes -= place.size();
        }
    }

    /** Bytes that all have left. */
    long bytes() {
        return bytes;
    }

    boolean isComplete() {
        return places.size() == capacity && places.values().stream().allMatch(Place::isKept);
    }

    /** Whether nothing of it is only in memory. */
    boolean isAtRest() {
        return places.values().stream().allMatch(place -> place.kept().isDone());
    }

    /** Whether it is complete and its completion is still to be announced; the caller does that now. */
    boolean beginsToAnnounce() {
        boolean begins = !isAnnounced && isComplete();
        isAnnounced |= begins;
        return begins;
    }

    /** The announcement has failed. */
    void announceAgain() {
        isAnnounced = false;
    }
}
