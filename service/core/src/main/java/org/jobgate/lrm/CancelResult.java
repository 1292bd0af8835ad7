// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

/** What became of a cancel in the LRM. */
public sealed interface CancelResult {

    /** The LRM is ending it, or it was over already: its end is or was told as an event. */
    record Ending() implements CancelResult {}

    /** The LRM is known not to have it, neither live nor ended. */
    record NotThere() implements CancelResult {}

    /**
     * No clear answer: to be tried again.
     *
     * @param alone the LRM answers, and it is only of this job that it is not clear
     */
    record Unclear(String because, boolean alone) implements CancelResult {
        public Unclear(String because) {
            this(because, false);
        }
    }
}
