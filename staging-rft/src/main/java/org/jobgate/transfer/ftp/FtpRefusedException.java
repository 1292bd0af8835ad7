// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import java.io.IOException;

/** The server answered a command with a reply that says no (RFC 959 section 4.2). */
final class FtpRefusedException extends IOException {

    private static final long serialVersionUID = 1L;
    private static final int MAX_TEXT = 300;

    private final int code;
    private final boolean isBreakdown;

    FtpRefusedException(String command, int code, String reply) {
        super(command + " with " + shown(reply));
        this.code = code;
        this.isBreakdown = reply.startsWith("500 OOPS:");
    }

    private static String shown(String reply) {
        String line = reply.replaceAll("[\\p{Cntrl}]+", " ").strip();
        return line.length() > MAX_TEXT ? line.substring(0, MAX_TEXT) : line;
    }

    int code() {
        return code;
    }

    /** vsftpd says so when one of its processes has ended before its time, for want of a port for instance. */
    boolean isBreakdown() {
        return isBreakdown;
    }

    /** No such file, or no right to it: as a rule a server does not say which. */
    boolean isUnavailable() {
        return code == 550;
    }
}
