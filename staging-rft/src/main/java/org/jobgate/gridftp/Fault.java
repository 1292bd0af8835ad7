// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/** What went wrong, in words that a retry policy can use. */
public enum Fault {
    /** There is no such file or directory. */
    NOT_FOUND(false),
    /** The account may not do this. */
    DENIED(false),
    /** Something of that name is there already. */
    EXISTS(false),
    /** The server does not take this user, or we do not take this server. */
    AUTHENTICATION(false),
    /** The server does not know the command or the option. */
    UNSUPPORTED(false),
    /** The server refused for another reason that a repetition will not mend. */
    REFUSED(false),
    /** The other side does not keep to the protocol, or went over one of our limits. */
    PROTOCOL(false),
    /** No room: disk or quota. */
    NO_SPACE(true),
    /** The server has no capacity at present. */
    BUSY(true),
    /** The server knows the command and could not do it, for a reason of its own. It may be one that passes: cut connections have many words. */
    FAILED(true),
    /** A connection could not be made or was cut, control or data. */
    CONNECTION(true),
    /** Nothing happened for too long. */
    TIMEOUT(true);

    private final boolean passing;

    Fault(boolean passing) {
        this.passing = passing;
    }

    /** Whether the same command may succeed later without any change by a person. */
    public boolean isTransient() {
        return passing;
    }
}
