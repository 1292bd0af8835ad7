// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import java.util.List;
import org.jobgate.job.Fault;

/** What became of a submission to the LRM. */
public sealed interface SubmitResult {

    /** The LRM has it under these ids. */
    record Accepted(List<String> localIds) implements SubmitResult {
        public Accepted {
            localIds = List.copyOf(localIds);
        }
    }

    /** The LRM will not have it, now or later. */
    record Refused(Fault fault) implements SubmitResult {}

    /**
     * It is not known whether the LRM has it, or the LRM is busy: to be tried again, by tag.
     *
     * @param alone the LRM answers, and only this job has to wait: others of its account may go on
     */
    record Unclear(String because, boolean alone) implements SubmitResult {
        public Unclear(String because) {
            this(because, false);
        }
    }
}
