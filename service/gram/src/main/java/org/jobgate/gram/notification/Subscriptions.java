// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.limits.Limit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subscriptions that there are, kept in the store with their jobs: they are purged with them. */
public final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final int KNOWN_JOBS = 10_000;

    private static final int LOCKS = 64;

    private final List<Lock> adding =
            Stream.generate(() -> (Lock) new ReentrantLock()).limit(LOCKS).toList();
    private final JobStore store;
    private final SubscriptionRecords records;
    private final Limit perJob;
    private final Clock clock;
    private final Supplier<String> keys;
    private volatile Consumer<String> onDestroyed = key -> {};
    /** The newest jobs' subscriptions, for every change of a job asks for them, and most jobs have none; guarded by this. */
    private final Map<JobId, List<Subscription>> known = new LinkedHashMap<>(256, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, List<Subscription>> eldest) {
            return size() > KNOWN_JOBS;
        }
    };

    /** @param keys makes new keys that nobody can guess */
    public Subscriptions(JobStore store, Limit perJob, Clock clock, Supplier<String> keys) {
        this.store = requireNonNull(store, "store is null");
        this.records = new SubscriptionRecords();
        this.perJob = requireNonNull(perJob, "perJob is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.keys = requireNonNull(keys, "keys is null");
    }

    /** A new subscription, not kept yet. */
    public Subscription create(SubscriptionRequest request, JobId job, String owner) {
        return new Subscription(
                keys.get(),
                job,
                owner,
                request.generation(),
                request.topic(),
                request.consumer(),
                request.expires(),
                clock.instant(),
                false);
    }

    /** How it is kept. */
    public DoorRecord record(Subscription subscription) {
        return records.write(subscription);
    }

    /**
     * Keeps the subscription, or answers the one with the same consumer that the job has already.
     *
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where the job has as many as it may
     */
    public Subscription add(SubscriptionRequest request, JobId job, String owner) {
        Lock one = adding.get(Math.floorMod(job.hashCode(), adding.size()));
        one.lock();
        try {
            return addAlone(request, job, owner);
        } finally {
            one.unlock();
        }
    }

    /** One at a time for each job: else requests that come at once would together go over the limit. */
    private Subscription addAlone(SubscriptionRequest request, JobId job, String owner) {
        List<Subscription> present = ofJob(job);
        Subscription wanted = create(request, job, owner);
        String asKept = record(records.read(record(wanted))).body();
        for (Subscription subscription : present) {
            if (record(subscription).body().equals(asKept)) {
                return subscription;
            }
        }
        perJob.check(present.size() + 1L, "Subscriptions of the job");
        stored(store.putRecord(record(wanted)));
        notKnown(job);
        return wanted;
    }

    /** A job that is being stored in this moment has these: spares the look-up of every new job. */
    public synchronized void willHave(JobId job, List<Subscription> subscriptions) {
        known.put(job, List.copyOf(subscriptions));
    }

    /**
     * The job's subscriptions.
     *
     * <p>INVARIANT: what is read from the store is remembered before anybody else can take it back, so that a subscription that is
     * added meanwhile is not forgotten.
     */
    public synchronized List<Subscription> ofJob(JobId job) {
        List<Subscription> present = known.get(job);
        if (present == null) {
            present = store.recordsOf(Subscription.RECORD_KIND, job).stream()
                    .map(records::read)
                    .toList();
            known.put(job, present);
        }
        return present;
    }

    /** The subscription, if it is the owner's. */
    public Optional<Subscription> find(String owner, String key) {
        return store.findRecord(Subscription.RECORD_KIND, key)
                .filter(record -> owner.equals(record.owner()))
                .map(records::read)
                .filter(subscription -> !isOver(subscription));
    }

    private boolean isOver(Subscription subscription) {
        return subscription.expires() != null && !subscription.expires().isAfter(clock.instant());
    }

    /** Keeps the subscription in place of the one with its key. */
    public void replace(Subscription subscription) {
        stored(store.putRecord(record(subscription)));
        notKnown(subscription.job());
    }

    /** Forgets it, and answers when that is on disk. */
    public void destroy(Subscription subscription) {
        stored(store.deleteRecord(Subscription.RECORD_KIND, subscription.key()));
        notKnown(subscription.job());
        onDestroyed.accept(subscription.key());
    }

    /** Names who is told the key of a subscription that was destroyed. */
    void onDestroyed(Consumer<String> listener) {
        onDestroyed = listener;
    }

    private synchronized void notKnown(JobId job) {
        known.remove(job);
    }

    /** Begins to forget it. */
    synchronized void forget(Subscription subscription) {
        known.computeIfPresent(
                subscription.job(),
                (job, present) -> present.stream()
                        .filter(other -> !other.key().equals(subscription.key()))
                        .toList());
        store.deleteRecord(Subscription.RECORD_KIND, subscription.key()).exceptionally(e -> {
            LOG.warn("The subscription {} was not forgotten: {}", subscription.key(), Reason.of(e));
            return false;
        });
    }

    private static <T> T stored(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FaultException fault) {
                throw fault;
            }
            throw e;
        }
    }
}
