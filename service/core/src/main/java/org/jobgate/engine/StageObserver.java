// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Instant;
import java.util.List;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/** Is told what the stages of the engine have done with jobs, such as to trace it. */
@FunctionalInterface
public interface StageObserver {

    /** Nobody looks. */
    StageObserver NONE = (what, group, jobs, begin, end, failure) -> {};

    /**
     * A batch was worked on. Called on the stage's thread: it must return at once and must not throw.
     *
     * @param what the stage ({@code submit}, {@code cancel}, ...), or {@code lrm submit} for the LRM's part of it
     * @param group LRM and account, with a slash between them
     * @param jobs of the batch; groups of jobs by their ids too
     * @param failure what ended it before its time; absent where it was done
     */
    void worked(String what, String group, List<JobId> jobs, Instant begin, Instant end, @Nullable Throwable failure);
}
