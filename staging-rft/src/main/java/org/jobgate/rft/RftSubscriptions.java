// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.limits.Limit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** The subscriptions that there are, in memory and, before a call returns, in the store. */
final class RftSubscriptions {

    private static final int PAGE = 500;

    private final JobStore store;
    private final Limit perRequest;
    private final Clock clock;
    private final Map<String, RftSubscription> known = new ConcurrentHashMap<>();
    private final Map<String, List<String>> byRequest = new ConcurrentHashMap<>();

    RftSubscriptions(JobStore store, Limit perRequest, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.perRequest = requireNonNull(perRequest, "perRequest is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads what there is. */
    void start() {
        String after = "";
        List<DoorRecord> page = store.listRecords(RftSubscription.KIND, after, PAGE);
        while (!page.isEmpty()) {
            page.forEach(record -> remember(RftSubscription.of(record)));
            after = page.getLast().id();
            page = store.listRecords(RftSubscription.KIND, after, PAGE);
        }
    }

    private void remember(RftSubscription subscription) {
        known.put(subscription.key(), subscription);
        byRequest.compute(subscription.request(), (request, keys) -> {
            List<String> changed = keys == null ? new ArrayList<>() : new ArrayList<>(keys);
            if (!changed.contains(subscription.key())) {
                changed.add(subscription.key());
            }
            return List.copyOf(changed);
        });
    }

    /**
     * Keeps a new one.
     *
     * @throws org.jobgate.job.FaultException of code {@code LIMIT_EXCEEDED} where the request has as many as it may
     */
    RftSubscription add(
            String request,
            String owner,
            Generation generation,
            String topic,
            EndpointReference consumer,
            @Nullable Instant expires) {
        RftSubscription made = new RftSubscription(
                UUID.randomUUID().toString(),
                request,
                owner,
                generation,
                topic,
                consumer,
                expires,
                clock.instant(),
                false);
        synchronized (known) {
            perRequest.check(ofRequest(request).size() + 1L, "Subscriptions of the request");
            remember(made);
        }
        try {
            RequestStore.written(store.putRecord(made.record()));
        } catch (RuntimeException e) {
            forget(made.key());
            throw e;
        }
        return made;
    }

    List<RftSubscription> ofRequest(String request) {
        Instant now = clock.instant();
        return byRequest.getOrDefault(request, List.of()).stream()
                .map(known::get)
                .filter(one -> one != null && !isOver(one, now))
                .toList();
    }

    private static boolean isOver(RftSubscription one, Instant now) {
        Instant expires = one.expires();
        return expires != null && !expires.isAfter(now);
    }

    /** The keys of all. */
    List<String> requests() {
        return List.copyOf(byRequest.keySet());
    }

    Optional<RftSubscription> find(String key) {
        return Optional.ofNullable(known.get(key)).filter(one -> !isOver(one, clock.instant()));
    }

    /** Keeps it in place of the one with its key. */
    void replace(RftSubscription changed) {
        RequestStore.written(store.putRecord(changed.record()));
        known.put(changed.key(), changed);
    }

    void destroy(String key) {
        RequestStore.written(store.deleteRecord(RftSubscription.KIND, key));
        forget(key);
    }

    /** With the request they are over. */
    void destroyOf(String request) {
        byRequest.getOrDefault(request, List.of()).forEach(this::destroy);
    }

    private void forget(String key) {
        RftSubscription gone = known.remove(key);
        if (gone != null) {
            byRequest.computeIfPresent(gone.request(), (request, keys) -> {
                List<String> left =
                        keys.stream().filter(other -> !other.equals(key)).toList();
                return left.isEmpty() ? null : left;
            });
        }
    }
}
