// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmSource;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a gateway knows whose store was restored from a backup, of jobs that it gave to LRMs after the backup was taken. The store has lost
 * them; the LRMs tell of them by their tags. What they told last is kept here, in the store, until the submission of such a job comes
 * again: its job then has the id that it had, and goes on from what the LRM told, instead of a second run. Jobs that the gateway itself
 * makes (elements of groups, sub-jobs, further attempts) come again by themselves.
 *
 * <p>In a gateway that was not restored this does nothing.
 */
final class AfterRestore {

    static final String KIND = "restore.left";

    /**
     * What all that is kept may measure, see {@link LeftJob#size}: some 200,000 jobs. An account writes itself what it tells, so each source
     * may only take half of what the others leave free: however much some tell, there is room for those who tell later. Of what finds no room
     * it is only known how often that was.
     */
    static final long MOST_SIZE = 100_000_000;

    /** A job may be stored some time after its id was made; and clocks differ. */
    private static final Duration SLACK = Duration.ofMinutes(10);

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final int PAGE = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(AfterRestore.class);

    private final EngineContext context;
    private final Clock clock;
    private final Map<Place, LeftJob> left = new ConcurrentHashMap<>();
    private final Set<LrmSource> sources = ConcurrentHashMap.newKeySet();
    private final AtomicLong tooMany = new AtomicLong();
    /** How many events are kept, by source; changed together with them. */
    private final Map<LrmSource, Long> sizes = new HashMap<>();

    private long size;
    private volatile @Nullable Lost lost;

    AfterRestore(EngineContext context, Clock clock) {
        this.context = context;
        this.clock = clock;
    }

    /**
     * Who told of a job with this mark: the part of an id that its submission decides. What an account tells of the jobs of another is kept
     * apart, for it counts for nothing.
     */
    private record Place(long high, long low, LrmSource source) {
        static Place of(JobId id, LrmSource source) {
            return new Place(
                    id.value().getMostSignificantBits() & 0x0FFFL, id.value().getLeastSignificantBits(), source);
        }
    }

    /**
     * When the jobs were made that the store may have lost.
     *
     * @param oldest what was made before was in the backup, or purged before it
     * @param newest what is made after is in the store, or was purged from it: nothing of it is lost
     */
    private record Lost(Instant oldest, Instant newest) {
        boolean has(JobId id) {
            return !id.made().isBefore(oldest) && !id.made().isAfter(newest);
        }
    }

    /** The store is that of a backup which was taken at one time, and put in place at the other. */
    void begin(Instant backupTaken, Instant restoredAt) {
        String after = "";
        List<DoorRecord> some;
        do {
            some = context.store().listRecords(KIND, after, PAGE);
            for (DoorRecord record : some) {
                after = record.id();
                LeftJob job = LeftJob.read(record);
                put(Place.of(job.event().tag(), job.source()), job, Long.MAX_VALUE);
            }
        } while (some.size() == PAGE);
        lost = new Lost(backupTaken.minus(SLACK), restoredAt.plus(SLACK));
    }

    boolean isOn() {
        return lost != null;
    }

    /** @return whether there was room for it */
    private synchronized boolean put(Place place, LeftJob job, long most) {
        LeftJob before = left.get(place);
        long more = job.size() - (before == null ? 0 : before.size());
        long ofSource = sizes.getOrDefault(place.source(), 0L);
        if (more > 0 && ofSource + more > most - size - more) {
            return false;
        }
        sources.add(place.source());
        left.put(place, job);
        measured(place.source(), more);
        return true;
    }

    private synchronized boolean remove(Place place, LeftJob job) {
        boolean wasThere = left.remove(place, job);
        if (wasThere) {
            measured(place.source(), -job.size());
        }
        return wasThere;
    }

    private void measured(LrmSource source, long more) {
        size += more;
        sizes.merge(source, more, Long::sum);
    }

    /**
     * The id of a job of this account that an LRM has reported and the store does not have, made for the same submission as the given one.
     */
    Optional<JobId> idMarkedAs(JobId made, String account) {
        return left.isEmpty()
                ? Optional.empty()
                : sources.stream()
                        .filter(source ->
                                source.account() == null || source.account().equals(account))
                        .map(source -> left.get(Place.of(made, source)))
                        .filter(Objects::nonNull)
                        .map(job -> job.event().tag())
                        .findFirst();
    }

    /**
     * Before an LRM's word about a job is heard: a job that the store does not have is kept here, and one that the store has as not yet ready
     * for its LRM had its input, for the LRM has had it.
     *
     * @return completes when what was to be kept is on disk
     */
    CompletableFuture<?> before(LrmSource source, LrmEvent event) {
        Lost ofStore = lost;
        Optional<Job> job = context.store().find(event.tag());
        if (job.isEmpty()) {
            return ofStore != null && ofStore.has(event.tag())
                    ? keep(source, event)
                    : CompletableFuture.completedFuture(null);
        }
        return job.filter(known -> event.kind() != LrmEvent.Kind.UNKNOWN && wasGiven(source, known))
                .<CompletableFuture<?>>map(known -> context.update(known.id(), Transitions::inputWasReady))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static boolean wasGiven(LrmSource source, Job job) {
        return job.localIds().isEmpty() && !job.inputReady() && isOf(source, job);
    }

    private static boolean isOf(LrmSource source, Job job) {
        return job.lrm().equals(source.lrm())
                && (source.account() == null
                        || source.account().equals(job.owner().account()));
    }

    private CompletableFuture<?> keep(LrmSource source, LrmEvent event) {
        Place place = Place.of(event.tag(), source);
        LeftJob before = left.get(place);
        if (before != null && !before.isFollowedBy(event)) {
            return CompletableFuture.completedFuture(null);
        }
        LeftJob job = new LeftJob(source, event);
        if (!put(place, job, MOST_SIZE)) {
            if (tooMany.getAndIncrement() == 0) {
                LOG.error(
                        "There is no room for more jobs that {} has and the restored store does not know: of those it is not known"
                                + " for which submission they were made. A client that repeats one of those gets a second job",
                        source);
            }
            return CompletableFuture.completedFuture(null);
        }
        return context.store().putRecord(job.record(KIND, clock.instant()));
    }

    /**
     * Takes up a job that was made again for an earlier submission: the events that its LRM reported before are applied now.
     *
     * @param watch hears it
     * @return whether it is such a job; it is handed on when that is on disk
     */
    boolean takesUp(Job job, LrmWatch watch) {
        if (left.isEmpty()) {
            return false;
        }
        LeftJob known = sources.stream()
                .filter(source -> isOf(source, job))
                .map(source -> left.get(Place.of(job.id(), source)))
                .filter(found -> found != null && found.event().tag().equals(job.id()))
                .findFirst()
                .orElse(null);
        if (known == null || !remove(Place.of(job.id(), known.source()), known)) {
            return false;
        }
        LoggedJob.says(
                job.id(),
                () -> LOG.info(
                        "Job {} is taken up again as {} has it: {}",
                        job.id(),
                        known.source(),
                        known.event().kind()));
        var unused = watch.events(known.source(), List.of(known.event()))
                .thenCompose(heard -> context.store().deleteRecord(KIND, known.id()))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        handOn(job.id());
                        return;
                    }
                    put(Place.of(job.id(), known.source()), known, Long.MAX_VALUE);
                    LoggedJob.says(
                            job.id(),
                            () -> LOG.error(
                                    "Job {} could not be taken up again; it is tried again", job.id(), failure));
                    // not at once: a store that cannot write would be asked again and again
                    CompletableFuture.delayedExecutor(PAUSE.toSeconds(), TimeUnit.SECONDS)
                            .execute(() -> handOn(job.id()));
                });
        return true;
    }

    private void handOn(JobId id) {
        try {
            context.store().find(id).ifPresent(context::next);
        } catch (RuntimeException e) {
            LoggedJob.says(
                    id,
                    () -> LOG.error(
                            "Job {} could not be read after it was taken up again; the next start goes on with it",
                            id,
                            e));
        }
    }

    /** Those whose submissions have not come again, in the order of their ids, and how many there are beyond those that could be kept. */
    List<LeftJob> left() {
        List<LeftJob> all = new ArrayList<>(left.values());
        all.sort((one, other) -> one.id().compareTo(other.id()));
        return all;
    }

    long tooMany() {
        return tooMany.get();
    }
}
