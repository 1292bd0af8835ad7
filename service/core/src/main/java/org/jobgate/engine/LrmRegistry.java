// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.LoggedJob;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.PendingReason;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmStatus;
import org.jobgate.lrm.LrmThrottle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured LRMs by name, and the obstacle that keeps the jobs of each group (LRM and account) waiting at present.
 */
final class LrmRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(LrmRegistry.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    /** Why a group gets nothing at present, since when, how often in a row that was so, and when it is tried again. */
    private record Obstacle(Instant since, String because, int times, Instant until) {}

    private final Map<String, Lrm> lrms = new LinkedHashMap<>();
    private final Map<String, Obstacle> obstacles = new ConcurrentHashMap<>();
    private final Map<JobId, Obstacle> ofOneJob = new ConcurrentHashMap<>();
    private final Map<String, Instant> unwellSince = new ConcurrentHashMap<>();
    private final Clock clock;
    private final Duration longestPause;
    private final RandomGenerator random;
    private final Throttle throttles;

    LrmRegistry(List<Lrm> configured, Clock clock, Duration longestPause, RandomGenerator random) {
        for (Lrm lrm : configured) {
            if (lrm.name().equals(JobsBySubject.MULTI) || lrm.name().equals(OnlyTransfers.LRM)) {
                throw new IllegalArgumentException("no LRM can have the name " + lrm.name()
                        + ": it is that of multi-jobs or of jobs that only move files");
            }
            if (lrms.put(lrm.name(), lrm) != null) {
                throw new IllegalArgumentException("two LRMs have the name " + lrm.name());
            }
        }
        this.clock = clock;
        this.longestPause = longestPause;
        this.random = random;
        this.throttles = new Throttle(lrms.values());
    }

    /** What lets jobs into the LRMs. */
    Throttle throttles() {
        return throttles;
    }

    Set<String> names() {
        return lrms.keySet();
    }

    Collection<Lrm> all() {
        return lrms.values();
    }

    Optional<Lrm> find(String name) {
        return Optional.ofNullable(lrms.get(name));
    }

    /** Whether the LRM of this name can hold jobs that wait in it. */
    boolean canHold(String name) {
        return find(name)
                .filter(lrm -> lrm.suspends().contains(JobState.PENDING))
                .isPresent();
    }

    static String group(Job job) {
        return job.lrm() + "/" + job.owner().account();
    }

    /** The LRM of a group. Jobs of an LRM that is no longer configured have none. */
    Optional<Lrm> ofGroup(String group) {
        return find(group.substring(0, group.indexOf('/')));
    }

    static String accountOf(String group) {
        return group.substring(group.indexOf('/') + 1);
    }

    /**
     * Remembers that the group gave no clear answer; says how long to leave it alone: longer each time in a row, never longer than
     * the limit, and by chance up to half of it shorter, so that those who failed together do not come back together.
     */
    Duration stumbled(String group, String because) {
        if (!obstacles.containsKey(group)) {
            LOG.warn("{} gives no clear answer, its jobs wait: {}", group, because);
        }
        return stumbled(obstacles, group, because);
    }

    /** The same for one job only: the LRM answers, but gave no clear answer for it. */
    Duration stumbled(JobId job, String because) {
        if (!ofOneJob.containsKey(job)) {
            LoggedJob.says(job, () -> LOG.info("{} waits, its LRM gives no clear answer for it: {}", job, because));
        }
        return stumbled(ofOneJob, job, because);
    }

    private <K> Duration stumbled(Map<K, Obstacle> of, K key, String because) {
        Instant now = clock.instant();
        Obstacle old = of.get(key);
        int times = old == null ? 1 : Math.min(old.times() + 1, 30);
        Duration full = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 20));
        long millis = Math.min(full.toMillis(), longestPause.toMillis());
        Duration pause = Duration.ofMillis(millis - random.nextLong(millis / 2 + 1));
        of.put(key, new Obstacle(old == null ? now : old.since(), because, times, now.plus(pause)));
        return pause;
    }

    /** The groups of the LRM that are left alone at present. */
    List<LrmStatus.BackOff> backOffs(String lrm) {
        return obstacles.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(lrm + "/"))
                .map(entry -> new LrmStatus.BackOff(
                        accountOf(entry.getKey()),
                        entry.getValue().since(),
                        entry.getValue().because(),
                        entry.getValue().times(),
                        entry.getValue().until()))
                .sorted(Comparator.comparing(LrmStatus.BackOff::account))
                .toList();
    }

    void answered(String group) {
        Obstacle obstacle = obstacles.remove(group);
        if (obstacle != null) {
            LOG.info("{} answers again after {} tries", group, obstacle.times());
        }
    }

    /** The LRM gave a clear answer for the job, or the job does not need one any more. */
    void answered(JobId job) {
        ofOneJob.remove(job);
    }

    /** Why a job's state may not be its present one, or why it does not go on. */
    Optional<PendingReason> pendingReason(Job job, Function<Job, @Nullable String> queueOf) {
        if (job.state().isTerminal() || job.holding()) {
            return Optional.empty();
        }
        Obstacle own = ofOneJob.get(job.id());
        Obstacle obstacle = own == null ? obstacles.get(group(job)) : own;
        if (obstacle != null) {
            return Optional.of(new PendingReason(obstacle.since(), obstacle.because()));
        }
        return find(job.lrm()).flatMap(lrm -> unwell(lrm, job)).or(() -> turn(job, queueOf));
    }

    /** Whether the job waits for its turn to come into the LRM. */
    private Optional<PendingReason> turn(Job job, Function<Job, @Nullable String> queueOf) {
        boolean waits = job.inputReady() && job.localIds().isEmpty() && job.outcome() == null;
        if (!waits || !throttles.counts(job.lrm())) {
            return Optional.empty();
        }
        return throttles.obstacle(job, queueOf.apply(job)).map(because -> new PendingReason(job.changed(), because));
    }

    private Optional<PendingReason> unwell(Lrm lrm, Job job) {
        LrmHealth health = lrm.health(job.owner().account());
        if (health.well()) {
            unwellSince.remove(group(job));
            return Optional.empty();
        }
        return Optional.of(
                new PendingReason(unwellSince.computeIfAbsent(group(job), name -> clock.instant()), health.why()));
    }

    /** How the gateway stands with the LRM. */
    LrmStatus status(Lrm lrm) {
        String name = lrm.name();
        LrmThrottle throttle = throttles().throttle(name);
        return new LrmStatus(
                name,
                lrm.health(),
                throttle == null ? lrm.throttle() : throttle,
                throttles().counted(name).orElse(null),
                backOffs(name),
                lrm.capabilities());
    }
}
