// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.srm.SrmRoom.code;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jobgate.soap.Answer;
import org.jobgate.srm.StoredRequest.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of requests, and how they end. */
class RequestsTest {

    @TempDir
    Path folder;

    private SrmRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new SrmRoom(folder);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private static StoredRequest request(String token, String owner) {
        StoredRequest.File file = new StoredRequest.File(
                "srm://h/work/f", "work/f", Code.SRM_FILE_PINNED, null, "gsiftp://x/f", null, false, 1, null);
        return new StoredRequest(token, Kind.PREPARE_TO_GET, owner, "account", "", 1, 2, List.of(file));
    }

    @Test
    void aRequestThatCannotBeEndedKeepsThoseOfOthersFromNothing() throws Exception {
        Requests requests = room.requests();
        requests.create(request("a", SrmRoom.ALICE));
        requests.create(request("b", SrmRoom.BOB));
        CountDownLatch hanging = new CountDownLatch(1);
        try {
            await().until(() -> {
                requests.sweep(
                        request -> {
                            if (request.owner().equals(SrmRoom.ALICE)) {
                                SrmCopyTest.await(hanging);
                            }
                            return request.withFiles(file -> file.as(new Status(Code.SRM_FILE_LIFETIME_EXPIRED, null)));
                        },
                        Duration.ofMillis(500));
                return !requests.find(SrmRoom.BOB, "b").isOpen();
            });
            assertThat(requests.find(SrmRoom.ALICE, "a").isOpen()).isTrue();
        } finally {
            hanging.countDown();
        }
    }

    @Test
    void whereThereIsNoRoomTheOwnerOfMostThatAreOverLosesOne() {
        Requests requests = room.requests(4);
        List<String> tokens = List.of("b", "a1", "a2", "a3");
        for (String token : tokens) {
            StoredRequest open = request(token, token.equals("b") ? SrmRoom.BOB : SrmRoom.ALICE);
            requests.create(open.withFiles(file -> file.as(Status.SUCCESS)).until(10 + tokens.indexOf(token)));
        }

        requests.admit(SrmRoom.ALICE);

        assertThat(requests.tokens(SrmRoom.BOB)).containsExactly("b");
        assertThat(requests.tokens(SrmRoom.ALICE)).containsExactlyInAnyOrder("a2", "a3");
    }

    private Answer gets() {
        String one = "<requestArray><sourceSURL>srm://h/work/" + "f".repeat(100) + "</sourceSURL></requestArray>";
        return room.ask("srmPrepareToGet", "<arrayOfFileRequests>" + one.repeat(20) + "</arrayOfFileRequests>");
    }

    /** What has no room is refused by name, counted at no server, and has room when others are over. */
    @Test
    void whatIsRememberedOfAnOwnerIsBounded() throws Exception {
        Files.writeString(room.work().resolve("f".repeat(100)), "1");
        String first = gets().one("requestToken");
        int kept = 1;
        Answer last = gets();
        while (code(last).equals("SRM_SUCCESS") && kept < 10) {
            kept++;
            last = gets();
        }
        assertThat(code(last)).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(last.one("explanation")).contains("srm.maxRequestSizesPerOwner = 20000");
        assertThat(room.active()).isEqualTo(20L * kept);
        assertThat(code(room.ask("srmReleaseFiles", "<requestToken>" + first + "</requestToken>")))
                .isEqualTo("SRM_SUCCESS");
        assertThat(code(gets())).isEqualTo("SRM_SUCCESS");
        assertThat(code(room.ask("srmStatusOfGetRequest", "<requestToken>" + first + "</requestToken>")))
                .as("forgotten for the new one")
                .isEqualTo("SRM_INVALID_REQUEST");
    }
}
