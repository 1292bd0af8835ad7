// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Optional;

/**
 * The indexes of a group's elements: first, first + step, and so on. An element's place is its number in this row, from 0.
 *
 * @param first at least 0
 * @param step at least 1
 * @param size how many elements there are, at least 1
 */
public record GroupIndexes(int first, int step, int size) {

    public GroupIndexes {
        if (first < 0 || step < 1 || size < 1) {
            throw new IllegalArgumentException("first, step and size are " + first + ", " + step + " and " + size
                    + "; at least 0, 1 and 1 are needed");
        }
        if (first + (size - 1L) * step > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the last index is greater than " + Integer.MAX_VALUE);
        }
    }

    /** From the first to at most the last index. */
    public static GroupIndexes range(int first, int last, int step) {
        if (step < 1 || last < first) {
            throw new IllegalArgumentException("there are no indexes from " + first + " to " + last + " by " + step);
        }
        return new GroupIndexes(first, step, (last - first) / step + 1);
    }

    public int last() {
        return index(size - 1);
    }

    /** The index of the element at this place. */
    public int index(int place) {
        return first + place * step;
    }

    /** The place of the element of this index, if there is one. */
    public Optional<Integer> place(int index) {
        long distance = (long) index - first;
        return distance < 0 || distance % step != 0 || distance / step >= size
                ? Optional.empty()
                : Optional.of((int) (distance / step));
    }

    /** The places of the elements whose indexes are in the range: the first and the last; empty where there are none. */
    public Optional<Places> places(IndexRange range) {
        long from = Math.max(0, Math.ceilDiv((long) range.first() - first, (long) step));
        long to = Math.min(size - 1L, Math.floorDiv((long) range.last() - first, (long) step));
        return from > to ? Optional.empty() : Optional.of(new Places((int) from, (int) to));
    }

    /** All places. */
    public Places all() {
        return new Places(0, size - 1);
    }

    /**
     * A part of the elements, by their places.
     *
     * @param from the first
     * @param to the last
     */
    public record Places(int from, int to) {}
}
