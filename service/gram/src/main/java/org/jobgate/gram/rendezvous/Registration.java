// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A process of a job that registers at a rendezvous: the data that it leaves, and the rank that it asks for. */
public final class Registration {

    private final byte[] data;
    private final @Nullable Integer rank;
    private final Mark mark;

    /**
     * An arrival.
     *
     * @param data bytes for the others
     * @param rank the wanted place, from 0; absent for the lowest that is free
     * @param message the id of the message that announces it, by which a repetition is known; absent where it has none
     */
    public Registration(byte[] data, @Nullable Integer rank, @Nullable String message) {
        this.data = requireNonNull(data, "data is null").clone();
        this.rank = rank;
        this.mark = Mark.of(this.data, message);
    }

    byte[] data() {
        return data.clone();
    }

    int size() {
        return data.length;
    }

    @Nullable
    Integer rank() {
        return rank;
    }

    Mark mark() {
        return mark;
    }
}
