// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.access.Transfers;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Requests to move files as HTTP has them; that files are moved is tested with RFT's door, whose requests they are. */
class TransferOperationsTest extends ApiRoom {

    private static final Instant NOW = Instant.parse("2026-11-26T20:00:00Z");
    private static final String COPY =
            "{\"files\": [{\"source\": \"https://a/x\", \"destination\": \"file:///tmp/x\"}]}";

    /** Keeps what it is given, under its owner; a key is the id. */
    private static final class Kept implements Transfers {

        private final Map<String, Map<String, Moving>> kept = new LinkedHashMap<>();
        private @Nullable Order last;
        private int made;
        private final List<String> waits = new ArrayList<>();

        @Override
        public Made create(Caller caller, Order order) {
            String owner = caller.subject();
            String key = order.clientId();
            String id = key == null ? "t" + ++made : key;
            Map<String, Moving> own = kept.computeIfAbsent(owner, subject -> new LinkedHashMap<>());
            boolean isNew = !own.containsKey(id);
            if (order.files().getFirst().source().startsWith("gopher")) {
                throw new FaultException(
                        Fault.of(FaultCode.INVALID_DESCRIPTION, "Nothing is known of it.", "Correct it."));
            }
            last = order;
            own.putIfAbsent(
                    id, new Moving(id, State.ACTIVE, order.files().size(), 0, 0, 5, NOW, NOW.plusSeconds(60), null));
            return new Made(own.get(id), isNew);
        }

        private Map<String, Moving> of(String owner) {
            return kept.getOrDefault(owner, Map.of());
        }

        @Override
        public Optional<Moving> find(Caller caller, String id) {
            return Optional.ofNullable(of(caller.query(OwnedKind.TRANSFERS)).get(id));
        }

        @Override
        public Optional<Moving> awaitChange(Caller caller, String id, State seen, Duration timeout) {
            waits.add(seen + " " + timeout.toSeconds());
            return find(caller, id).map(one -> new Moving(id, State.DONE, 1, 1, 0, 5, NOW, NOW.plusSeconds(60), null));
        }

        @Override
        public List<Moving> list(Caller caller, @Nullable String after, int limit) {
            return of(caller.query(OwnedKind.TRANSFERS)).values().stream()
                    .filter(one -> after == null || one.id().compareTo(after) > 0)
                    .limit(limit)
                    .toList();
        }

        @Override
        public List<Owned> everybodys(Caller caller, @Nullable String after, int limit) {
            var unused = caller.lookAsAdministrator("look");
            return kept.entrySet().stream()
                    .flatMap(owner -> owner.getValue().values().stream().map(one -> new Owned(owner.getKey(), one)))
                    .filter(one -> after == null || one.request().id().compareTo(after) > 0)
                    .limit(limit)
                    .toList();
        }

        @Override
        public Optional<Moving> cancel(Caller caller, String id) {
            String owner = caller.manage(OwnedKind.TRANSFERS);
            return Optional.ofNullable(of(owner).get(id))
                    .map(one -> new Moving(id, State.FAILED, 1, 0, 1, 5, NOW, NOW.plusSeconds(60), "a \"fault\""));
        }

        @Override
        public boolean destroy(Caller caller, String id) {
            return of(caller.manage(OwnedKind.TRANSFERS)).remove(id) != null;
        }
    }

    private final Kept kept = new Kept();
    private boolean isOn = true;

    @Override
    @Nullable
    Transfers transfers() {
        return isOn ? kept : null;
    }

    @Test
    void aRequestIsMadeReadCancelledAndForgotten() throws Exception {
        Answer made = post(
                        ALICE,
                        "/transfers",
                        "{\"files\": [{\"source\": \"https://a/x\", \"destination\": \"file:///tmp/x\","
                                + " \"options\": {\"maxAttempts\": \"2\"}}], \"options\": {\"binary\": \"true\"}, \"credential\": \"d1\"}")
                .is(201);
        String id = made.at("/id");
        assertThat(made.header("Location")).isEqualTo("/api/v1/transfers/" + id);
        assertThat(made.json().propertyNames())
                .containsExactly("id", "state", "files", "done", "failed", "bytes", "created", "terminates");
        assertThat(made.at("/state")).isEqualTo("Active");
        Transfers.Order order = requireNonNull(kept.last);
        assertThat(order.credential()).isEqualTo("d1");
        assertThat(order.files().getFirst().options()).isEqualTo(Map.of("maxAttempts", "2", "binary", "true"));
        assertThat(get(ALICE, "/transfers/" + id).is(200).at("/created")).isEqualTo(NOW.toString());
        Answer cancelled = order(ALICE, "/transfers/" + id + "/cancel").is(200);
        assertThat(cancelled.at("/failure")).isEqualTo("a \"fault\"");
        delete(ALICE, "/transfers/" + id).is(204);
        get(ALICE, "/transfers/" + id).isProblem(404, "TRANSFER_UNKNOWN");
        delete(ALICE, "/transfers/" + id).isProblem(404, "TRANSFER_UNKNOWN");
        order(ALICE, "/transfers/" + id + "/cancel").isProblem(404, "TRANSFER_UNKNOWN");
    }

    @Test
    void whoWaitsIsToldWhenTheStateIsAnotherThanSeen() throws Exception {
        String path = "/transfers/" + post(ALICE, "/transfers", COPY).is(201).at("/id");
        assertThat(get(ALICE, path + "?wait=4").is(200).at("/state")).isEqualTo("Done");
        assertThat(get(ALICE, path + "?wait=3&seen=Active").is(200).at("/state"))
                .isEqualTo("Done");
        assertThat(kept.waits).containsExactly("ACTIVE 4", "ACTIVE 3");
        assertThat(get(ALICE, path + "?wait=20&seen=Pending").is(200).at("/state"))
                .as("it is another one already")
                .isEqualTo("Active");
        assertThat(get(ALICE, path + "?wait=0").is(200).at("/state")).isEqualTo("Active");
        assertThat(kept.waits).hasSize(2);
        get(BOB, path + "?wait=4").isProblem(404, "TRANSFER_UNKNOWN");
        Answer wrong = get(ALICE, path + "?seen=Moving").isProblem(400, "INVALID_FIELD");
        assertThat(wrong.at("/detail")).contains("Moving");
    }

    @Test
    void theSameKeyAnswersTheSameRequest() throws Exception {
        post(ALICE, "/transfers", COPY, "Idempotency-Key", "k1").is(201);
        assertThat(post(ALICE, "/transfers", COPY, "Idempotency-Key", "k1")
                        .is(200)
                        .at("/id"))
                .isEqualTo("k1");
    }

    @Test
    void requestsAreListedPageByPageAndThoseOfOthersAreNot() throws Exception {
        for (int i = 0; i < 3; i++) {
            post(ALICE, "/transfers", COPY).is(201);
        }
        Answer page = get(ALICE, "/transfers?limit=2").is(200);
        assertThat(page.json().get("transfers")).hasSize(2);
        JsonNode rest = get(ALICE, "/transfers?limit=2&cursor=" + page.at("/next"))
                .is(200)
                .json();
        assertThat(rest.get("transfers")).hasSize(1);
        assertThat(rest.has("next")).isFalse();
        assertThat(get(BOB, "/transfers").is(200).json().get("transfers")).isEmpty();
        get(BOB, "/transfers/t1").isProblem(404, "TRANSFER_UNKNOWN");
    }

    @Test
    void administratorsSeeThoseOfEverybodyWithTheirOwnersAndNobodyElseDoes() throws Exception {
        post(ALICE, "/transfers", COPY).is(201);
        post(BOB, "/transfers", COPY).is(201);
        JsonNode page = get(ADMINISTRATOR, "/admin/transfers?limit=1").is(200).json();
        JsonNode rest = get(
                        ADMINISTRATOR,
                        "/admin/transfers?cursor=" + page.get("next").asString())
                .is(200)
                .json();
        assertThat(page.at("/transfers/0/subject").asString()).isEqualTo(ALICE);
        assertThat(page.at("/transfers/0/state").asString()).isEqualTo("Active");
        assertThat(rest.at("/transfers/0/subject").asString()).isEqualTo(BOB);
        assertThat(rest.has("next")).isFalse();
        get(ALICE, "/admin/transfers?no=1").isProblem(403, "NOT_AUTHORIZED");
        get(ADMINISTRATOR, "/admin/transfers?no=1").isProblem(400, "UNKNOWN_FIELD");
        get(ADMINISTRATOR, "/admin/transfers?limit=no").isProblem(400, "INVALID_FIELD");
        send(request("/admin/transfers")).isProblem(401, "NOT_AUTHENTICATED");
    }

    @Test
    void whatIsWrongIsRefusedByName() throws Exception {
        post(ALICE, "/transfers", "{}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/transfers", "{\"files\": []}").isProblem(400, "INVALID_FIELD");
        Answer missing = post(ALICE, "/transfers", "{\"files\": [{\"source\": \"https://a/x\"}]}")
                .isProblem(400, "INVALID_FIELD");
        assertThat(missing.at("/detail")).contains("files[0].destination");
        post(ALICE, "/transfers", COPY.replace("\"files\"", "\"fils\"")).isProblem(400, "UNKNOWN_FIELD");
        post(ALICE, "/transfers", COPY.replace("https", "gopher")).isProblem(400, "INVALID_DESCRIPTION");
        get(ALICE, "/transfers?limit=no").isProblem(400, "INVALID_FIELD");
    }

    @Test
    void whereNoFilesAreMovedItIsSaid() throws Exception {
        isOn = false;
        restart();
        post(ALICE, "/transfers", COPY).isProblem(422, "UNSUPPORTED_FEATURE");
        get(ALICE, "/transfers").isProblem(422, "UNSUPPORTED_FEATURE");
    }
}
