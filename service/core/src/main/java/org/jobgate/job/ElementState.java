// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** How an element of a group of jobs stands: it waits for its turn, or is as its job is. */
public enum ElementState {
    /** It has no job yet. */
    WAITING,
    /** It has no job yet, and its owner wants that it gets none before it is released. */
    HELD,
    UNSUBMITTED,
    STAGE_IN,
    PENDING,
    ACTIVE,
    SUSPENDED,
    STAGE_OUT,
    CLEAN_UP,
    /** Its program ended with exit code 0. */
    DONE,
    /** Its job failed, or its program ended with another exit code. */
    FAILED,
    CANCELLED;

    /** How an element stands whose job this is. */
    public static ElementState of(Job job) {
        boolean saysThatItFailed = job.state() == JobState.DONE
                && job.settledOutcome()
                        .filter(outcome -> outcome.exitCode() != null && outcome.exitCode() != 0)
                        .isPresent();
        return saysThatItFailed ? FAILED : valueOf(job.state().name());
    }

    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    /** Whether there is a job of it that is not over. */
    public boolean isLive() {
        return this != WAITING && this != HELD && !isOver();
    }
}
