// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import org.jobgate.job.Fault;

/** A request of the administrator that cannot be done; told with a status of HTTP. */
public final class AdminFault extends RuntimeException {

    private final int status;
    private final String code;
    private final String remedy;

    AdminFault(int status, String code, String sentence, String remedy) {
        super(sentence);
        this.status = status;
        this.code = code;
        this.remedy = remedy;
    }

    static AdminFault of(Fault fault) {
        int status = switch (fault.origin()) {
            case USER, CREDENTIAL -> 400;
            case LIMIT -> 429;
            case SITE, TRANSIENT -> 503;
        };
        return new AdminFault(status, fault.code().name(), fault.sentence(), fault.remedy());
    }

    static AdminFault badRequest(String sentence, String remedy) {
        return new AdminFault(400, "BAD_REQUEST", sentence, remedy);
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** A word for programs. */
    public String code() {
        return code;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
