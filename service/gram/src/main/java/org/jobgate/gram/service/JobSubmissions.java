// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.access.JobPermit;
import org.jobgate.door.DoorAddresses;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jspecify.annotations.Nullable;

/** Hands jobs that were asked for to the lifecycle, each with the subscription that its request asks for. */
final class JobSubmissions {

    /** The same for both generations: a client that changes to the other one still finds its jobs by their ids. */
    static final JobOrigin ORIGIN = new JobOrigin(DoorAddresses.GRAM, "jdd");

    /**
     * A job that was accepted, now or by an earlier request with its JobID.
     *
     * @param subscription the one that the request asked for
     */
    record Accepted(Job job, boolean isNew, Optional<Subscription> subscription) {}

    /** What became of one of many: one of the two is present. */
    record Outcome(@Nullable Accepted accepted, @Nullable Fault fault) {}

    private final GramContext context;
    private final @Nullable Duration keepAfterEnd;

    /** @param keepAfterEnd how long jobs are kept from their end on; absent means as long as the service keeps finished jobs */
    JobSubmissions(GramContext context, @Nullable Duration keepAfterEnd) {
        this.context = context;
        this.keepAfterEnd = keepAfterEnd;
    }

    /** Submits one. */
    Accepted submit(JobPermit permit, JobRequest request) {
        Prepared prepared = new Prepared(request);
        return prepared.accepted(context.jobs().submit(permit, prepared.submission()));
    }

    /** Submits many: those that are new are stored together. */
    List<Outcome> submitAll(JobPermit permit, List<JobRequest> requests) {
        List<Prepared> prepared = requests.stream().map(Prepared::new).toList();
        List<JobsBySubject.BulkAnswer> answers = context.jobs()
                .submitAll(permit, prepared.stream().map(Prepared::submission).toList());
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            outcomes.add(outcome(prepared.get(i), answers.get(i)));
        }
        return outcomes;
    }

    private static Outcome outcome(Prepared prepared, JobsBySubject.BulkAnswer answer) {
        JobsBySubject.Submitted submitted = answer.submitted();
        if (submitted == null) {
            return new Outcome(null, answer.fault());
        }
        try {
            return new Outcome(prepared.accepted(submitted), null);
        } catch (FaultException e) {
            return new Outcome(null, e.fault());
        }
    }

    /** A request on its way, with the subscription that is stored with its job where it makes a new one. */
    private final class Prepared {

        private final JobRequest request;
        private final JobId id;
        private final Optional<Subscription> subscription;

        Prepared(JobRequest request) {
            this.request = request;
            this.id = context.jobs().newId(request.owner(), request.origin().door(), request.clientId());
            this.subscription = request.subscribe()
                    .map(wanted -> context.subscriptions()
                            .create(wanted, id, request.owner().subject()));
        }

        Submission submission() {
            List<Subscription> all = subscription.stream().toList();
            context.subscriptions().willHave(id, all);
            return new Submission(
                    id,
                    request.origin(),
                    request.owner(),
                    request.clientId(),
                    request.lrm(),
                    request.description(),
                    request.terminationTime(),
                    keepAfterEnd,
                    all.stream().map(context.subscriptions()::record).toList());
        }

        Accepted accepted(JobsBySubject.Submitted submitted) {
            Job job = submitted.job();
            return new Accepted(
                    job,
                    submitted.isNew(),
                    submitted.isNew()
                            ? subscription
                            : request.subscribe()
                                    .map(wanted -> context.subscriptions()
                                            .add(
                                                    wanted,
                                                    job.id(),
                                                    request.owner().subject())));
        }
    }
}
