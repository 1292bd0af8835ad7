// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/** The subscriptions that there are, kept in the store with their jobs: they are purged with them. */
public final class Subscriptions {

    private final JobStore store;
    private final SubscriptionRecords records;
    private final Limit perJob;
    private final Clock clock;
    private final Supplier<String> keys;

    /** @param keys makes new keys that nobody can guess */
    public Subscriptions(Generation generation, JobStore store, Limit perJob, Clock clock, Supplier<String> keys) {
        this.store = requireNonNull(store, "store is null");
        this.records = new SubscriptionRecords(generation);
        this.perJob = requireNonNull(perJob, "perJob is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.keys = requireNonNull(keys, "keys is null");
    }

    /** A new subscription, not kept yet. */
    public Subscription create(SubscriptionRequest request, JobId job, String owner) {
        return new Subscription(
                keys.get(), job, owner, request.topic(), request.consumer(), request.expires(), clock.instant());
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
        return wanted;
    }

    public List<Subscription> ofJob(JobId job) {
        return store.recordsOf(Subscription.RECORD_KIND, job).stream()
                .map(records::read)
                .toList();
    }

    /** The subscription, if it is the owner's. */
    public Optional<Subscription> find(String owner, String key) {
        return store.findRecord(Subscription.RECORD_KIND, key)
                .filter(record -> owner.equals(record.owner()))
                .map(records::read);
    }

    /** Forgets it; answers whether it was there. */
    public boolean delete(String key) {
        return stored(store.deleteRecord(Subscription.RECORD_KIND, key));
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
