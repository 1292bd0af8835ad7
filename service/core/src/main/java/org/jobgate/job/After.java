// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/**
 * What one job of a flow waits for: the end of another job of the same flow.
 *
 * @param job the name of the other one
 * @param when how that must have ended
 */
public record After(String job, When when) {

    /** How a job must have ended. Of a job that is over, either {@link #OK} or {@link #FAILED} is true. */
    public enum When {
        /** It is Done, and its exit code is 0. */
        OK("ok"),
        /** Any other end: it failed, was cancelled, ended with another exit code, or can never begin. */
        FAILED("failed"),
        /** Whichever of the two. */
        ANY("any");

        private final String word;

        When(String word) {
            this.word = word;
        }

        /** As clients say it. */
        public String word() {
            return word;
        }
    }

    /** Whether the job is not begun before others of its flow are over: no other job is held before it has reached a state. */
    public static boolean keeps(Job job) {
        return job.holding() && job.state() == JobState.UNSUBMITTED;
    }

    public After {
        Text.requireText(job, "the name of a job that is waited for", SubJob.LONGEST_NAME);
        requireNonNull(when, "when is null");
    }
}
