// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import org.jobgate.job.Job;
import org.jobgate.store.Step;

/** Checks the rules that every step of a job must keep. */
final class Steps {

    private Steps() {}

    /**
     * Refuses a step that breaks the record.
     *
     * @throws IllegalStateException naming the job and the rule
     */
    static void requireAllowed(Job before, Step step) {
        Job after = step.job();
        require(
                before.id().equals(after.id())
                        && before.key().equals(after.key())
                        && before.owner().equals(after.owner())
                        && before.lrm().equals(after.lrm())
                        && Values.stored(before.created()).equals(Values.stored(after.created())),
                before,
                "its id, key, owner, LRM and time of creation never change");
        require(
                !before.state().isTerminal() || before.state() == after.state(),
                before,
                "it is " + before.state() + " and cannot become " + after.state());
        requireEnd(after);
    }

    /** Finished jobs are purged by the time of their end. */
    static void requireEnd(Job job) {
        require(!job.state().isTerminal() || job.ended() != null, job, "a job that is over needs the time of its end");
    }

    private static void require(boolean allowed, Job job, String rule) {
        if (!allowed) {
            throw new IllegalStateException("job " + job.id() + " cannot be changed so: " + rule);
        }
    }
}
