// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** Where a job is in its life. Each door has names of its own for it. */
public enum JobState {
    /** Stored and acknowledged; nothing has been done for it yet, or it is on its way to the LRM. */
    UNSUBMITTED,
    /** Its input files are being fetched. */
    STAGE_IN,
    /** The LRM has it, and has not started it. */
    PENDING,
    /** The LRM says that it runs. */
    ACTIVE,
    /** The LRM holds it: it ran or waited, and will not go on by itself. */
    SUSPENDED,
    /** It ended; its output files are being sent. */
    STAGE_OUT,
    /** What it left behind is being removed. */
    CLEAN_UP,
    /** It ran to its own end. */
    DONE,
    /** It could not run, or was ended by a fault. */
    FAILED,
    /** Its owner, an administrator or its lifetime ended it. */
    CANCELLED;

    /** Whether no event can change it any more. */
    public boolean isTerminal() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    /** Whether the LRM is believed to have the job in this state. */
    public boolean isInLrm() {
        return this == PENDING || this == ACTIVE || this == SUSPENDED;
    }

    /** Whether a client may ask that the job be held before the work of this state. */
    public boolean isHoldable() {
        return this == STAGE_IN || this == PENDING || this == STAGE_OUT || this == CLEAN_UP;
    }
}
