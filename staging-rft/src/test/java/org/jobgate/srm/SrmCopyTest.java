// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.srm.SrmRoom.BOB;
import static org.jobgate.srm.SrmRoom.code;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files copied by the service itself, with a real engine and store, and servers in memory. */
class SrmCopyTest {

    private static final String SERVER = "gsiftp://other.example.org/pool/";

    @TempDir
    Path folder;

    private SrmRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new SrmRoom(folder);
        room.delegated.put("mine", Duration.ofHours(1));
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private static String copies(String... pairs) {
        StringBuilder text = new StringBuilder("<arrayOfFileRequests>");
        for (int i = 0; i < pairs.length; i += 2) {
            text.append("<requestArray><sourceSURL>").append(pairs[i]).append("</sourceSURL><targetSURL>");
            text.append(pairs[i + 1]).append("</targetSURL></requestArray>");
        }
        return text + "</arrayOfFileRequests>";
    }

    private static String here(String path) {
        return "srm://127.0.0.1" + path;
    }

    private void serve(String name, String content) {
        room.servers.files().put(URI.create(SERVER + name), content.getBytes(StandardCharsets.UTF_8));
    }

    private static String token(Answer answer) {
        return "<requestToken>" + answer.one("requestToken") + "</requestToken>";
    }

    /** Asks until the request is over. */
    private Answer over(String token) throws InterruptedException {
        Instant patience = Instant.now().plus(Duration.ofMinutes(1));
        Answer answer = room.ask("srmStatusOfCopyRequest", token);
        while (Set.of("SRM_REQUEST_QUEUED", "SRM_REQUEST_INPROGRESS").contains(code(answer))
                && Instant.now().isBefore(patience)) {
            Thread.sleep(20);
            answer = room.ask("srmStatusOfCopyRequest", token);
        }
        return answer;
    }

    private List<String> names() throws Exception {
        try (Stream<Path> all = Files.list(room.work())) {
            return all.map(path -> path.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void filesArePulledAndPushedAndCopiedHere() throws Exception {
        serve("a", "hello");
        Files.writeString(room.work().resolve("b c"), "world!");
        Answer asked = room.ask(
                "srmCopy",
                copies(
                        SERVER + "a",
                        here("/work/a"),
                        here("/work/b c"),
                        SERVER + "b",
                        here("/work/b c"),
                        here("/work/d")));
        assertThat(code(asked)).isEqualTo("SRM_REQUEST_QUEUED");
        Answer over = over(token(asked));
        assertThat(over.all("statusCode")).containsOnly("SRM_SUCCESS");
        assertThat(over.all("sourceSURL")).containsExactly(SERVER + "a", here("/work/b c"), here("/work/b c"));
        assertThat(over.all("targetSURL")).containsExactly(here("/work/a"), SERVER + "b", here("/work/d"));
        assertThat(over.all("fileSize")).containsExactly("5", "6", "6");
        assertThat(Files.readString(room.work().resolve("a"))).isEqualTo("hello");
        assertThat(Files.readString(room.work().resolve("d"))).isEqualTo("world!");
        assertThat(room.servers.files().get(URI.create(SERVER + "b")))
                .isEqualTo("world!".getBytes(StandardCharsets.UTF_8));
        assertThat(names()).containsExactly("a", "b c", "d");
        assertThat(room.servers.credentials()).containsExactly("mine");
        assertThat(room.ask(
                                "srmGetRequestSummary",
                                "<arrayOfRequestTokens><stringArray>" + asked.one("requestToken")
                                        + "</stringArray></arrayOfRequestTokens>")
                        .one("requestType"))
                .isEqualTo("COPY");
        Answer one = room.ask(
                "srmStatusOfCopyRequest",
                token(asked) + "<arrayOfSourceSURLs><urlArray>" + SERVER + "a</urlArray></arrayOfSourceSURLs>");
        assertThat(one.all("targetSURL")).containsExactly(here("/work/a"));
        assertThat(code(room.ask(BOB, "srmStatusOfCopyRequest", token(asked)))).isEqualTo("SRM_INVALID_REQUEST");
    }

    @Test
    void aFileThatComesIsSeenWhenItIsWholeAndNobodyElsePutsItMeanwhile() throws Exception {
        serve("a", "hello");
        room.servers.writings().drainPermits();
        Answer asked = room.ask("srmCopy", copies(SERVER + "a", here("/work/a")));
        assertThat(code(room.ask("srmStatusOfCopyRequest", token(asked)))).startsWith("SRM_REQUEST_");
        assertThat(room.ask("srmLs", SrmRoom.surls("/work")).all("path")).containsExactly("/work");
        assertThat(room.ask("srmCopy", copies(SERVER + "a", here("/work/a"))).all("statusCode"))
                .containsExactly("SRM_FAILURE", "SRM_FILE_BUSY");
        room.servers.writings().release(10);
        assertThat(code(over(token(asked)))).isEqualTo("SRM_SUCCESS");
        assertThat(room.ask("srmCopy", copies(SERVER + "a", here("/work/a"))).all("statusCode"))
                .containsExactly("SRM_FAILURE", "SRM_DUPLICATION_ERROR");
        serve("a", "other");
        Answer again = room.ask(
                "srmCopy", copies(SERVER + "a", here("/work/a")) + "<overwriteOption>ALWAYS</overwriteOption>");
        assertThat(code(over(token(again)))).isEqualTo("SRM_SUCCESS");
        assertThat(Files.readString(room.work().resolve("a"))).isEqualTo("other");
    }

    @Test
    void whatFailsIsToldFileByFile() throws Exception {
        serve("a", "hello");
        Answer asked = room.ask(
                "srmCopy",
                copies(
                        SERVER + "none",
                        here("/work/x"),
                        SERVER + "a",
                        here("/work/a"),
                        SERVER + "a",
                        here("/data/a"),
                        here("/work/no"),
                        SERVER + "q"));
        assertThat(asked.all("statusCode"))
                .containsExactly(
                        "SRM_REQUEST_QUEUED",
                        "SRM_REQUEST_QUEUED",
                        "SRM_REQUEST_QUEUED",
                        "SRM_AUTHORIZATION_FAILURE",
                        "SRM_INVALID_PATH");
        Answer over = over(token(asked));
        assertThat(over.all("statusCode"))
                .containsExactly(
                        "SRM_PARTIAL_SUCCESS",
                        "SRM_FAILURE",
                        "SRM_SUCCESS",
                        "SRM_AUTHORIZATION_FAILURE",
                        "SRM_INVALID_PATH");
        assertThat(over.all("explanation").get(1)).contains("there is no gsiftp://other");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void withoutACredentialTheClientIsToldHowToDelegate() throws Exception {
        room.delegated.clear();
        serve("a", "hello");
        Answer none = room.ask("srmCopy", copies(SERVER + "a", here("/work/a")));
        assertThat(code(none)).isEqualTo("SRM_AUTHENTICATION_FAILURE");
        assertThat(none.one("explanation")).contains("/gridsite-delegation");
        room.delegated.put("mine", Duration.ofHours(1));
        String wrong =
                "<sourceStorageSystemInfo><extraInfoArray><key>delegationID</key><value>%s</value></extraInfoArray>"
                        + "</sourceStorageSystemInfo>";
        assertThat(code(room.ask("srmCopy", copies(SERVER + "a", here("/work/a")) + wrong.formatted("other"))))
                .isEqualTo("SRM_AUTHENTICATION_FAILURE");
        Answer asked = room.ask("srmCopy", copies(SERVER + "a", here("/work/a")) + wrong.formatted("mine"));
        assertThat(code(over(token(asked)))).isEqualTo("SRM_SUCCESS");
    }

    /** The copy has the rights that its connection shows, whatever else the client has delegated at another time. */
    @Test
    void theCredentialOfTheConnectionIsUsedBeforeOneThatLastsLonger() throws Exception {
        serve("a", "hello");
        room.delegated.put("longer", Duration.ofHours(9));
        room.delegated.put("over", Duration.ofHours(-1));
        Answer asked = byConnection("mine", copies(SERVER + "a", here("/work/a")));
        assertThat(code(over(token(asked)))).isEqualTo("SRM_SUCCESS");
        assertThat(room.servers.credentials()).containsExactly("mine");
        for (String other : List.of("over", "never")) {
            Answer longest = byConnection(other, copies(SERVER + "a", here("/work/" + other)));
            assertThat(code(over(token(longest)))).isEqualTo("SRM_SUCCESS");
        }
        assertThat(room.servers.credentials()).containsOnly("mine", "longer");
    }

    private Answer byConnection(String delegated, String content) {
        return SrmRoom.checked(
                "srmCopy",
                room.server.post(
                        "managerv2",
                        SrmRoom.envelope("srmCopy", content),
                        SoapServer.SUBJECT,
                        SrmRoom.ALICE,
                        SoapServer.DELEGATED,
                        delegated));
    }

    @ParameterizedTest
    @CsvSource({
        "gsiftp://other.example.org/a, gsiftp://third.example.org/a, SRM_INVALID_REQUEST, Neither",
        "srm://other.example.org/x, srm://127.0.0.1/work/a, SRM_NOT_SUPPORTED, other.example.org",
        "file:///etc/passwd, srm://127.0.0.1/work/a, SRM_INVALID_REQUEST, no URL of a file at a server",
        "gopher://other.example.org/a, srm://127.0.0.1/work/a, SRM_INVALID_REQUEST, gsiftp",
        "gsiftp://other.example.org/a/, srm://127.0.0.1/work/a, SRM_INVALID_REQUEST, directory",
        "gsiftp://alice:secret@other.example.org/a, srm://127.0.0.1/work/a, SRM_INVALID_REQUEST, password",
        "nonsense, srm://127.0.0.1/work/a, SRM_INVALID_REQUEST, nonsense",
        "gsiftp://other.example.org/a, srm://127.0.0.1/work/../a, SRM_INVALID_PATH, not possible",
        "gsiftp://other.example.org/a, srm://127.0.0.1/work/no/a, SRM_INVALID_PATH, There is no",
        "srm://127.0.0.1/work/f, srm://127.0.0.1/work/f, SRM_DUPLICATION_ERROR, there already",
        "srm://127.0.0.1/work, srm://127.0.0.1/work/x, SRM_AUTHORIZATION_FAILURE, top"
    })
    void whatCannotBeCopiedIsToldAtOnce(String from, String to, String code, String words) throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Answer answer = room.ask("srmCopy", copies(from, to));
        assertThat(answer.all("statusCode")).containsExactly("SRM_FAILURE", code);
        assertThat(answer.all("explanation").getLast()).contains(words);
        assertThat(answer.all("requestToken")).isEmpty();
        assertThat(names()).containsExactly("f");
    }

    @Test
    void anAbortedCopyLeavesNothing() throws Exception {
        serve("a", "hello");
        room.servers.writings().drainPermits();
        Answer asked = room.ask("srmCopy", copies(SERVER + "a", here("/work/a"), SERVER + "a", here("/work/b")));
        assertThat(code(room.ask("srmAbortFiles", token(asked) + SrmRoom.surls("/work/a"))))
                .isEqualTo("SRM_NOT_SUPPORTED");
        assertThat(code(room.ask("srmAbortRequest", token(asked)))).isEqualTo("SRM_SUCCESS");
        assertThat(over(token(asked)).all("statusCode")).containsExactly("SRM_FAILURE", "SRM_ABORTED", "SRM_ABORTED");
        room.servers.writings().release(10);
        assertThat(names()).isEmpty();
        Answer again = room.ask("srmCopy", copies(SERVER + "a", here("/work/a")));
        assertThat(code(over(token(again)))).isEqualTo("SRM_SUCCESS");
    }

    @Test
    void aCopyWhoseTimeIsOverIsStopped() throws Exception {
        serve("a", "hello");
        room.servers.writings().drainPermits();
        Answer asked = room.ask(
                "srmCopy",
                copies(SERVER + "a", here("/work/a")) + "<desiredTotalRequestTime>60</desiredTotalRequestTime>");
        room.clock.move(Duration.ofMinutes(2));
        room.door.sweep();
        assertThat(over(token(asked)).all("statusCode")).containsExactly("SRM_FAILURE", "SRM_REQUEST_TIMED_OUT");
        assertThat(names()).isEmpty();
    }

    /** A service that ends in the middle goes on where it was, and names what had come and has no name yet. */
    @Test
    void copiesSurviveARestart() throws Exception {
        serve("a", "hello");
        serve("b", "world");
        room.servers.writings().drainPermits();
        room.servers.writings().release(1);
        Answer asked = room.ask("srmCopy", copies(SERVER + "a", here("/work/a"), SERVER + "b", here("/work/b")));
        Instant patience = Instant.now().plus(Duration.ofMinutes(1));
        while (names().isEmpty() && Instant.now().isBefore(patience)) {
            Thread.sleep(20);
        }
        room.restart();
        assertThat(code(room.ask("srmStatusOfCopyRequest", token(asked)))).startsWith("SRM_REQUEST_");
        room.servers.writings().release(10);
        assertThat(code(over(token(asked)))).isEqualTo("SRM_SUCCESS");
        assertThat(names()).containsExactly("a", "b");
    }

    /** The service is killed when the end of the request is on disk, before the engine's records are removed. */
    @Test
    void recordsOfTransfersThatACrashHasLeftAreRemovedAtTheStart() throws Exception {
        serve("a", "hello");
        Answer asked = room.ask("srmCopy", copies(SERVER + "a", here("/work/a")));
        over(token(asked));
        room.leaveTransfer(asked.one("requestToken"));
        assertThat(room.transfers()).isEqualTo(1);

        room.restart();

        assertThat(room.transfers()).isZero();
        assertThat(code(room.ask("srmStatusOfCopyRequest", token(asked)))).isEqualTo("SRM_SUCCESS");
    }
}
