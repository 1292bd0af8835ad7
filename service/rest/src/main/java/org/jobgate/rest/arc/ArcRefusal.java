// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;
import org.jobgate.job.Fault;
import org.jobgate.job.Later;

/** A request that is turned away as a whole: the status of HTTP, what is wrong, and what to do. */
final class ArcRefusal extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int RETRY_SECONDS = 2;

    private final int status;
    private final String remedy;

    /** When asking again may help; 0 where it does not. */
    private final int retrySeconds;

    ArcRefusal(int status, String sentence, String remedy) {
        this(status, sentence, remedy, status == 503 ? RETRY_SECONDS : 0);
    }

    private ArcRefusal(int status, String sentence, String remedy, int retrySeconds) {
        super(sentence, null, false, false);
        this.status = status;
        this.retrySeconds = retrySeconds;
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    int status() {
        return status;
    }

    /** Seconds after which asking again may help; empty where it does not. */
    OptionalInt retrySeconds() {
        return retrySeconds == 0 ? OptionalInt.empty() : OptionalInt.of(retrySeconds);
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
        Later later = fault.later();
        return later == null
                ? new ArcRefusal(status(fault), fault.sentence(), fault.remedy())
                : new ArcRefusal(status(fault), fault.sentence(), fault.remedy(), (int)
                        later.after().toSeconds());
    }

    /** The status of HTTP that says the same. */
    static int status(Fault fault) {
        Later later = fault.later();
        if (later != null) {
            return later.room() == Later.Room.OWNER ? 429 : 503;
        }
        return switch (fault.code()) {
            case NOT_AUTHORIZED -> fault.sentence().startsWith("The request came without") ? 401 : 403;
            case CREDENTIAL_UNUSABLE -> 403;
            case LIMIT_EXCEEDED -> 429;
            case KEY_REUSED, WRONG_STATE -> 409;
            case NOT_NOW, SHUTTING_DOWN, STORE_UNAVAILABLE, LRM_UNAVAILABLE -> 503;
            case INTERNAL -> 500;
            default -> 400;
        };
    }
}
