// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.KEY;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.rft.TestDoor.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xmlunit.builder.DiffBuilder;
import org.xmlunit.diff.Diff;

/** Replays what GT 4.0's real client of RFT sent, and compares with the answers that it was content with. */
class RftCapturesTest {

    private static final Pattern KEY_OF_REQUEST = Pattern.compile("(TransferKey[^>]*>)[^<]+");

    private static TestDoor door;

    @BeforeAll
    static void open(@TempDir Path directory) throws Exception {
        door = new TestDoor(directory);
    }

    @AfterAll
    static void close() throws Exception {
        door.close();
    }

    private static List<String> capture(String number) throws IOException {
        Path captures = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "captures", "gt4");
        assumeTrue(
                Files.isDirectory(captures),
                "NOT TESTED against real clients: there are no captures at " + captures.toAbsolutePath());
        try (Stream<Path> files = Files.list(captures)) {
            return Files.readAllLines(
                    files.filter(file -> file.getFileName().toString().startsWith(number + "-"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    private static String section(List<String> lines, String title) {
        int start = lines.indexOf(title) + 1;
        int end = start;
        while (end < lines.size() && !lines.get(end).startsWith("== ")) {
            end++;
        }
        assertThat(end).as(title).isGreaterThan(start);
        return String.join("\n", lines.subList(start, end)).strip();
    }

    /** With a credential, a request and times that are there now. */
    private static String request(String number, String key) throws IOException {
        String later = Instant.now().plusSeconds(3600).toString();
        return KEY_OF_REQUEST
                .matcher(section(capture(number), "== REQUEST BODY, as on the wire (base64 trimmed) =="))
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
        List<String> lines = capture(number);
        String service = lines.stream()
                .filter(line -> line.startsWith("POST "))
                .map(line -> line.replaceAll("^POST .*/([A-Za-z]+) HTTP.*$", "$1"))
                .findFirst()
                .orElseThrow();

        Answer answer = door.post(ALICE, service, request(number, created()));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        Diff diff = DiffBuilder.compare(comparable(section(lines, "== REPLY BODY, indented ==")))
                .withTest(comparable(answer.text()))
                .ignoreWhitespace()
                .checkForSimilar()
                .build();
        assertThat(diff.hasDifferences()).as(diff + " in " + answer.text()).isFalse();
    }

    @Test
    void theMessageIsLikeTheOneThatTheClientUnderstood() throws Exception {
        List<String> lines = capture("34");
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
        Diff diff = DiffBuilder.compare(comparable(section(lines, "== REQUEST BODY, indented ==")))
                .withTest(comparable(last))
                .ignoreWhitespace()
                .checkForSimilar()
                .build();
        assertThat(diff.hasDifferences()).as(diff + " in " + last).isFalse();
    }

    /** Without the headers, which are free, and what differs from run to run. */
    private static String comparable(String envelope) {
        return envelope.replaceFirst("(?s)<(soap|SOAP-ENV):Header.*</\\1:Header>", "")
                .replaceFirst("(?s)^<\\?xml.*?\\?>", "")
                .replaceAll("(<\\w+:(?:TransferKey|SubscriptionKey)[^>]*>)[^<]+", "$1KEY")
                .replaceAll("(<\\w+:(?:NewTerminationTime|CurrentTime)[^>]*>)[^<]+", "$1TIME")
                .replaceAll("(<\\w+:Address>)[^<]+", "$1ADDRESS");
    }
}
