// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.EnumMap;
import java.util.Map;

/**
 * How many elements of a group stand how. States without elements are absent.
 *
 * @param byState each at least 1
 */
public record ElementCounts(Map<ElementState, Long> byState) {

    public ElementCounts {
        byState = Map.copyOf(byState);
    }

    /** All elements wait. */
    public static ElementCounts waiting(int size) {
        return new ElementCounts(Map.of(ElementState.WAITING, (long) size));
    }

    public long of(ElementState state) {
        return byState.getOrDefault(state, 0L);
    }

    /** How many have a job that is not over. */
    public long live() {
        return byState.entrySet().stream()
                .filter(entry -> entry.getKey().isLive())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Whether no element waits or has a job that is not over. */
    public boolean isOver() {
        return byState.keySet().stream().allMatch(ElementState::isOver);
    }

    /**
     * With so many more, or fewer, of this state.
     *
     * @throws IllegalStateException where there would be fewer than none
     */
    public ElementCounts plus(ElementState state, long difference) {
        long now = of(state) + difference;
        if (now < 0) {
            throw new IllegalStateException("a group would have " + now + " elements that are " + state);
        }
        Map<ElementState, Long> changed = new EnumMap<>(ElementState.class);
        changed.putAll(byState);
        if (now == 0) {
            changed.remove(state);
        } else {
            changed.put(state, now);
        }
        return new ElementCounts(changed);
    }
}
