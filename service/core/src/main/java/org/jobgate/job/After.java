// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a job waits for: the end of another job of the same flow, or of an earlier job of the same owner.
 *
 * @param job the name of the other one in the flow, or the id of the earlier one
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

        /** What the other job is to do, for people, e.g. {@code to end well}. */
        public String wanted() {
            return switch (this) {
                case OK -> "to end well";
                case FAILED -> "to fail";
                case ANY -> "to be over";
            };
        }

        /** As clients say it. */
        public String word() {
            return word;
        }
    }

    /** The earlier job, where the name is an id. In a flow a job of that name goes first. */
    public Optional<JobId> earlier() {
        try {
            return Optional.of(JobId.parse(job));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // the name of a job of a flow
        }
    }

    /** What is waited for, for people, e.g. {@code job 0198… is to end well}. */
    public String said() {
        return (earlier().isPresent() ? "job " : "") + job + " is " + when.wanted();
    }

    public After {
        Text.requireText(job, "the name of a job that is waited for", SubJob.LONGEST_NAME);
        requireNonNull(when, "when is null");
    }
}
