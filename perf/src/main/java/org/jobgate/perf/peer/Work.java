// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import java.util.List;

/**
 * One kind of job of the GRAM paper's sequential scenario, as its Table 2 names them: delegation / files brought / files sent.
 *
 * @param in whether a file of 10 KB is brought before the job
 * @param out whether it is sent after the job
 */
public record Work(Delegation delegation, boolean in, boolean out) {

    /** All rows. */
    public static final List<Work> ALL = List.of(
            new Work(Delegation.NONE, false, false),
            new Work(Delegation.PER_JOB, false, false),
            new Work(Delegation.PER_JOB, true, false),
            new Work(Delegation.PER_JOB, true, true),
            new Work(Delegation.SHARED, true, false),
            new Work(Delegation.SHARED, true, true));

    public boolean hasFiles() {
        return in || out;
    }

    /** The row's name. */
    public String label() {
        return switch (delegation) {
                    case NONE -> "none";
                    case PER_JOB -> "per job";
                    case SHARED -> "shared";
                }
                + " / " + (in ? "1 x 10 KB" : "none") + " / " + (out ? "1 x 10 KB" : "none");
    }

    /** How the job gets its credential. */
    public enum Delegation {
        NONE,
        PER_JOB,
        SHARED
    }
}
