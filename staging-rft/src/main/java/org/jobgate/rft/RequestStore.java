// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests in the store: what was asked for, and how it stands, apart, for only the latter changes. A request is there when its state is.
 * What is put is on disk when a call returns.
 */
final class RequestStore {

    static final String REQUEST = "rft.request";
    static final String STATE = "rft.state";
    private static final int PAGE = 500;

    private final DoorRecords store;
    private final Clock clock;
    private final JsonMapper mapper = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    RequestStore(DoorRecords store, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    void create(StoredRequest request, StoredState state) {
        Writes.await(store.putRecord(record(REQUEST, request, request)));
        put(request, state);
    }

    void put(StoredRequest request, StoredState state) {
        Writes.await(store.putRecord(record(STATE, request, state)));
    }

    private DoorRecord record(String kind, StoredRequest request, Object body) {
        return new DoorRecord(
                kind, request.key(), request.id(), request.owner(), mapper.writeValueAsString(body), clock.instant());
    }

    Optional<StoredRequest> request(String key) {
        return store.findRecord(REQUEST, key).map(this::readRequest);
    }

    Optional<StoredState> state(String key) {
        return store.findRecord(STATE, key).map(record -> read(record, StoredState.class));
    }

    /** Builds of before 26 November 2026 stored the address of the delegation service and a question mark before the key. */
    private StoredRequest readRequest(DoorRecord record) {
        StoredRequest request = read(record, StoredRequest.class);
        String credential = request.credential();
        int mark = credential == null ? -1 : credential.lastIndexOf('?');
        return credential == null || mark < 0 ? request : request.withCredential(credential.substring(mark + 1));
    }

    private <T> T read(DoorRecord record, Class<T> type) {
        try {
            return mapper.readValue(record.body(), type);
        } catch (JacksonException e) {
            throw new IllegalStateException("the record " + record.kind() + " " + record.id() + " is damaged", e);
        }
    }

    /** Goes first: without it there is no request. */
    boolean deleteState(String key) {
        return Writes.await(store.deleteRecord(STATE, key));
    }

    boolean deleteRequest(String key) {
        return Writes.await(store.deleteRecord(REQUEST, key));
    }

    /** Shows each request's owner and key, and its state. */
    void eachState(BiConsumer<DoorRecord, StoredState> consumer) {
        String after = "";
        List<DoorRecord> page = store.listRecords(STATE, after, PAGE);
        while (!page.isEmpty()) {
            page.forEach(record -> consumer.accept(record, read(record, StoredState.class)));
            after = page.getLast().id();
            page = store.listRecords(STATE, after, PAGE);
        }
    }

    /** What is left of requests whose creation or end the service's own end cut short. */
    List<StoredRequest> torn() {
        List<StoredRequest> torn = new ArrayList<>();
        String after = "";
        List<DoorRecord> page = store.listRecords(REQUEST, after, PAGE);
        while (!page.isEmpty()) {
            page.stream()
                    .filter(record -> store.findRecord(STATE, record.id()).isEmpty())
                    .forEach(record -> torn.add(readRequest(record)));
            after = page.getLast().id();
            page = store.listRecords(REQUEST, after, PAGE);
        }
        return torn;
    }
}
