// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.DoorRecords;
import org.jobgate.transfer.Tally;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that there are: made, started, cancelled, ended in their time. All of it is in the store before a call returns; after a
 * restart, {@code kill -9} included, what was started goes on.
 */
final class RftRequests implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RftRequests.class);
    private static final int LOCKS = 64;
    private static final Duration SWEEP = Duration.ofSeconds(15);

    /** What is kept of each in memory: the rest is in the store. */
    private record Known(String owner, Instant terminates) {}

    private final RftSettings settings;
    private final TransferEngine engine;
    private final RequestStore store;
    private final Clock clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final Object admission = new Object();
    private final List<Lock> changing =
            Stream.generate(() -> (Lock) new ReentrantLock()).limit(LOCKS).toList();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("rft-sweep").daemon().factory());
    private volatile Consumer<String> changed = key -> {};
    private volatile Consumer<String> turned = key -> {};
    private volatile Consumer<String> destroyed = key -> {};

    RftRequests(RftSettings settings, TransferEngine engine, DoorRecords store, Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.engine = requireNonNull(engine, "engine is null");
        this.store = new RequestStore(store, clock);
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Names who is told the key of a request that has changed, whose status is another, or that was destroyed. All must return at once.
     */
    void listen(Consumer<String> onChange, Consumer<String> onTurn, Consumer<String> onDestroy) {
        changed = onChange;
        turned = onTurn;
        destroyed = onDestroy;
    }

    /**
     * A request as it is in this moment. What was asked for is read when it is wanted only: it may be long, and who asks again and again
     * how a request stands does not want it.
     */
    static final class Present {

        private final String key;
        private final String owner;
        private final StoredState state;
        private final Tally tally;
        private final Supplier<StoredRequest> reading;

        private Present(String key, String owner, StoredState state, Tally tally, Supplier<StoredRequest> reading) {
            this.key = key;
            this.owner = owner;
            this.state = state;
            this.tally = tally;
            this.reading = reading;
        }

        String key() {
            return key;
        }

        String owner() {
            return owner;
        }

        StoredState state() {
            return state;
        }

        Tally tally() {
            return tally;
        }

        /**
         * The request as it was submitted, read again at each call.
         *
         * @throws GoneRequestException if it has been destroyed meanwhile
         */
        StoredRequest request() {
            return reading.get();
        }

        RequestStatus status() {
            if (state.ended() != null) {
                return RequestStatus.ofEnd(tally);
            }
            return state.started() == null ? RequestStatus.PENDING : RequestStatus.ACTIVE;
        }
    }

    /** Reads the stored requests, and goes on with them. */
    void start() {
        store.torn().forEach(request -> {
            engine.forget(request.id());
            store.deleteRequest(request.key());
        });
        Set<String> running = new HashSet<>();
        store.eachState((record, state) -> {
            known.put(record.id(), new Known(String.valueOf(record.owner()), state.terminates()));
            if (state.isRunning()) {
                running.add(record.id());
            }
        });
        for (String key : running) {
            store.request(key).ifPresent(this::work);
        }
        var unused =
                timer.scheduleWithFixedDelay(this::sweep, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Keeps a new request; nothing is moved yet.
     *
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where there are too many
     */
    StoredState create(StoredRequest request, Instant terminates) {
        return create(request, new StoredState(terminates, null, null, null));
    }

    /**
     * Keeps a new request that is begun at once, both by the one write that makes it: nothing can come between, after which nobody would
     * ever begin it.
     *
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where there are too many
     */
    Present createBegun(StoredRequest request, Instant terminates) {
        StoredState state = create(request, new StoredState(terminates, clock.instant(), null, null));
        turned.accept(request.key());
        work(request);
        return present(request.key())
                .orElseGet(() -> new Present(
                        request.key(),
                        request.owner(),
                        state,
                        RequestStatus.counted(standing(request)),
                        () -> request));
    }

    private StoredState create(StoredRequest request, StoredState state) {
        synchronized (admission) {
            settings.requests().check(known.size() + 1L, "Requests to move files");
            long own = known.values().stream()
                    .filter(other -> other.owner().equals(request.owner()))
                    .count();
            settings.requestsPerOwner().check(own + 1, "Requests of " + request.owner() + " to move files");
            known.put(request.key(), new Known(request.owner(), state.terminates()));
        }
        try {
            store.create(request, state);
        } catch (RuntimeException e) {
            known.remove(request.key());
            throw e;
        }
        return state;
    }

    /** The request, if it is the owner's. */
    Optional<Present> find(String owner, String key) {
        return isOf(owner, key) ? present(key) : Optional.empty();
    }

    /** The keys of the owner's requests, in no order. */
    List<String> keys(String owner) {
        return known.keySet().stream().filter(key -> isOf(owner, key)).toList();
    }

    /** The keys of all requests, in no order; one whose time is over may be among them until it is swept away. */
    List<String> keys() {
        return List.copyOf(known.keySet());
    }

    private boolean isOf(String owner, String key) {
        Known one = known.get(key);
        return one != null && one.owner().equals(owner) && one.terminates().isAfter(clock.instant());
    }

    /** How it stands; empty where there is none. */
    Optional<Present> present(String key) {
        Known one = known.get(key);
        Optional<StoredState> state = store.state(key);
        if (one == null || state.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Present(key, one.owner(), state.get(), tally(key, state.get()), () -> requested(key)));
        } catch (GoneRequestException e) {
            return Optional.empty();
        }
    }

    private StoredRequest requested(String key) {
        return store.request(key).orElseThrow(() -> new GoneRequestException(key));
    }

    private Tally tally(String key, StoredState state) {
        Tally last = state.tally();
        return last != null
                ? last
                : engine.tally(StoredRequest.orderId(key))
                        .orElseGet(() -> RequestStatus.counted(standing(requested(key))));
    }

    /** How each file of the request stands, in their order. */
    List<TransferRecord> standing(StoredRequest request) {
        return engine.standing(request.order());
    }

    /**
     * Begins to work on it; answers whether it had not been started before.
     *
     * @throws GoneRequestException if it has been destroyed meanwhile, which stays so
     */
    boolean begin(Present present) {
        if (present.state().started() != null) {
            return false;
        }
        StoredRequest request = present.request();
        boolean isFirst = alone(request.key(), () -> {
            StoredState now = store.state(request.key()).orElseThrow(() -> new GoneRequestException(request.key()));
            if (now.started() == null) {
                store.put(request, now.startedAt(clock.instant()));
            }
            return now.started() == null;
        });
        if (isFirst) {
            turned.accept(request.key());
            work(request);
        }
        return isFirst;
    }

    /** One change of a request at a time. */
    private <T> T alone(String key, Supplier<T> change) {
        Lock lock = changing.get(Math.floorMod(key.hashCode(), changing.size()));
        lock.lock();
        try {
            return change.get();
        } finally {
            lock.unlock();
        }
    }

    private void work(StoredRequest request) {
        TransferRequest order = request.order();
        var unused = engine.submit(order, () -> changed.accept(request.key()))
                .thenAcceptAsync(
                        result -> over(request, result.tally()),
                        command -> Thread.ofVirtual().start(command))
                .exceptionally(e -> {
                    LOG.error("What came of {} could not be written down; the next start sees to it", order.id(), e);
                    return null;
                });
        changed.accept(request.key());
    }

    private void over(StoredRequest request, Tally tally) {
        boolean isThere = alone(request.key(), () -> {
            Optional<StoredState> now = store.state(request.key());
            now.ifPresent(state -> store.put(request, state.endedAt(clock.instant(), tally)));
            return now.isPresent();
        });
        if (isThere) {
            turned.accept(request.key());
            changed.accept(request.key());
        }
    }

    /** Cancels the files at these places, from 0. */
    void cancel(Present present, Set<Integer> places) {
        if (present.state().ended() == null) {
            engine.cancel(present.request().order(), places);
            changed.accept(present.key());
        }
    }

    /**
     * Sets when it ends.
     *
     * @throws GoneRequestException if it has been destroyed meanwhile, which stays so
     * @throws FaultException of code {@code INVALID_TERMINATION_TIME}
     */
    Instant endAt(Present present, Instant wanted) {
        Instant time = allowed(wanted);
        StoredRequest request = present.request();
        return alone(request.key(), () -> {
            StoredState now = store.state(request.key()).orElseThrow(() -> new GoneRequestException(request.key()));
            store.put(request, now.terminating(time));
            known.put(request.key(), new Known(request.owner(), time));
            return time;
        });
    }

    /** The time if it may be; one that is later than may be is refused. */
    Instant allowed(Instant wanted) {
        Instant now = clock.instant();
        if (!wanted.isAfter(now)) {
            throw refused("The termination time " + wanted + " is past.", "Ask for a later one; compare the clocks.");
        }
        if (wanted.isAfter(now.plus(settings.longestLifetime()))) {
            throw refused(
                    "The termination time " + wanted + " is more than staging.maxRequestLifetime = "
                            + settings.longestLifetime().toSeconds() + " s from now.",
                    "Ask for an earlier one.");
        }
        return wanted;
    }

    private static FaultException refused(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.INVALID_TERMINATION_TIME, sentence, remedy));
    }

    /** The end of a request that names none. */
    Instant latest() {
        return clock.instant().plus(settings.longestLifetime());
    }

    /** Stops it and forgets it. */
    void destroy(String key) {
        Optional<StoredRequest> request = store.request(key);
        if (request.isPresent()) {
            engine.cancel(StoredRequest.orderId(key)).join();
            alone(key, () -> store.deleteState(key));
            turned.accept(key); // it can be found no more
            engine.forget(request.get().id());
            store.deleteRequest(key);
        }
        known.remove(key);
        turned.accept(key);
        destroyed.accept(key);
    }

    private void sweep() {
        Instant now = clock.instant();
        known.forEach((key, one) -> {
            if (!one.terminates().isAfter(now)) {
                try {
                    destroy(key);
                } catch (RuntimeException e) {
                    LOG.error("The request {} is over its time and could not be ended; it is tried again", key, e);
                }
            }
        });
    }

    /** Figures of the factory. */
    record Figures(int requests, TransferEngine.Figures engine) {}

    Figures figures() {
        return new Figures(known.size(), engine.figures());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
