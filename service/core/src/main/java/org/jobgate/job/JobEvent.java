// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** What can happen to a job. Each is a fact that was observed, never a guess: see {@link StateMachine}. */
public enum JobEvent {
    /** The lifecycle begins to fetch the input files. */
    STAGE_IN_STARTED,
    /** Every input file is in its place; the job may go to the LRM. */
    INPUT_READY,
    /** The job would go to the LRM now, but its owner asked to hold it at {@code PENDING}. */
    PENDING_HELD,
    /** The LRM answered the submission with an id, or our tag was found in it. */
    LRM_ACCEPTED,
    /** The LRM started the job or let it go on. */
    LRM_STARTED,
    /** The LRM holds the job. */
    LRM_SUSPENDED,
    /** The LRM put a job that had run back into its queue. */
    LRM_REQUEUED,
    /** The job is over in the LRM, on the evidence of a terminal record, and its output files are being sent. */
    STAGE_OUT_STARTED,
    /** Whatever the outcome is, it is settled; what the job left behind is being removed. */
    CLEAN_UP_STARTED,
    /** The clean-up of a job that ran to its own end is finished. */
    COMPLETED,
    /** The clean-up of a job that a fault ended is finished. */
    FAILED,
    /** The clean-up of a job that was cancelled is finished. */
    CANCELLED
}
