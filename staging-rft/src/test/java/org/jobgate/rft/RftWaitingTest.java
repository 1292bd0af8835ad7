// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are answered when the status changes, or when the service stops. */
class RftWaitingTest extends RftDoorRoom {

    /** The answer to a client that saw this status and waits. */
    private CompletableFuture<String> awaited(Generation generation, String key, String seen, int millis) {
        String body = "<GetResourceProperty xmlns='" + generation.wsrp() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "'>r:RequestStatusProperty</GetResourceProperty>";
        String wait = "<w:Wait xmlns:w='https://jobgate.org/ns/2026/wait' timeoutMs='" + millis + "' state='" + seen
                + "'/></s:Header>";
        String message = envelope(generation, key, body).replace("</s:Header>", wait);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Answer answer = door.post(ALICE, SERVICE, message);
                        return answer.status() == 200
                                ? child(answer.body().children().getFirst(), "requestStatus")
                                        .text()
                                : answer.text();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsIsAnsweredWhenTheStatusChanges(Generation generation) throws Exception {
        put("x");
        String key = created(generation, copying(generation, copy("x", "1")));
        assertThat(awaited(generation, key, "Active", 120_000).get(1, TimeUnit.MINUTES))
                .as("what the client saw is past")
                .isEqualTo("Pending");
        assertThat(awaited(generation, key, "Pending", 100).get(1, TimeUnit.MINUTES))
                .as("the time is over")
                .isEqualTo("Pending");

        door.servers.writings.drainPermits();
        CompletableFuture<String> waiting = awaited(generation, key, "Pending", 120_000);
        waitersAre(1);
        start(generation, key);
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("Active");

        CompletableFuture<String> one = awaited(generation, key, "Active", 120_000);
        CompletableFuture<String> two = awaited(generation, key, "Active", 120_000);
        waitersAre(2);
        assertThat(awaited(generation, key, "Active", 120_000).get(1, TimeUnit.MINUTES))
                .as("no place is free")
                .isEqualTo("Active");
        assertThat(List.of(one.isDone(), two.isDone())).containsOnly(false);
        door.servers.writings.release(1_000_000);
        assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo("Done");
        assertThat(two.get(1, TimeUnit.MINUTES)).isEqualTo("Done");

        CompletableFuture<String> last = awaited(generation, key, "Done", 120_000);
        waitersAre(1);
        answer(generation, SERVICE, key, "<Destroy xmlns='" + generation.wsrl() + "'/>");
        assertThat(last.get(1, TimeUnit.MINUTES)).contains("ResourceUnknownFault");
    }

    private void waitersAre(int number) {
        await().atMost(1, TimeUnit.MINUTES).until(() -> door.waiting.taken() == number);
    }

    @Test
    void whoWaitsIsAnsweredByTheStop() throws Exception {
        put("x");
        String key = created(Generation.GT40, copying(Generation.GT40, copy("x", "1")));
        CompletableFuture<String> waiting = awaited(Generation.GT40, key, "Pending", 120_000);
        waitersAre(1);

        door.endWaits();

        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("Pending");
        assertThat(awaited(Generation.GT40, key, "Pending", 120_000).get(1, TimeUnit.MINUTES))
                .isEqualTo("Pending");
    }
}
