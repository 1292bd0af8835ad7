// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import org.jobgate.job.Fault;

/** A request that is turned away as a whole: the status of HTTP, what is wrong, and what to do. */
final class ArcRefusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String remedy;

    ArcRefusal(int status, String sentence, String remedy) {
        super(sentence, null, false, false);
        this.status = status;
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    int status() {
        return status;
    }

    /** What is wrong and what to do, for a person. */
    String message() {
        return remedy.isEmpty() ? String.valueOf(getMessage()) : getMessage() + " " + remedy;
    }

    static ArcRefusal badRequest(String sentence, String remedy) {
        return new ArcRefusal(400, sentence, remedy);
    }

    static ArcRefusal notFound(String sentence) {
        return new ArcRefusal(404, sentence, "");
    }

    static ArcRefusal unknownJob() {
        return notFound("Job not found");
    }

    static ArcRefusal method(String method) {
        return new ArcRefusal(405, "Nothing here can be used with " + method + ".", "");
    }

    static ArcRefusal of(Fault fault) {
        return new ArcRefusal(status(fault), fault.sentence(), fault.remedy());
    }

    /** The status of HTTP that says the same. */
    static int status(Fault fault) {
        return switch (fault.code()) {
            case NOT_AUTHORIZED -> fault.sentence().startsWith("The request came without") ? 401 : 403;
            case CREDENTIAL_UNUSABLE -> 403;
            case LIMIT_EXCEEDED -> 429;
            case KEY_REUSED, WRONG_STATE -> 409;
            case SHUTTING_DOWN, STORE_UNAVAILABLE, LRM_UNAVAILABLE -> 503;
            case INTERNAL -> 500;
            default -> 400;
        };
    }
}
