// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/**
 * What can go wrong, by name. Each front door maps every code to its own wire form.
 */
public enum FaultCode {
    INVALID_DESCRIPTION(FaultOrigin.USER),
    UNSUPPORTED_FEATURE(FaultOrigin.USER),
    KEY_REUSED(FaultOrigin.USER),
    UNKNOWN_LRM(FaultOrigin.USER),
    EXECUTABLE_NOT_FOUND(FaultOrigin.USER),
    EXECUTABLE_NOT_PERMITTED(FaultOrigin.USER),
    DIRECTORY_NOT_FOUND(FaultOrigin.USER),
    STDIN_NOT_FOUND(FaultOrigin.USER),
    STDOUT_NOT_WRITABLE(FaultOrigin.USER),
    STDERR_NOT_WRITABLE(FaultOrigin.USER),
    EXECUTION_FAILED(FaultOrigin.USER),
    KILLED_BY_SIGNAL(FaultOrigin.USER),
    INVALID_TERMINATION_TIME(FaultOrigin.USER),
    /** What is asked for cannot be done with the job as it stands. */
    WRONG_STATE(FaultOrigin.USER),
    /** A place in a stream of changes from which it cannot be told without a gap any more. */
    CURSOR_EXPIRED(FaultOrigin.USER),
    NOT_AUTHORIZED(FaultOrigin.CREDENTIAL),
    /** The site's policy refuses it at present, and not for who asks. */
    NOT_NOW(FaultOrigin.TRANSIENT),
    CREDENTIAL_UNUSABLE(FaultOrigin.CREDENTIAL),
    LIMIT_EXCEEDED(FaultOrigin.LIMIT),
    WALL_TIME_EXCEEDED(FaultOrigin.LIMIT),
    MEMORY_EXCEEDED(FaultOrigin.LIMIT),
    LIFETIME_EXPIRED(FaultOrigin.LIMIT),
    CANCELLED_BY_USER(FaultOrigin.USER),
    CANCELLED_BY_ADMINISTRATOR(FaultOrigin.SITE),
    LRM_REFUSED(FaultOrigin.SITE),
    LRM_UNAVAILABLE(FaultOrigin.TRANSIENT),
    NODE_FAILED(FaultOrigin.SITE),
    PREEMPTED(FaultOrigin.SITE),
    LOST(FaultOrigin.SITE),
    STAGING_FAILED(FaultOrigin.TRANSIENT),
    SHUTTING_DOWN(FaultOrigin.TRANSIENT),
    STORE_UNAVAILABLE(FaultOrigin.SITE),
    INTERNAL(FaultOrigin.SITE);

    private final FaultOrigin origin;

    FaultCode(FaultOrigin origin) {
        this.origin = origin;
    }

    /** The side that can mend the fault. */
    public FaultOrigin origin() {
        return origin;
    }
}
