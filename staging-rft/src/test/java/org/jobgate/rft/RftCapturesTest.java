// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.KEY;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays what GT 4.0's real client of RFT sent, and compares with the answers that it was content with. */
class RftCapturesTest {

    private static final Pattern KEY_OF_REQUEST = Pattern.compile("(TransferKey[^>]*>)[^<]+");

    /** What differs from run to run. */
    private static final String[] FREE = {
        "TransferKey", "SubscriptionKey", "NewTerminationTime", "CurrentTime", "Address"
    };

    private static TestDoor door;

    @BeforeAll
    static void open(@TempDir Path directory) throws Exception {
        door = new TestDoor(directory);
    }

    @AfterAll
    static void close() throws Exception {
        door.close();
    }

    /** With a credential, a request and times that are there now. */
    private static String request(String number, String key) throws IOException {
        String later = Instant.now().plusSeconds(3600).toString();
        return KEY_OF_REQUEST
                .matcher(Capture.read(number).request())
                .replaceAll("$1" + key)
                .replaceAll("(DelegationKey[^>]*>)[^<]+", "$1" + KEY)
                .replaceAll("(Requested|Initial)TerminationTime>[^<]+", "$1TerminationTime>" + later);
    }

    private static String created() throws Exception {
        Answer answer = door.post(ALICE, "ReliableFileTransferFactoryService", request("30", ""));
        Matcher matcher = KEY_OF_REQUEST.matcher(answer.text());
        assertThat(matcher.find()).as(answer.text()).isTrue();
        return matcher.group().replaceFirst(".*>", "");
    }

    @ParameterizedTest(name = "capture {0}")
    @ValueSource(strings = {"30", "31", "32", "33", "35"})
    void theReplyIsOneThatTheClientWasContentWith(String number) throws Exception {
        Capture capture = Capture.read(number);

        Answer answer = door.post(ALICE, capture.service(), request(number, created()));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        Capture.assertSameBody(capture.reply(), answer.text(), FREE);
    }

    @Test
    void theMessageIsLikeTheOneThatTheClientUnderstood() throws Exception {
        String key = created();
        assertThat(door.post(ALICE, "ReliableFileTransferService", request("31", key))
                        .status())
                .isEqualTo(200);
        door.servers.files.put(java.net.URI.create("gsiftp://localhost:2811/tmp/a"), new byte[] {1});
        assertThat(door.post(ALICE, "ReliableFileTransferService", request("33", key))
                        .status())
                .isEqualTo(200);
        org.awaitility.Awaitility.await()
                .until(() -> door.messages.stream()
                        .anyMatch(message -> message.contains(key) && message.contains("transfersFinished>1<")));
        String last = door.messages.stream()
                .filter(message -> message.contains(key) && message.contains("transfersFinished>1<"))
                .findFirst()
                .orElseThrow();
        Capture.assertSameBody(Capture.read("34").request(), last, FREE);
    }
}
