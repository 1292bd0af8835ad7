// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import org.jobgate.job.After;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** How jobs ended that others wait for, and what that means for those. */
final class Ends {

    private Ends() {}

    /**
     * Whether the job has ended as it should.
     *
     * @param over absent where it is on record no more: nobody knows how it ended, only that it is over
     */
    static boolean isMet(After.When when, @Nullable Job over) {
        if (over == null) {
            return when == After.When.ANY;
        }
        return switch (when) {
            case OK -> isOk(over);
            case FAILED -> !isOk(over);
            case ANY -> true;
        };
    }

    private static boolean isOk(Job over) {
        Integer exitCode = over.settledOutcome().map(JobOutcome::exitCode).orElse(null);
        return over.state() == JobState.DONE && (exitCode == null || exitCode == 0);
    }

    /** Why a job can never begin: what is not met, in a part of a sentence. */
    static String unmet(After after, @Nullable Job over) {
        String ended = after.when() == After.When.OK ? "it did not" : "it ended well";
        return after.said() + ", and " + (over == null ? "how it ended is on record no more" : ended);
    }

    /**
     * How a job ends that can never begin.
     *
     * @param from what it is left out of, with a blank before it; empty where it is alone
     * @param again what is to be submitted once more
     */
    static JobOutcome leftOut(String from, String because, String again) {
        return JobOutcome.cancelled(Fault.of(
                FaultCode.CANCELLED_BY_USER,
                "The job was left out" + from + ": " + because + ".",
                "Look at the other job, and submit " + again + " again where this one is still wanted."));
    }
}
