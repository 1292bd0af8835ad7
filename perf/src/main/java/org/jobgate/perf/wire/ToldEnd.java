// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A report of the end of a job to a client.
 *
 * @param state GRAM4's name of it: Done or Failed
 * @param at when the whole message had been read
 */
public record ToldEnd(String state, Instant at) {

    public ToldEnd {
        requireNonNull(at, "at is null");
        if (!isEnd(state)) {
            throw new IllegalArgumentException("a job in the state " + state + " has not ended");
        }
    }

    /** Whether a job that is in this state stays there. */
    public static boolean isEnd(String state) {
        return state.equals("Done") || state.equals("Failed");
    }
}
