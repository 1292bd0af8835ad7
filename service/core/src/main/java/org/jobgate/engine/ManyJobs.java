// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.limits.Limit;
import org.jobgate.store.Writes;

/** What an owner asks of many jobs at once: one question to the store, or one transaction, and one answer for each id. */
final class ManyJobs {

    private final EngineContext context;
    private final Limit atOnce;
    private final UnaryOperator<Job> asTold;

    /** @param asTold adds to a job what its owner is to know of it at present */
    ManyJobs(EngineContext context, Limit atOnce, UnaryOperator<Job> asTold) {
        this.context = context;
        this.atOnce = atOnce;
        this.asTold = asTold;
    }

    /** Whether the job is the subject's and not gone: to anybody else it does not exist. */
    static boolean isVisible(String subject, Job job) {
        return job.owner().subject().equals(subject) && !job.isGone();
    }

    List<Optional<Job>> find(String subject, List<JobId> ids) {
        check(ids);
        Map<JobId, Job> found = context.store().findAll(new HashSet<>(ids));
        List<Optional<Job>> answers = new ArrayList<>(ids.size());
        for (JobId id : ids) {
            answers.add(Optional.ofNullable(found.get(id))
                    .filter(job -> isVisible(subject, job))
                    .map(asTold));
        }
        return answers;
    }

    List<Optional<Job>> cancel(String subject, List<JobId> ids) {
        return stopped(change(subject, ids, OwnerOrders::cancelForOwner));
    }

    List<Optional<Job>> destroy(String subject, List<JobId> ids) {
        return stopped(change(subject, ids, OwnerOrders::destroyForOwner));
    }

    private List<Optional<Job>> stopped(List<Optional<Job>> jobs) {
        jobs.forEach(job -> job.ifPresent(context.files()::stopSendingOf));
        return jobs;
    }

    List<Optional<Job>> release(String subject, List<JobId> ids) {
        check(ids);
        Map<JobId, JobState> again = new HashMap<>();
        context.store().descriptions(new HashSet<>(ids)).forEach((id, description) -> {
            JobState next = description.holdAgain();
            if (next != null) {
                again.put(id, next);
            }
        });
        return change(
                subject,
                ids,
                transitions -> OwnerOrders.releaseForOwner(
                        transitions, again.get(transitions.job().id())));
    }

    /** Whose job it is, is looked at on the writer's thread, with the job as it is then. */
    private List<Optional<Job>> change(String subject, List<JobId> ids, Consumer<Transitions> change) {
        check(ids);
        return Writes.await(context.updateAll(ids, transitions -> {
            boolean isTheirs = isVisible(subject, transitions.job());
            if (isTheirs) {
                change.accept(transitions);
            }
            return isTheirs;
        }));
    }

    private void check(List<JobId> ids) {
        atOnce.check(ids.size(), "jobs of one request");
    }
}
