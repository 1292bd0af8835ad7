// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Doubt;
import org.jobgate.job.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured LRMs by name, and what stands in the way of each of their groups (LRM and account) at present.
 */
final class LrmDesk {

    private static final Logger LOG = LoggerFactory.getLogger(LrmDesk.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    /** Why a group gets nothing at present, since when, and how often in a row that was so. */
    private record Obstacle(Instant since, String because, int times) {}

    private final Map<String, Lrm> lrms = new LinkedHashMap<>();
    private final Map<String, Obstacle> obstacles = new ConcurrentHashMap<>();
    private final Map<String, Instant> unwellSince = new ConcurrentHashMap<>();
    private final Clock clock;
    private final Duration longestPause;

    LrmDesk(List<Lrm> configured, Clock clock, Duration longestPause) {
        for (Lrm lrm : configured) {
            if (lrm.name().equals(Jobs.MULTI)) {
                throw new IllegalArgumentException(
                        "no LRM can have the name " + Jobs.MULTI + ": it is that of multi-jobs");
            }
            if (lrms.put(lrm.name(), lrm) != null) {
                throw new IllegalArgumentException("two LRMs have the name " + lrm.name());
            }
        }
        this.clock = clock;
        this.longestPause = longestPause;
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

    /** Remembers that the group gave no clear answer; says how long to leave it alone: longer each time in a row. */
    Duration stumbled(String group, String because) {
        Obstacle obstacle = obstacles.merge(
                group,
                new Obstacle(clock.instant(), because, 1),
                (old, fresh) -> new Obstacle(old.since(), because, Math.min(old.times() + 1, 30)));
        if (obstacle.times() == 1) {
            LOG.warn("{} gives no clear answer, its jobs wait: {}", group, because);
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(obstacle.times() - 1, 20));
        return pause.compareTo(longestPause) > 0 ? longestPause : pause;
    }

    void answered(String group) {
        Obstacle obstacle = obstacles.remove(group);
        if (obstacle != null) {
            LOG.info("{} answers again after {} tries", group, obstacle.times());
        }
    }

    /** Why a job's state may not be its present one, or why it does not go on. */
    Optional<Doubt> doubt(Job job) {
        if (job.state().isTerminal() || job.holding()) {
            return Optional.empty();
        }
        Obstacle obstacle = obstacles.get(group(job));
        if (obstacle != null) {
            return Optional.of(new Doubt(obstacle.since(), obstacle.because()));
        }
        return find(job.lrm()).flatMap(lrm -> unwell(lrm, job));
    }

    private Optional<Doubt> unwell(Lrm lrm, Job job) {
        LrmHealth health = lrm.health(job.owner().account());
        if (health.well()) {
            unwellSince.remove(group(job));
            return Optional.empty();
        }
        return Optional.of(new Doubt(unwellSince.computeIfAbsent(group(job), name -> clock.instant()), health.why()));
    }
}
