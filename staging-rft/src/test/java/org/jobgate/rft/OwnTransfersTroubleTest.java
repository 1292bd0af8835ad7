// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.KEY;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.access.Transfers.File;
import org.jobgate.access.Transfers.Made;
import org.jobgate.access.Transfers.Order;
import org.jobgate.access.Transfers.State;
import org.jobgate.gt4.Generation;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to move files where the store fails, the service ends in the middle, or another destroys what is asked for. */
class OwnTransfersTroubleTest extends RftDoorRoom {

    private static Made make(TestDoor at, String clientId) {
        return at.transfers().create(at.caller(ALICE), new Order(List.of(copying()), KEY, clientId));
    }

    private static File copying() {
        return new File("gsiftp://a/x", "gsiftp://b/1", Map.of());
    }

    private static void isDone(TestDoor at, String id) {
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(at.transfers()
                                .find(at.caller(ALICE), id)
                                .orElseThrow()
                                .state())
                        .isEqualTo(State.DONE));
    }

    /** Before the next look for a record of this kind, that comes after one of the first kind, the request is destroyed. */
    private void destroyBefore(String first, String kind, String id) {
        AtomicBoolean isNear = new AtomicBoolean();
        door.beforeLookup = looked -> {
            if (isNear.get() && looked.equals(kind)) {
                door.beforeLookup = unused -> {};
                assertThat(door.transfers().destroy(door.caller(ALICE), id)).isTrue();
            }
            isNear.compareAndSet(false, looked.equals(first));
        };
    }

    @Test
    void whatCannotBeBegunIsMadeByARepeatOfItsKey() {
        put("x");
        door.unwritable = record ->
                record.kind().equals(RequestStore.STATE) && !record.body().contains("\"started\":null");
        assertThatThrownBy(() -> make(door, "run 7"))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE));
        assertThat(door.transfers().list(door.caller(ALICE), null, 10)).isEmpty();
        door.unwritable = record -> false;
        Made again = make(door, "run 7");
        isDone(door, again.request().id());
        assertThat(has("1")).isTrue();
        assertThat(door.transfers().list(door.caller(ALICE), null, 10)).hasSize(1);
    }

    @Test
    void whatAnEarlierBuildMadeAndDidNotBeginIsBegunByARepeatOfItsKey(@TempDir Path other) throws Exception {
        Path state = Files.createDirectory(other.resolve("state"));
        String id = OwnTransfers.marked(Clock.systemUTC(), ALICE, "run 7").toString();
        StoredRequest.File file = new StoredRequest.File(
                copying().source(), copying().destination(), copying().options());
        try (JobStore store = TestStores.sqlite(state)) {
            new RequestStore(store, Clock.systemUTC())
                    .create(
                            new StoredRequest(id, ALICE, "account", KEY, 0, 0, false, List.of(file)),
                            new StoredState(Instant.now().plus(Duration.ofHours(1)), null, null, null));
        }
        try (TestDoor next = new TestDoor(state, filesOf("x"))) {
            Made again = make(next, "run 7");
            assertThat(again.isNew()).isFalse();
            assertThat(again.request().id()).isEqualTo(id);
            assertThat(again.request().state()).isNotEqualTo(State.PENDING);
            isDone(next, id);
            assertThat(make(next, "run 7").request().state()).isEqualTo(State.DONE);
        }
    }

    private Map<URI, byte[]> filesOf(String name) {
        put(name);
        return door.servers.files;
    }

    @Test
    void whatIsDestroyedMeanwhileIsUnknownToWhoCancels() {
        put("x");
        String id = make(door, "run 7").request().id();
        isDone(door, id);
        destroyBefore(RequestStore.STATE, RequestStore.REQUEST, id);
        assertThat(door.transfers().cancel(door.caller(ALICE), id)).isEmpty();
        assertThat(door.transfers().find(door.caller(ALICE), id)).isEmpty();
    }

    @Test
    void whatIsDestroyedMeanwhileIsMadeAnewByARepeatOfItsKey() {
        put("x");
        String id = make(door, "run 7").request().id();
        isDone(door, id);
        destroyBefore(RequestStore.STATE, RequestStore.REQUEST, id);
        Made again = make(door, "run 7");
        assertThat(again.isNew()).isTrue();
        assertThat(again.request().id()).isNotEqualTo(id);
        isDone(door, again.request().id());
    }

    @Test
    void whatIsDestroyedMeanwhileIsNotBegun() throws Exception {
        put("x");
        String id = created(Generation.GT42, copying(Generation.GT42, copy("x", "1")));
        destroyBefore(RequestStore.REQUEST, RequestStore.STATE, id);
        refused(
                ALICE,
                Generation.GT42,
                RftNames.SERVICE,
                id,
                rft(Generation.GT42, "start", ""),
                "ResourceUnknownFault");
        assertThat(door.store.countRecords(RequestStore.STATE)).isZero();
        assertThat(has("1")).isFalse();
    }
}
