// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subscriptions to the resources of one door, kept in the store with the resources: they are purged with them. */
public final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final int KNOWN_RESOURCES = 10_000;

    private static final int LOCKS = 64;
    private static final int PAGE = 500;

    private final List<Lock> adding =
            Stream.generate(() -> (Lock) new ReentrantLock()).limit(LOCKS).toList();
    private final DoorRecords store;
    private final SubscriptionRecords records;
    private final String kind;
    private final Limit perResource;
    private final String counted;
    private final Clock clock;
    private final Supplier<String> keys;
    private volatile Consumer<String> onDestroyed = key -> {};
    /** Those of the newest resources, for every change of one asks for them, and most have none; guarded by this. */
    private final Map<JobId, List<Subscription>> known = new LinkedHashMap<>(256, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, List<Subscription>> eldest) {
            return size() > KNOWN_RESOURCES;
        }
    };

    /**
     * @param kind of their records in the store
     * @param counted what the limit counts, as the refusal says it
     * @param keys makes new keys that nobody can guess
     */
    public Subscriptions(
            DoorRecords store, String kind, Limit perResource, String counted, Clock clock, Supplier<String> keys) {
        this.store = requireNonNull(store, "store is null");
        this.kind = requireNonNull(kind, "kind is null");
        this.records = new SubscriptionRecords(kind);
        this.perResource = requireNonNull(perResource, "perResource is null");
        this.counted = requireNonNull(counted, "counted is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.keys = requireNonNull(keys, "keys is null");
    }

    /** A new subscription, not kept yet. */
    public Subscription create(SubscriptionRequest request, JobId resource, String owner) {
        return new Subscription(
                keys.get(),
                resource,
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
     * Keeps the subscription, or answers the one with the same consumer that the resource has already.
     *
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where the resource has as many as it may
     */
    public Subscription add(SubscriptionRequest request, JobId resource, String owner) {
        return addAlone(create(request, resource, owner), true);
    }

    /** The same, for a door whose clients have a subscription for each request. */
    public Subscription addAnother(SubscriptionRequest request, JobId resource, String owner) {
        return addAlone(create(request, resource, owner), false);
    }

    /** One at a time for each resource: else requests that come at once would together go over the limit. */
    private Subscription addAlone(Subscription wanted, boolean isOnce) {
        JobId resource = wanted.resource();
        Lock one = adding.get(Math.floorMod(resource.hashCode(), adding.size()));
        one.lock();
        try {
            List<Subscription> present = ofResource(resource);
            String asKept = record(records.read(record(wanted))).body();
            for (Subscription subscription : present) {
                if (isOnce && record(subscription).body().equals(asKept)) {
                    return subscription;
                }
            }
            perResource.check(present.size() + 1L, counted);
            Writes.await(store.putRecord(record(wanted)));
            notKnown(resource);
            return wanted;
        } finally {
            one.unlock();
        }
    }

    /** A resource that is being stored in this moment has these: spares the look-up of every new one. */
    public synchronized void willHave(JobId resource, List<Subscription> subscriptions) {
        known.put(resource, List.copyOf(subscriptions));
    }

    /** The resources that have subscriptions, read from the store. */
    public Set<JobId> resources() {
        Set<JobId> resources = new LinkedHashSet<>();
        List<DoorRecord> page = store.listRecords(kind, "", PAGE);
        while (!page.isEmpty()) {
            page.forEach(record -> Optional.ofNullable(record.job()).ifPresent(resources::add));
            page = store.listRecords(kind, page.getLast().id(), PAGE);
        }
        return resources;
    }

    /**
     * The resource's subscriptions.
     *
     * <p>INVARIANT: what is read from the store is remembered before anybody else can take it back, so that a subscription that is
     * added meanwhile is not forgotten.
     */
    public synchronized List<Subscription> ofResource(JobId resource) {
        List<Subscription> present = known.get(resource);
        if (present == null) {
            present =
                    store.recordsOf(kind, resource).stream().map(records::read).toList();
            known.put(resource, present);
        }
        return present;
    }

    /** The subscription, if it is the owner's. */
    public Optional<Subscription> find(String owner, String key) {
        return store.findRecord(kind, key)
                .filter(record -> owner.equals(record.owner()))
                .map(records::read)
                .filter(subscription -> !subscription.isOver(clock.instant()));
    }

    /** Keeps the subscription in place of the one with its key. */
    public void replace(Subscription subscription) {
        Writes.await(store.putRecord(record(subscription)));
        notKnown(subscription.resource());
    }

    /** Forgets it, and answers when that is on disk. */
    public void destroy(Subscription subscription) {
        Writes.await(store.deleteRecord(kind, subscription.key()));
        notKnown(subscription.resource());
        onDestroyed.accept(subscription.key());
    }

    /** Names who is told the key of a subscription that was destroyed. */
    public void onDestroyed(Consumer<String> listener) {
        onDestroyed = listener;
    }

    private synchronized void notKnown(JobId resource) {
        known.remove(resource);
    }

    /** Begins to forget it. */
    public synchronized void forget(Subscription subscription) {
        known.computeIfPresent(
                subscription.resource(),
                (resource, present) -> present.stream()
                        .filter(other -> !other.key().equals(subscription.key()))
                        .toList());
        store.deleteRecord(kind, subscription.key()).exceptionally(e -> {
            LOG.warn("The subscription {} was not forgotten: {}", subscription.key(), Reason.of(e));
            return false;
        });
    }
}
