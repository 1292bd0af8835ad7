// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import org.jobgate.job.Fault;

/** What became of the wish to suspend or to resume a job in its LRM. */
public sealed interface SuspendResult {

    /** The LRM has taken it, or the job was so already, or is over: how it stands is told as an event. */
    record Done() implements SuspendResult {}

    /** The LRM is known not to have the job, neither live nor ended. */
    record NotThere() implements SuspendResult {}

    /** The LRM will not do it for this job as it stands, or for this account. */
    record Refused(Fault fault) implements SuspendResult {}

    /**
     * No clear answer: to be asked again.
     *
     * @param alone the LRM answers, and it is only of this job that it is not clear
     */
    record Unclear(String because, boolean alone) implements SuspendResult {
        public Unclear(String because) {
            this(because, false);
        }
    }
}
