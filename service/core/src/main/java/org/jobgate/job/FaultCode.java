// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/**
 * What can go wrong, by name. Each front door maps every code to its own wire form.
 */
public enum FaultCode {
    INVALID_DESCRIPTION(Blame.USER),
    UNSUPPORTED_FEATURE(Blame.USER),
    KEY_REUSED(Blame.USER),
    UNKNOWN_LRM(Blame.USER),
    EXECUTABLE_NOT_FOUND(Blame.USER),
    EXECUTABLE_NOT_PERMITTED(Blame.USER),
    DIRECTORY_NOT_FOUND(Blame.USER),
    STDIN_NOT_FOUND(Blame.USER),
    STDOUT_NOT_WRITABLE(Blame.USER),
    STDERR_NOT_WRITABLE(Blame.USER),
    EXECUTION_FAILED(Blame.USER),
    KILLED_BY_SIGNAL(Blame.USER),
    INVALID_TERMINATION_TIME(Blame.USER),
    NOT_AUTHORIZED(Blame.CREDENTIAL),
    CREDENTIAL_UNUSABLE(Blame.CREDENTIAL),
    LIMIT_EXCEEDED(Blame.LIMIT),
    WALL_TIME_EXCEEDED(Blame.LIMIT),
    MEMORY_EXCEEDED(Blame.LIMIT),
    LIFETIME_EXPIRED(Blame.LIMIT),
    CANCELLED_BY_USER(Blame.USER),
    CANCELLED_BY_ADMINISTRATOR(Blame.SITE),
    LRM_REFUSED(Blame.SITE),
    LRM_UNAVAILABLE(Blame.TRANSIENT),
    NODE_FAILED(Blame.SITE),
    PREEMPTED(Blame.SITE),
    LOST(Blame.SITE),
    STAGING_FAILED(Blame.TRANSIENT),
    SHUTTING_DOWN(Blame.TRANSIENT),
    STORE_UNAVAILABLE(Blame.SITE),
    INTERNAL(Blame.SITE);

    private final Blame blame;

    FaultCode(Blame blame) {
        this.blame = blame;
    }

    /** Who can mend it. */
    public Blame blame() {
        return blame;
    }
}
