// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jobgate.job.ElementKey;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.Submission;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.Writes;

/**
 * Restarts failed jobs. Each attempt is a job of its own, with its own id and so its own tag in the LRM, its own history, directory and
 * credentials: a late record of an attempt that is over can mean no other, and what became of it stays as it was told.
 *
 * <p>The attempts of one job belong together by their keys, which are made of the first one's id and their number. So two requests to
 * restart the same job, or one that is repeated after a crash, make one attempt.
 */
final class Attempts {

    /** How the keys of second and further attempts begin; no client's own id may begin so. */
    static final String KEY = "attempt/";

    private final EngineContext context;
    private final Submissions submissions;
    private final JobIds ids;
    private final Clock clock;

    Attempts(EngineContext context, Submissions submissions, JobIds ids, Clock clock) {
        this.context = context;
        this.submissions = submissions;
        this.ids = ids;
        this.clock = clock;
    }

    /** Which attempt at which job. */
    private record Place(JobId first, int number) {

        static Place of(Job job) {
            String key = job.key().clientId();
            int end = key.lastIndexOf('/');
            if (!key.startsWith(KEY) || end < KEY.length()) {
                return new Place(job.id(), 1);
            }
            return new Place(
                    new JobId(UUID.fromString(key.substring(KEY.length(), end))),
                    Integer.parseInt(key.substring(end + 1)));
        }

        String clientId(int wanted) {
            return KEY + first + "/" + wanted;
        }
    }

    /**
     * The next attempt at the job: a new one, or the one that was made by an earlier request.
     *
     * @param records what a door keeps with an attempt of this id
     */
    Optional<Submitted> restart(String subject, JobId id, Function<JobId, List<DoorRecord>> records) {
        Optional<Job> found = context.store().find(id).filter(job -> ManyJobs.isVisible(subject, job));
        Optional<JobDescription> description = context.store().description(id);
        if (found.isEmpty() || description.isEmpty()) {
            return Optional.empty();
        }
        Job job = found.get();
        check(job);
        int number = Place.of(job).number() + 1;
        String clientId = Place.of(job).clientId(number);
        JobId attempt = ids.of(
                new SubmissionKey(job.owner().subject(), job.origin().door(), clientId),
                job.owner().account());
        Submitted next = submissions.submitOwn(new Submission(
                attempt,
                job.origin(),
                job.owner(),
                clientId,
                job.lrm(),
                EarlierJobs.without(description.get()),
                job.terminationTime() != null && job.terminationTime().isAfter(clock.instant())
                        ? job.terminationTime()
                        : null,
                job.keepAfterEnd(),
                records.apply(attempt)));
        if (next.isNew()) {
            tell(job, next.job(), number);
        }
        return Optional.of(next);
    }

    private static void check(Job job) {
        if (MultiJobs.partOf(job).isPresent()) {
            throw new FaultException(Fault.of(
                    FaultCode.UNSUPPORTED_FEATURE,
                    "The job " + job.id() + " is part of a multi-job and cannot be restarted alone.",
                    "Restart the multi-job."));
        }
        if (ElementKey.of(job).isPresent()) {
            throw new FaultException(Fault.of(
                    FaultCode.UNSUPPORTED_FEATURE,
                    "The job " + job.id() + " is an element of a group and cannot be restarted alone.",
                    "Have the group retry the element."));
        }
        if (!job.state().isTerminal() || hasSucceeded(job)) {
            throw new FaultException(Fault.of(
                            FaultCode.WRONG_STATE,
                            "The job " + job.id() + " is " + job.state()
                                    + (hasSucceeded(job) ? ", with success" : "")
                                    + ". Only a job that has failed or was cancelled can be restarted.",
                            job.state().isTerminal()
                                    ? "Submit it as a new job."
                                    : "Wait for its end, or cancel it and then restart it.")
                    .about("state", job.state().name()));
        }
    }

    private static boolean hasSucceeded(Job job) {
        return ElementState.of(job) == ElementState.DONE;
    }

    /** In the history of both; the attempts are found without it, by their keys. */
    private void tell(Job before, Job next, int number) {
        Writes.await(context.store().updateAll(List.of(before.id(), next.id()), job -> {
            Transitions change = new Transitions(job, clock.instant());
            change.note(
                    job,
                    job.id().equals(before.id())
                            ? "restarted by its owner: attempt " + number + " is the job " + next.id()
                            : "attempt " + number + ", restarted by its owner; the attempt before is the job "
                                    + before.id());
            return change.steps();
        }));
    }

    /** The attempts at the same job that are kept and that its owner still sees, in order. */
    List<Job> of(Job job) {
        Place place = Place.of(job);
        Deque<Job> all = new ArrayDeque<>(List.of(job));
        Optional<Job> other = at(job, place, place.number() - 1);
        for (int number = place.number() - 2; other.isPresent(); number--) {
            all.addFirst(other.get());
            other = at(job, place, number);
        }
        other = at(job, place, place.number() + 1);
        for (int number = place.number() + 2; other.isPresent(); number++) {
            all.addLast(other.get());
            other = at(job, place, number);
        }
        String subject = job.owner().subject();
        return all.stream().filter(one -> ManyJobs.isVisible(subject, one)).toList();
    }

    private Optional<Job> at(Job job, Place place, int number) {
        if (number < 1) {
            return Optional.empty();
        }
        return number == 1
                ? context.store().find(place.first())
                : context.store()
                        .find(new SubmissionKey(job.owner().subject(), job.key().door(), place.clientId(number)));
    }
}
