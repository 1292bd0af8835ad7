// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;

/**
 * ARC's words for how a job is.
 *
 * @param rest the word of the REST interface
 * @param internal the word that A-REX has for it inside, which clients show as the specific state
 */
record ArcState(String rest, String internal) {

    /** The job as its client sees it now. A program that ended with another code than 0 has failed, as A-REX has it. */
    static ArcState of(Job job) {
        if (!job.state().isTerminal() && isCancelled(job)) {
            return new ArcState("KILLING", "CANCELING");
        }
        if (job.isHeld() && (job.state() == JobState.PENDING || job.state() == JobState.SUSPENDED)) {
            return new ArcState("HELD", job.localIds().isEmpty() ? "SUBMIT" : "INLRMS:H");
        }
        return switch (job.state()) {
            case UNSUBMITTED ->
                job.inputReady() ? new ArcState("SUBMITTING", "SUBMIT") : new ArcState("ACCEPTED", "ACCEPTED");
            case STAGE_IN -> new ArcState("PREPARING", "PREPARING");
            case PENDING -> new ArcState("QUEUING", "INLRMS:Q");
            case ACTIVE -> new ArcState("RUNNING", "INLRMS:R");
            case SUSPENDED -> new ArcState("HELD", "INLRMS:S");
            case STAGE_OUT -> new ArcState("FINISHING", "FINISHING");
            case CLEAN_UP -> new ArcState("EXECUTED", "INLRMS:EXECUTED");
            case DONE ->
                exitCode(job) == 0 ? new ArcState("FINISHED", "FINISHED") : new ArcState("FAILED", "FAILED::INLRMS");
            case FAILED -> new ArcState("FAILED", "FAILED");
            case CANCELLED -> new ArcState("KILLED", "KILLED");
        };
    }

    private static boolean isCancelled(Job job) {
        return job.settledOutcome()
                .map(JobOutcome::outcome)
                .filter(JobState.CANCELLED::equals)
                .isPresent();
    }

    private static int exitCode(Job job) {
        return job.settledOutcome()
                .map(JobOutcome::exitCode)
                .map(Integer::intValue)
                .orElse(0);
    }
}
