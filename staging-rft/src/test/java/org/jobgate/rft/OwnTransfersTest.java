// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ADMINISTRATOR;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.BOB;
import static org.jobgate.rft.TestDoor.KEY;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jobgate.access.Transfers;
import org.jobgate.access.Transfers.File;
import org.jobgate.access.Transfers.Made;
import org.jobgate.access.Transfers.Moving;
import org.jobgate.access.Transfers.Order;
import org.jobgate.access.Transfers.State;
import org.jobgate.gt4.Generation;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests to move files, without SOAP: the same ones as RFT's. */
class OwnTransfersTest extends RftDoorRoom {

    private Transfers transfers() {
        return door.transfers();
    }

    private static File copying(String from, String to) {
        return new File("gsiftp://a/" + from, "gsiftp://b/" + to, Map.of());
    }

    private Made make(@Nullable String clientId, File... files) {
        return transfers().create(door.caller(ALICE), new Order(List.of(files), KEY, clientId));
    }

    private Moving over(String id) {
        return await().atMost(1, TimeUnit.MINUTES)
                .until(
                        () -> transfers().find(door.caller(ALICE), id).orElseThrow(),
                        one -> one.state() != State.PENDING && one.state() != State.ACTIVE);
    }

    private void refused(FaultCode code, String because, Order order) {
        assertThatThrownBy(() -> transfers().create(door.caller(ALICE), order))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(code))
                .hasMessageContaining(because);
    }

    @Test
    void filesAreMovedAtOnceAndTheRequestIsThatOfRft() throws Exception {
        put("x");
        String id =
                make(null, copying("x", "1"), copying("none", "2")).request().id();
        Moving end = over(id);
        assertThat(has("1")).isTrue();
        assertThat(end.state()).isEqualTo(State.FAILED);
        assertThat(List.of(end.files(), end.done(), end.failed())).containsExactly(2, 1, 1);
        assertThat(end.bytes()).isEqualTo(1);
        assertThat(end.failure()).contains("there is no gsiftp://a/none");
        assertThat(end.created()).isBefore(end.terminates());
        assertThat(status(Generation.GT42, id)).isEqualTo("Failed");
        String other = created(Generation.GT42, copying(Generation.GT42, copy("x", "3")));
        assertThat(transfers().find(door.caller(ALICE), other).orElseThrow().state())
                .isEqualTo(State.PENDING);
        assertThat(transfers().destroy(door.caller(ALICE), id)).isTrue();
        assertThat(transfers().find(door.caller(ALICE), id)).isEmpty();
    }

    @Test
    void theSameIdOfTheClientIsTheSameRequest() {
        put("x");
        Made first = make("run 7", copying("x", "1"));
        assertThat(first.isNew()).isTrue();
        Made again = make("run 7", copying("x", "1"));
        assertThat(again.isNew()).isFalse();
        assertThat(again.request().id()).isEqualTo(first.request().id());
        assertThat(make("run 8", copying("x", "1")).isNew()).isTrue();
        refused(FaultCode.KEY_REUSED, first.request().id(), new Order(List.of(copying("x", "2")), KEY, "run 7"));
        Made ofBob = transfers().create(door.caller(BOB), new Order(List.of(copying("x", "1")), KEY, "run 7"));
        assertThat(ofBob.isNew()).isTrue();
        assertThat(transfers().list(door.caller(ALICE), null, 10)).hasSize(2);
    }

    @Test
    void requestsOfOthersAreUnknown() {
        put("x");
        String id = make(null, copying("x", "1")).request().id();
        assertThat(transfers().find(door.caller(BOB), id)).isEmpty();
        assertThat(transfers().cancel(door.caller(BOB), id)).isEmpty();
        assertThat(transfers().destroy(door.caller(BOB), id)).isFalse();
        assertThat(transfers().list(door.caller(BOB), null, 10)).isEmpty();
        assertThat(transfers().find(door.caller(ALICE), "../" + id)).isEmpty();
        assertThat(over(id).state()).isEqualTo(State.DONE);
    }

    @Test
    void administratorsSeeTheRequestsOfAllPageByPageAndOthersDoNot() throws Exception {
        put("x");
        String first = make(null, copying("x", "1")).request().id();
        String second = transfers()
                .create(door.caller(BOB), new Order(List.of(copying("x", "2")), KEY, null))
                .request()
                .id();
        List<Transfers.Owned> page = transfers().everybodys(door.caller(ADMINISTRATOR), null, 1);
        List<Transfers.Owned> rest = transfers()
                .everybodys(door.caller(ADMINISTRATOR), page.getLast().request().id(), 10);
        assertThat(rest).hasSize(1);
        assertThat(Map.of(
                        page.getFirst().request().id(), page.getFirst().subject(),
                        rest.getFirst().request().id(), rest.getFirst().subject()))
                .isEqualTo(Map.of(first, ALICE, second, BOB));
        assertThat(page.getFirst().request().id())
                .isGreaterThan(rest.getFirst().request().id());
        assertThatThrownBy(() -> transfers().everybodys(door.caller(ALICE), null, 10))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.NOT_AUTHORIZED));
    }

    private Future<Optional<Moving>> waiting(ExecutorService threads, String id, State seen) {
        return threads.submit(() -> transfers().awaitChange(door.caller(ALICE), id, seen, Duration.ofMinutes(10)));
    }

    @Test
    void whoWaitsIsAnsweredWhenTheStateIsAnother() throws Exception {
        put("x");
        String begun = created(Generation.GT42, copying(Generation.GT42, copy("x", "1")));
        String gone = created(Generation.GT42, copying(Generation.GT42, copy("x", "2")));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Moving>> first = waiting(threads, begun, State.PENDING);
            Future<Optional<Moving>> second = waiting(threads, gone, State.PENDING);
            start(Generation.GT42, begun);
            assertThat(first.get(1, TimeUnit.MINUTES).orElseThrow().state()).isNotEqualTo(State.PENDING);
            assertThat(waiting(threads, begun, State.ACTIVE)
                            .get(1, TimeUnit.MINUTES)
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.DONE);
            assertThat(transfers().destroy(door.caller(ALICE), gone)).isTrue();
            assertThat(second.get(1, TimeUnit.MINUTES)).isEmpty();
            assertThat(waiting(threads, gone, State.PENDING).get(1, TimeUnit.MINUTES))
                    .isEmpty();
        }
        Optional<Moving> same = transfers().awaitChange(door.caller(ALICE), begun, State.DONE, Duration.ofMillis(20));
        assertThat(same.orElseThrow().state()).isEqualTo(State.DONE);
        assertThat(transfers().awaitChange(door.caller(BOB), begun, State.DONE, Duration.ofMinutes(10)))
                .isEmpty();
    }

    @Test
    void requestsAreListedNewestFirstPageByPage() throws Exception {
        put("x");
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(make(null, copying("x", "n" + i)).request().id());
            Thread.sleep(3); // ids of one millisecond have no order
        }
        List<String> read = new ArrayList<>();
        String after = null;
        List<Moving> page = transfers().list(door.caller(ALICE), after, 2);
        while (!page.isEmpty()) {
            page.forEach(one -> read.add(one.id()));
            page = transfers().list(door.caller(ALICE), read.getLast(), 2);
        }
        assertThat(read).isEqualTo(made);
    }

    @Test
    void whatIsNotOverIsCancelled() throws Exception {
        put("x");
        String id =
                make(null, copying("x", "1"), copying("none", "2")).request().id();
        over(id);
        assertThat(transfers().cancel(door.caller(ALICE), id).orElseThrow().state())
                .isEqualTo(State.FAILED);
        String waiting = created(Generation.GT42, copying(Generation.GT42, copy("x", "later")));
        assertThat(transfers().cancel(door.caller(ALICE), waiting)).isPresent();
        start(Generation.GT42, waiting);
        isOver(Generation.GT42, waiting, "Cancelled");
        assertThat(has("later")).isFalse();
    }

    @Test
    void whatCannotBeIsRefusedByName() {
        put("x");
        refused(
                FaultCode.CREDENTIAL_UNUSABLE,
                "No credential is named",
                new Order(List.of(copying("x", "1")), null, null));
        refused(FaultCode.CREDENTIAL_UNUSABLE, "is gone", new Order(List.of(copying("x", "1")), "other", null));
        refused(
                FaultCode.INVALID_DESCRIPTION,
                "no option speed",
                new Order(List.of(new File("gsiftp://a/x", "gsiftp://b/1", Map.of("speed", "9"))), KEY, null));
        refused(
                FaultCode.INVALID_DESCRIPTION,
                "cannot be moved with gopher",
                new Order(List.of(new File("gopher://a/x", "gsiftp://b/1", Map.of())), KEY, null));
        refused(
                FaultCode.LIMIT_EXCEEDED,
                "staging.maxRequestFiles",
                new Order(Collections.nCopies(51, copying("x", "1")), KEY, null));
        assertThatThrownBy(() -> transfers()
                        .create(door.caller("/O=Grid/CN=nobody"), new Order(List.of(copying("x", "1")), KEY, null)))
                .hasMessageContaining("nobody may");
        assertThat(transfers().list(door.caller(ALICE), null, 10)).isEmpty();
    }
}
