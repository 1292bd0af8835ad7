// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.store.JobQuery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through the store for jobs that need something and that nobody holds in memory: at the start all of them, later those whose
 * lifetime is over, those that a stage had no room for, and those whose cancel the LRM has not confirmed. Forgets old ones.
 */
final class Sweeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final int PAGE = 1_000;
    private static final int PURGE = 1_000;
    private static final JobState[] WORKED_ON = {
        JobState.UNSUBMITTED, JobState.STAGE_IN, JobState.PENDING, JobState.STAGE_OUT, JobState.CLEAN_UP
    };

    private final List<Future<?>> sweeps = new ArrayList<>();
    private final EngineContext context;
    private final Phases phases;
    private final EngineSettings settings;
    private final Clock clock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sweeper").daemon().factory());
    private boolean isTakenUp; // of the timer's thread only
    private volatile boolean isClosed;

    Sweeper(EngineContext context, Phases phases, EngineSettings settings, Clock clock) {
        this.context = context;
        this.phases = phases;
        this.settings = settings;
        this.clock = clock;
    }

    void start() {
        every(0, settings.sweepInterval().toMillis(), "take up the jobs", this::takeUpOnce);
        every(settings.sweepInterval().toMillis(), "expire jobs", this::expire);
        every(settings.sweepInterval().toMillis(), "look for jobs that a stage had no room for", this::takeUpOverflow);
        every(settings.sweepInterval().toMillis(), "begin elements of groups", this::takeUpGroups);
        every(settings.cancelRetry().toMillis(), "repeat cancels", this::repeatCancels);
        every(settings.cancelRetry().toMillis(), "ask LRMs again to suspend or resume jobs", this::repeatWishes);
        every(TimeUnit.MINUTES.toMillis(1), "purge old jobs", this::purge);
    }

    private void every(long millis, String what, Runnable task) {
        every(millis, millis, what, task);
    }

    private void every(long first, long millis, String what, Runnable task) {
        sweeps.add(timer.scheduleWithFixedDelay(() -> guarded(what, task), first, millis, TimeUnit.MILLISECONDS));
    }

    /** A sweep that fails is repeated in its time; it must not end the ones after it. */
    private void guarded(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            if (isClosed) {
                LOG.info("The service ended while it was to {}; the next start does", what);
                LOG.debug("that ended so", e);
            } else {
                LOG.error("Could not {}; it is tried again", what, e);
            }
        }
    }

    /** What a store that was away has kept from the start is made up for as soon as it is there. */
    private void takeUpOnce() {
        if (!isTakenUp) {
            takeUp();
            isTakenUp = true;
        }
    }

    /** Looks through all jobs once more, soon. */
    void takeUpAgain() {
        sweeps.add(timer.schedule(() -> guarded("take up the jobs", this::takeUp), 0, TimeUnit.MILLISECONDS));
    }

    private void takeUp() {
        forEach(JobQuery.builder().states(WORKED_ON).holding(false), phases::route);
        forEach(JobQuery.builder().lrm(JobsBySubject.MULTI), this::remember);
        takeUpWaiting();
        takeUpMultiJobs();
        takeUpGroups();
        repeatCancels();
        repeatWishes();
        takeUpFollowed();
    }

    /** Here, not by a stage: what had no room once would have none again. */
    private void takeUpFollowed() {
        if (phases.followsAny()) {
            forEach(JobQuery.builder().states(JobState.ACTIVE, JobState.SUSPENDED), phases::follow);
        }
    }

    private void takeUpOverflow() {
        if (phases.haveOverflowed()) {
            forEach(JobQuery.builder().states(WORKED_ON).holding(false), phases::route);
            takeUpMultiJobs();
            takeUpWaiting();
            repeatWishes();
            takeUpFollowed();
        }
    }

    /** Those that wait for earlier jobs. They are remembered before the first purge, which would forget how those ended. */
    private void takeUpWaiting() {
        forEach(JobQuery.builder().states(JobState.UNSUBMITTED).holding(true), job -> {
            if (MultiJobs.partOf(job).isEmpty()) {
                remember(job);
                phases.route(job);
            }
        });
    }

    /** A job whose description cannot be read keeps no other from being taken up. */
    private void remember(Job job) {
        try {
            context.earlier().remember(job);
        } catch (RuntimeException e) {
            if (isClosed) {
                throw e; // nothing can be read any more
            }
            LOG.error("Could not read which earlier jobs {} waits for; the others go on", job.id(), e);
        }
    }

    /** All of them: a sub job may have changed and nobody have looked after its multi-job since. */
    private void takeUpMultiJobs() {
        forEach(JobQuery.builder().lrm(JobsBySubject.MULTI), phases::route);
    }

    /** Elements also wait for other jobs of their owner to end, of which no group hears. */
    private void takeUpGroups() {
        List<JobGroup> groups = context.store().groups().live(null, PAGE);
        while (!groups.isEmpty()) {
            groups.forEach(phases::route);
            groups = context.store().groups().live(groups.getLast().id(), PAGE);
        }
    }

    private void repeatCancels() {
        forEach(JobQuery.builder().outcomeSettled(true).holding(false), phases::route);
    }

    private void repeatWishes() {
        forEach(JobQuery.builder().openWish(), phases::route);
    }

    private void expire() {
        Instant now = clock.instant();
        forEach(JobQuery.builder().finished(true).terminationBefore(now), job -> expire(job.id(), now));
    }

    private void expire(JobId id, Instant now) {
        context.update(id, change -> {
                    Instant limit = change.job().terminationTime();
                    if (limit != null && !limit.isAfter(now)) {
                        OwnerOrders.cancel(change, JobOutcomes.expired(limit), "its lifetime is over");
                        change.note(
                                change.job().withDestroyed(true).withTerminationTime(null), "forgotten at " + limit);
                    }
                })
                .join();
    }

    /** Nothing until all jobs are taken up: before that it is not known which are waited for. */
    void purge() {
        if (!isTakenUp) {
            return;
        }
        Instant before = clock.instant().minus(settings.retention());
        context.store().groups().purge(before, PURGE).join();
        int purged = context.store().purge(before, PURGE, stillAsked()).join();
        if (purged > 0) {
            LOG.info("Forgot {} jobs that ended before {}", purged, before);
        }
    }

    /**
     * What is next for a multi-job follows from its sub jobs, also from one that ended long before the others; and for a job that waits, from those that
     * it waits for.
     */
    private Set<JobId> stillAsked() {
        Set<JobId> kept = new HashSet<>(context.earlier().awaited());
        forEach(
                JobQuery.builder().lrm(JobsBySubject.MULTI),
                multi -> multi.localIds().forEach(id -> kept.add(JobId.parse(id))));
        return kept;
    }

    private void forEach(JobQuery.Builder query, Consumer<Job> action) {
        JobQuery page = query.limit(PAGE).build();
        while (true) {
            List<Job> jobs = context.store().list(page);
            jobs.forEach(action);
            if (jobs.size() < PAGE) {
                return;
            }
            page = page.next(jobs.getLast().id());
        }
    }

    @Override
    public void close() {
        isClosed = true;
        sweeps.forEach(sweep -> sweep.cancel(false));
        timer.shutdownNow();
    }
}
