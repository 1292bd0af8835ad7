// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes session directories whose jobs are gone, ends jobs whose files have not come in time, and lets those go on whose files were all
 * there when the service went down. It acts for the owner, so the site's policy about that owner holds.
 */
final class SessionSweeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionSweeper.class);
    private static final int PAGE = 1000;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    /** Between two rounds while cleaned jobs are left that no round has looked at. */
    private static final Duration BACKLOG_PAUSE = Duration.ofMillis(10);

    /** Before an owner's cleaned jobs are looked at again of which a look failed as no look should. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /** So many directories of one owner are removed before those of the next owner. */
    private static final int TURN = 100;

    private final Access access;
    private final Jobs jobs;
    private final JobDirectories directories;
    private final SessionRecords records;
    private final CleanedJobs staying;
    private final Uploads uploads;
    private final StartTimes starts;
    private final Duration inputWait;
    private final Clock clock;
    private final Duration pause;

    /** Cleaned jobs, of which some may not be over yet: looked at again and again until they are. */
    private final OwnersTurns cleaned = new OwnersTurns();

    private volatile boolean isClosed;
    private @Nullable Thread thread;
    private @Nullable Thread startsThread;

    SessionSweeper(
            Access access,
            Jobs jobs,
            JobDirectories directories,
            SessionRecords records,
            CleanedJobs staying,
            Uploads uploads,
            StartTimes starts,
            Duration inputWait,
            Clock clock) {
        this.access = requireNonNull(access, "access is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.directories = requireNonNull(directories, "directories is null");
        this.records = requireNonNull(records, "records is null");
        this.staying = requireNonNull(staying, "staying is null");
        this.uploads = requireNonNull(uploads, "uploads is null");
        this.starts = requireNonNull(starts, "starts is null");
        this.inputWait = requireNonNull(inputWait, "inputWait is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.pause = shorter(LONGEST_PAUSE, longer(SHORTEST_PAUSE, inputWait.dividedBy(8)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    void start() {
        thread = Thread.ofVirtual().name("arc-sessions").start(this::run);
        // by itself: a look at sessions may wait for file systems, and that a job is to end is no matter of files
        startsThread = Thread.ofVirtual().name("arc-start-times").start(this::endLate);
    }

    /** The job's owner wants no more of it: its directory is removed when it is over. */
    void cleaned(Job job) {
        cleaned.add(job.owner().subject(), List.of(job.id()), System.nanoTime());
    }

    @Override
    public void close() {
        isClosed = true;
        interrupt(thread);
        interrupt(startsThread);
    }

    private static void interrupt(@Nullable Thread running) {
        if (running != null) {
            running.interrupt();
        }
    }

    private void endLate() {
        while (!isClosed) {
            try {
                Thread.sleep(SHORTEST_PAUSE);
                starts.endLate();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (isClosed) {
                    return;
                }
                LOG.warn("Jobs that have not started in time could not be looked through: {}", Reason.of(e));
                LOG.debug("jobs that have not started in time", e);
            }
        }
    }

    private void run() {
        long next = System.nanoTime();
        boolean isBacklog = false;
        while (!isClosed) {
            try {
                Thread.sleep(isBacklog ? BACKLOG_PAUSE : SHORTEST_PAUSE);
                isBacklog = false;
                if (System.nanoTime() - next >= 0) {
                    sweep();
                    next = System.nanoTime() + pause.toNanos();
                }
                staying.endDue().forEach((subject, ended) -> cleaned.add(subject, ended, System.nanoTime()));
                isBacklog = lookAtCleaned();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                if (isClosed) {
                    return;
                }
                LOG.warn("ARC sessions could not be looked through; it is tried again in {}: {}", pause, Reason.of(e));
                LOG.debug("ARC sessions", e);
                next = System.nanoTime() + pause.toNanos();
            }
        }
    }

    /** What one round has found out and begun. */
    private final class Round {

        /**
         * Accounts whose files could not be reached. They are left alone: each question may take as long as a file system is waited for, and the
         * sessions of everybody else wait meanwhile.
         */
        private final Set<String> away = new HashSet<>();

        private final List<CompletableFuture<?>> forgotten = new ArrayList<>();
        private boolean hasFailed;

        /** Looks at one session, and answers whether nothing is left to be done. */
        boolean look(DoorRecord record) {
            String account = record.body().split("\n", 2)[1];
            if (away.contains(account)) {
                return false;
            }
            try {
                return SessionSweeper.this.look(record, forgotten);
            } catch (FilesUnavailableException e) {
                LOG.debug("the files of {} cannot be reached now: {}", account, Reason.of(e));
                away.add(account);
                return false;
            }
        }

        /** Waits until it is on disk what is forgotten, all of it together. */
        void write() {
            List<CompletableFuture<?>> all = List.copyOf(forgotten);
            forgotten.clear();
            all.forEach(Writes::await);
        }

        /** A look at a session of this owner failed as no look should: the round goes on with those of others. The log is told of the first. */
        void failed(@Nullable String owner, RuntimeException e) {
            if (hasFailed) {
                LOG.debug("sessions of {}", owner, e);
                return;
            }
            hasFailed = true;
            LOG.warn("ARC sessions of {} could not be looked at; it is tried again: {}", owner, Reason.of(e));
            LOG.debug("ARC sessions", e);
        }
    }

    /** Gives each owner of cleaned jobs a turn; answers whether somebody has more of them than are looked at in one. */
    private boolean lookAtCleaned() {
        Round round = new Round();
        boolean isMore = false;
        for (Map.Entry<String, List<JobId>> owner :
                cleaned.take(TURN, System.nanoTime()).entrySet()) {
            isMore |= owner.getValue().size() == TURN;
            try {
                lookAtCleaned(owner.getKey(), owner.getValue(), round);
            } catch (RuntimeException e) {
                if (isClosed) {
                    throw e;
                }
                round.forgotten.clear(); // those of the jobs that are looked at again
                cleaned.add(owner.getKey(), owner.getValue(), System.nanoTime() + AFTER_FAILURE.toNanos());
                round.failed(owner.getKey(), e);
            }
        }
        return isMore;
    }

    private void lookAtCleaned(String owner, List<JobId> ids, Round round) {
        List<JobId> left = ids.stream().filter(job -> !lookSoon(job, round)).toList();
        cleaned.add(owner, left, System.nanoTime() + SHORTEST_PAUSE.toNanos());
        round.write();
    }

    private boolean lookSoon(JobId job, Round round) {
        Optional<DoorRecord> record = records.find(job).flatMap(session -> records.directory(session.directory()));
        return record.isEmpty() || round.look(record.get());
    }

    /** One look at all of them. */
    void sweep() {
        String after = "";
        Round round = new Round();
        while (!isClosed) {
            List<DoorRecord> page = records.directories(after, PAGE);
            page.forEach(record -> look(record, round));
            round.write();
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    /** What fails for one session alone must not keep those of others from being looked at; without a store all would fail. */
    private void look(DoorRecord record, Round round) {
        try {
            var unused = round.look(record);
        } catch (FaultException e) {
            throw e;
        } catch (RuntimeException e) {
            if (isClosed) {
                throw e;
            }
            round.failed(record.owner(), e);
        }
    }

    private boolean look(DoorRecord record, List<CompletableFuture<?>> forgotten) throws FilesUnavailableException {
        JobId id = JobId.parse(record.body().split("\n", 2)[0]);
        Optional<Session> session = records.find(id);
        if (session.isEmpty()) {
            starts.forget(id);
            return remove(record, forgotten);
        }
        Caller owner = access.caller(new Identity(requireNonNull(record.owner()), "owner", false));
        try {
            Optional<Job> job = jobs.find(owner, id);
            if (job.isEmpty()) {
                starts.forget(id);
                return remove(record, forgotten);
            }
            starts.watch(job.get(), session.get());
            if (session.get().awaitsClient() && Uploads.isAwaited(job.get())) {
                await(owner, job.get(), session.get());
            }
        } catch (FaultException e) {
            LOG.debug("the session of the job {} is left as it is: {}", id, Reason.of(e));
        } catch (FileRefusal e) {
            LOG.debug("the files of the job {} cannot be looked at now: {}", id, Reason.of(e));
        }
        return false;
    }

    private void await(Caller owner, Job job, Session session) throws FileRefusal, FilesUnavailableException {
        boolean isLate = clock.instant().getEpochSecond() > session.until();
        if (!isLate) {
            uploads.arrived(owner, job, session, null);
            return;
        }
        Optional<String> missing = uploads.missing(session);
        if (missing.isEmpty() && !session.isPushing()) {
            uploads.arrived(owner, job, session, null);
            return;
        }
        String within =
                " within " + inputWait.toSeconds() + " s (arc.inputWait), so the job was ended. Submit it again, ";
        String sentence = missing.map(
                        file -> "The input file " + file + " did not come" + within + "and put its files at once.")
                .orElseGet(() -> "The client did not say that all files are there" + within
                        + "and ask for its restart when the last file is there, or leave ClientDataPush out.");
        records.replace(job.id(), job.owner().subject(), session.tooLate(sentence));
        jobs.cancel(owner, job.id());
        uploads.forget(job.id());
    }

    private boolean remove(DoorRecord record, List<CompletableFuture<?>> forgotten) throws FilesUnavailableException {
        String account = record.body().split("\n", 2)[1];
        int slash = record.id().lastIndexOf('/');
        FilePlace place = new FilePlace.Below(
                record.id().substring(0, slash), List.of(record.id().substring(slash + 1)));
        if (!records.isStill(record)) {
            return true;
        }
        try {
            directories.delete(account, place);
            if (records.isStill(record)) {
                forgotten.add(records.forget(record.id()));
            }
            return true;
        } catch (FileRefusedException e) {
            LOG.warn("The session directory {} of {} cannot be removed: {}", record.id(), account, e.sentence());
            forgotten.add(records.forget(record.id()));
            return true;
        }
    }
}
