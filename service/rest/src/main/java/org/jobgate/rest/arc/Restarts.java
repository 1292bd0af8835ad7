// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.access.OwnedKind;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.rest.files.FileRefusal;

/**
 * Jobs that are started once more. In the gateway each attempt is a job of its own; a client of ARC knows all of them by the id of the first, whose
 * session directory they share.
 */
final class Restarts {

    private final Jobs jobs;
    private final SessionRecords sessions;
    private final Uploads uploads;
    private final StartTimes starts;
    private final Duration inputWait;
    private final Clock clock;

    /**
     * The jobs that a request restarts now, by the first attempt: two requests to restart one job never overlap. Each job has a lock of its own,
     * for what is done under it may wait for the files of the job's account.
     */
    private final ConcurrentHashMap<JobId, Turn> turns = new ConcurrentHashMap<>();

    /** The lock for requests that restart one job; the other fields are used under the map's own lock. */
    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock();
        private int users;
    }

    Restarts(Jobs jobs, SessionRecords sessions, Uploads uploads, StartTimes starts, Duration inputWait, Clock clock) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.uploads = requireNonNull(uploads, "uploads is null");
        this.starts = requireNonNull(starts, "starts is null");
        this.inputWait = requireNonNull(inputWait, "inputWait is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Only such a job can have been restarted; of others no session is read. */
    static boolean mayBeReplaced(Job job) {
        return switch (job.state()) {
            case DONE -> ActivityInfo.exitCode(job).filter(code -> code != 0).isPresent();
            case FAILED, CANCELLED -> true;
            default -> false;
        };
    }

    /** Whether it is not the first attempt at a job. */
    static boolean isAttempt(Job job) {
        return job.key().clientId().startsWith("attempt/");
    }

    /** The newest attempt at the job; the job itself where it was not restarted. */
    Job newest(Caller caller, Job job) {
        return attempt(job).flatMap(id -> jobs.find(caller, id)).orElse(job);
    }

    private Optional<JobId> attempt(Job job) {
        return mayBeReplaced(job) ? sessions.find(job.id()).map(Session::now).map(JobId::parse) : Optional.empty();
    }

    /** The same for many, by the ids of the jobs that are given. */
    Map<JobId, Job> newest(Caller caller, Map<JobId, Job> found) {
        Map<JobId, JobId> replaced = new LinkedHashMap<>();
        found.forEach((id, job) -> attempt(job).ifPresent(attempt -> replaced.put(id, attempt)));
        if (replaced.isEmpty()) {
            return found;
        }
        Map<JobId, Job> newest = new LinkedHashMap<>(found);
        List<Optional<Job>> attempts = jobs.findAll(caller, List.copyOf(replaced.values()));
        int next = 0;
        for (JobId id : replaced.keySet()) {
            attempts.get(next++).ifPresent(job -> newest.put(id, job));
        }
        return newest;
    }

    /** All attempts at these jobs, each once. */
    List<JobId> all(Caller caller, Map<JobId, Job> found) {
        List<JobId> all = new ArrayList<>();
        found.forEach((id, job) -> {
            if (attempt(job).isEmpty()) {
                all.add(job.id());
            } else {
                jobs.attempts(caller, id).orElse(List.of(job)).forEach(one -> all.add(one.id()));
            }
        });
        return all.stream().distinct().toList();
    }

    /**
     * By which id a client knows the job; empty where it is an attempt that a newer one has replaced. When the first attempt is forgotten, the
     * newest is known by its own id: it could be neither seen nor killed by the other.
     */
    Optional<JobId> known(Caller caller, Job job) {
        if (!isAttempt(job) && !mayBeReplaced(job)) {
            return Optional.of(job.id());
        }
        Optional<Session> session = sessions.find(job.id());
        if (session.map(Session::now).isPresent()) {
            return Optional.empty();
        }
        return session.map(Session::first)
                .map(JobId::parse)
                .filter(first -> jobs.find(caller, first).isPresent())
                .or(() -> Optional.of(job.id()));
    }

    /**
     * Starts a job that failed or was killed once more; lets one go on whose client says that all files are there.
     *
     * @param job the newest attempt
     */
    Element restart(Caller caller, String id, Job job) {
        JobId first =
                sessions.find(job.id()).map(Session::first).map(JobId::parse).orElse(job.id());
        Turn turn = requireNonNull(turns.compute(first, (key, before) -> {
            Turn now = before == null ? new Turn() : before;
            now.users++;
            return now;
        }));
        turn.lock.lock();
        try {
            Optional<Session> session = sessions.find(job.id());
            if (session.isEmpty()) {
                return JobOperations.unknown(id);
            }
            if (session.get().now() != null) {
                // another request has done it since the job was looked up
                caller.manage(OwnedKind.JOBS);
                return queued(id);
            }
            return job.state().isTerminal()
                    ? again(caller, id, first, job, session.get())
                    : pushed(caller, id, job, session.get());
        } finally {
            turn.lock.unlock();
            turns.computeIfPresent(first, (key, now) -> --now.users == 0 ? null : now);
        }
    }

    private Element again(Caller caller, String id, JobId first, Job job, Session session) {
        String state = ActivityInfo.state(job, session).rest();
        if (state.equals("FINISHED")) {
            caller.manage(OwnedKind.JOBS);
            return refused(id, "The job has ended as it should, so it is not restarted. Submit it again.");
        }
        Session again =
                session.again(first.toString(), clock.instant().plus(inputWait).getEpochSecond());
        Optional<Submitted> made =
                jobs.restart(caller, job.id(), attempt -> sessions.restarted(first, job, attempt, session, again));
        if (made.isEmpty()) {
            return JobOperations.unknown(id);
        }
        Job next = made.get().job();
        if (!made.get().isNew()) {
            // made without its session, by a gateway of an earlier version that ended before it had written it
            sessions.putAll(sessions.restarted(first, job, next.id(), session, again));
        }
        starts.forget(job.id());
        try {
            uploads.arrived(caller, next, again, null);
        } catch (FileRefusal | FilesUnavailableException e) {
            // the sweep looks again
            return queued(id);
        }
        return queued(id);
    }

    private Element pushed(Caller caller, String id, Job job, Session session) {
        caller.manage(OwnedKind.JOBS);
        // also where an earlier request came no further than to write down that all are there
        if (session.pushing() == null || !Uploads.isAwaited(job)) {
            return refused(id, "The job is not over, so it cannot be restarted.");
        }
        try {
            Optional<String> missing = uploads.missing(session);
            if (missing.isPresent()) {
                return refused(id, "The input file " + missing.get() + " is not there. Put it, and ask again.");
            }
        } catch (FileRefusal | FilesUnavailableException e) {
            return refused(id, "The files of the job cannot be looked at now. Ask again in a while.");
        }
        sessions.replace(job.id(), job.owner().subject(), session.pushed());
        jobs.release(caller, job.id());
        uploads.forget(job.id());
        return queued(id);
    }

    private static Element queued(String id) {
        return JobOperations.answer(202, "Queued for restarting", id, List.of());
    }

    private static Element refused(String id, String sentence) {
        return JobOperations.answer(505, sentence, id, List.of());
    }
}
