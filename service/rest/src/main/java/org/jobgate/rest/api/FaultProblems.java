// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Later;
import org.jobgate.limits.Places;

/** The gateway's faults as problem documents. */
final class FaultProblems {

    private static final int RETRY_SECONDS = 2;

    /** How a refusal by a limit says its value. */
    private static final Pattern VALUE = Pattern.compile(" = ([0-9]{1,18})\\b");

    private FaultProblems() {}

    static Problem of(Fault fault) {
        Problem problem = new Problem(status(fault), fault.code().name(), fault.sentence(), fault.remedy());
        Later later = fault.later();
        if (later != null) {
            problem.retryAfter((int) later.after().toSeconds());
        } else if (problem.status() == 503) {
            problem.retryAfter(RETRY_SECONDS);
        }
        if (fault.code() == FaultCode.LIMIT_EXCEEDED) {
            return limit(problem, fault);
        }
        return problem.with("attribute", PartNames.of(fault)).with("value", fault.value());
    }

    /** Whether the site's policy refuses it, for good or for now. */
    static boolean isOfPolicy(Fault fault) {
        return fault.code() == FaultCode.NOT_AUTHORIZED || fault.code() == FaultCode.NOT_NOW;
    }

    private static int status(Fault fault) {
        Later later = fault.later();
        if (later != null) {
            return later.room() == Later.Room.OWNER ? 429 : 503;
        }
        return switch (fault.code()) {
            case INVALID_DESCRIPTION -> 400;
            case NOT_AUTHORIZED -> 403;
            case KEY_REUSED, WRONG_STATE -> 409;
            case CURSOR_EXPIRED -> 410;
            case NOT_NOW, SHUTTING_DOWN, STORE_UNAVAILABLE, LRM_UNAVAILABLE -> 503;
            case INTERNAL -> 500;
            default -> 422;
        };
    }

    private static Problem limit(Problem problem, Fault fault) {
        problem.with("limit", fault.attribute());
        Matcher value = VALUE.matcher(fault.sentence());
        if (value.find()) {
            problem.with("limitValue", Long.parseLong(value.group(1)));
        }
        String use = fault.value();
        return use != null && use.matches("[0-9]{1,18}") ? problem.with("use", Long.parseLong(use)) : problem;
    }

    /** A limit of things that exist at the same time. */
    static Problem full(Places.Full full, String what) {
        return new Problem(
                        full.isOfOwner() ? 429 : 503,
                        "LIMIT_EXCEEDED",
                        "There would be " + full.use() + " " + what + "; the limit is "
                                + full.limit().name() + " = " + full.limit().value() + ".",
                        "Try again in a moment.")
                .with("limit", full.limit().name())
                .with("limitValue", full.limit().value())
                .with("use", full.use())
                .retryAfter(RETRY_SECONDS);
    }
}
