// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jobgate.job.FaultException;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests for files, in the store; what is answered of one is on disk. One is changed by one caller at a time. To anybody but its
 * owner it is unknown.
 */
final class Requests {

    static final String KIND = "srm.request";

    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);
    private static final int PAGE = 500;

    /** What is known of a request without its record. */
    private static final class Known {
        private final StoredRequest.Kind kind;
        private final String owner;
        private final String description;
        private final long created;
        private final ReentrantLock lock = new ReentrantLock();
        private volatile long until;
        private volatile boolean isOpen;
        /** The bytes of its record. */
        private volatile long bytes;
        /** Whether it was said in the log that it cannot be ended; the sweeper only. */
        private volatile boolean isTold;

        Known(StoredRequest request, long bytes) {
            this.kind = request.kind();
            this.owner = request.owner();
            this.description = request.description();
            this.created = request.created();
            isNow(request, bytes);
        }

        private void isNow(StoredRequest request, long size) {
            bytes = size;
            until = request.until();
            isOpen = request.isOpen();
        }
    }

    private final DoorRecords store;
    private final SrmSettings settings;
    private final Clock clock;
    private final Map<String, Known> all = new ConcurrentHashMap<>();

    /** How long the records are, in characters. */
    private final LongAdder ofAll = new LongAdder();

    private final Map<String, Long> ofOwners = new ConcurrentHashMap<>();

    /** Owners whose requests are being ended. */
    private final Set<String> swept = ConcurrentHashMap.newKeySet();

    private final JsonMapper mapper = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    Requests(DoorRecords store, SrmSettings settings, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads all that were made before. */
    void load(Consumer<StoredRequest> consumer) {
        String after = "";
        List<DoorRecord> page = store.listRecords(KIND, after, PAGE);
        while (!page.isEmpty()) {
            for (DoorRecord record : page) {
                StoredRequest request = read(record);
                all.put(request.token(), new Known(request, record.body().length()));
                count(request.owner(), record.body().length());
                consumer.accept(request);
            }
            after = page.getLast().id();
            page = store.listRecords(KIND, after, PAGE);
        }
    }

    private StoredRequest read(DoorRecord record) {
        try {
            return mapper.readValue(record.body(), StoredRequest.class);
        } catch (JacksonException e) {
            throw new IllegalStateException("the record " + record.kind() + " " + record.id() + " is damaged", e);
        }
    }

    long now() {
        return clock.instant().getEpochSecond();
    }

    static String newToken() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** How many are remembered. */
    long count() {
        return all.size();
    }

    /**
     * Makes room for one more of an owner, before anything is done for it. If there is no room, the owner with the most requests that are over
     * loses the oldest of these: so the many requests of one owner never displace the results of another's.
     *
     * @throws FaultException where there are too many
     */
    void admit(String owner) {
        long own = all.values().stream()
                .filter(known -> known.isOpen && known.owner.equals(owner))
                .count();
        settings.requestsPerOwner().check(own + 1, "SRM requests of yours that are not over");
        if (all.size() >= settings.requests().value()) {
            Map<String, Integer> over = new HashMap<>();
            all.values().stream()
                    .filter(known -> !known.isOpen)
                    .forEach(known -> over.merge(known.owner, 1, Integer::sum));
            over.entrySet().stream().max(Map.Entry.comparingByValue()).ifPresent(most -> forgetOldest(most.getKey()));
        }
        settings.requests().check(all.size() + 1L, "SRM requests of everybody");
    }

    /**
     * Keeps a new one.
     *
     * @throws FaultException where those that are kept are too long by then
     */
    void create(StoredRequest request) {
        String body = mapper.writeValueAsString(request);
        String owner = request.owner();
        int length = body.length();
        // those of the owner that are over are not worth more than a new one
        boolean hasRoom = false;
        while (!hasRoom
                && ofOwners.getOrDefault(owner, 0L) + length
                        > settings.bytesPerOwner().value()) {
            hasRoom = !forgetOldest(owner);
        }
        count(owner, length);
        try {
            settings.bytesPerOwner().check(ofOwners.getOrDefault(owner, 0L), "Characters in SRM requests of yours");
            settings.bytes().check(ofAll.sum(), "Characters in SRM requests of everybody");
            put(request, body);
        } catch (RuntimeException e) {
            count(owner, -length);
            throw e;
        }
        all.put(request.token(), new Known(request, length));
    }

    private void count(String owner, long more) {
        ofAll.add(more);
        ofOwners.merge(owner, more, (before, added) -> before + added == 0 ? null : Long.valueOf(before + added));
    }

    private boolean forgetOldest(String owner) {
        Optional<String> oldest = all.entrySet().stream()
                .filter(entry ->
                        !entry.getValue().isOpen && entry.getValue().owner.equals(owner))
                .min(Comparator.comparingLong(entry -> entry.getValue().until))
                .map(Map.Entry::getKey);
        oldest.ifPresent(this::forget);
        return oldest.isPresent();
    }

    private void put(StoredRequest request, String body) {
        Writes.await(
                store.putRecord(new DoorRecord(KIND, request.token(), null, request.owner(), body, clock.instant())));
    }

    /**
     * The request of that token.
     *
     * @throws SrmException where the owner has none of these kinds
     */
    StoredRequest find(String owner, String token, StoredRequest.Kind... kinds) {
        known(owner, token, kinds);
        return stored(token);
    }

    private Known known(String owner, String token, StoredRequest.Kind... kinds) {
        Known known = all.get(token);
        boolean isOne = known != null
                && known.owner.equals(owner)
                && (kinds.length == 0 || List.of(kinds).contains(known.kind));
        if (!isOne) {
            throw unknown(token);
        }
        return requireNonNull(known);
    }

    private static SrmException unknown(String token) {
        return SrmException.invalid("There is no such request with the token '" + Surl.shown(token)
                + "': it was never made, is somebody else's, or was over some time ago.");
    }

    private StoredRequest stored(String token) {
        return store.findRecord(KIND, token).map(this::read).orElseThrow(() -> unknown(token));
    }

    /** The request of that token, of any owner; none if it is not remembered. */
    Optional<StoredRequest> look(String token) {
        return all.containsKey(token) ? store.findRecord(KIND, token).map(this::read) : Optional.empty();
    }

    /**
     * Changes a request, and answers what it has become.
     *
     * @param change answers the same request where nothing is to be changed
     * @throws SrmException where the owner has none of these kinds
     */
    StoredRequest change(String owner, String token, UnaryOperator<StoredRequest> change, StoredRequest.Kind... kinds) {
        return change(known(owner, token, kinds), token, change);
    }

    private StoredRequest change(Known known, String token, UnaryOperator<StoredRequest> change) {
        known.lock.lock();
        try {
            StoredRequest before = stored(token);
            StoredRequest after = change.apply(before);
            if (before.isOpen() && !after.isOpen()) {
                after = after.until(now() + settings.kept().toSeconds());
            }
            if (!after.equals(before)) {
                String body = mapper.writeValueAsString(after);
                put(after, body);
                count(known.owner, body.length() - known.bytes);
                known.isNow(after, body.length());
            }
            return after;
        } finally {
            known.lock.unlock();
        }
    }

    /** The tokens of an owner's requests, the oldest first. */
    List<String> tokens(String owner) {
        return all.entrySet().stream()
                .filter(entry -> entry.getValue().owner.equals(owner))
                .sorted(Comparator.comparingLong((Map.Entry<String, Known> entry) -> entry.getValue().created)
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The owner's own words for a request that is there, and when it was made. */
    String description(String token) {
        Known known = all.get(token);
        return known == null ? "" : known.description;
    }

    long created(String token) {
        Known known = all.get(token);
        return known == null ? 0 : known.created;
    }

    /**
     * Ends those whose time is over, and forgets those that were over long enough. Each owner has a thread: where the files of one hang,
     * the requests of the others end all the same.
     *
     * @param end ends one; what it answers is kept
     * @param patience for how long it is waited for them
     */
    void sweep(UnaryOperator<StoredRequest> end, Duration patience) throws InterruptedException {
        long now = now();
        Map<String, List<String>> due = new HashMap<>();
        all.forEach((token, known) -> {
            if (known.until <= now) {
                due.computeIfAbsent(known.owner, owner -> new ArrayList<>()).add(token);
            }
        });
        List<Thread> begun = new ArrayList<>();
        due.forEach((owner, tokens) -> {
            if (swept.add(owner)) {
                begun.add(Thread.ofVirtual().name("srm-sweeper").start(() -> {
                    try {
                        tokens.forEach(token -> sweep(token, end));
                    } finally {
                        swept.remove(owner);
                    }
                }));
            }
        });
        Instant until = Instant.now().plus(patience);
        for (Thread thread : begun) {
            Duration left = Duration.between(Instant.now(), until);
            thread.join(left.isPositive() ? left : Duration.ofNanos(1));
        }
    }

    private void sweep(String token, UnaryOperator<StoredRequest> end) {
        Known known = all.get(token);
        if (known == null) {
            return;
        }
        try {
            if (known.isOpen) {
                change(known, token, end);
            } else {
                forget(token);
            }
        } catch (RuntimeException e) {
            if (!known.isTold) {
                known.isTold = true;
                LOG.warn("The SRM request {} could not be ended; that is tried again", token, e);
            }
        }
    }

    private void forget(String token) {
        Writes.await(store.deleteRecord(KIND, token));
        Known known = all.remove(token);
        if (known != null) {
            count(known.owner, -known.bytes);
        }
    }
}
