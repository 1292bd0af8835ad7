// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.srm.SrmRoom.BOB;
import static org.jobgate.srm.SrmRoom.code;
import static org.jobgate.srm.SrmRoom.fileCode;
import static org.jobgate.srm.SrmRoom.surls;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jobgate.authz.Decision;
import org.jobgate.files.AccountTree;
import org.jobgate.files.ExportedTree;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files got and put by transfer URLs, asked over HTTP. */
class SrmTransfersTest {

    private static final String GSIFTP = "gsiftp://ftp.example.org/pool/";

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

    private static String protocols(String... names) {
        StringBuilder text = new StringBuilder("<transferParameters><arrayOfTransferProtocols>");
        for (String name : names) {
            text.append("<stringArray>").append(name).append("</stringArray>");
        }
        return text + "</arrayOfTransferProtocols></transferParameters>";
    }

    private static String gets(String... paths) {
        StringBuilder text = new StringBuilder("<arrayOfFileRequests>");
        for (String path : paths) {
            text.append("<requestArray><sourceSURL>srm://h").append(path).append("</sourceSURL></requestArray>");
        }
        return text + "</arrayOfFileRequests>";
    }

    private static String put(String path) {
        return "<arrayOfFileRequests><requestArray><targetSURL>srm://h" + path + "</targetSURL></requestArray>"
                + "</arrayOfFileRequests>";
    }

    private static String token(Answer answer) {
        return "<requestToken>" + answer.one("requestToken") + "</requestToken>";
    }

    /** Puts bytes where the transfer URL of a put leads to, as a file server would. */
    private Path arrive(Answer answer, String content) throws Exception {
        String url = answer.one("transferURL");
        assertThat(url).startsWith(GSIFTP);
        return Files.writeString(room.work().resolve(url.substring(GSIFTP.length())), content);
    }

    @Test
    void aFileIsGotByTheFirstProtocolThatLeadsThere() throws Exception {
        Files.writeString(room.work().resolve("a b"), "hello");
        Answer got = room.ask("srmPrepareToGet", gets("/work/a b") + protocols("root", "gsiftp", "https"));
        assertThat(code(got)).isEqualTo("SRM_SUCCESS");
        assertThat(fileCode(got)).isEqualTo("SRM_FILE_PINNED");
        assertThat(got.one("transferURL")).isEqualTo(GSIFTP + "a%20b");
        assertThat(got.one("fileSize")).isEqualTo("5");
        assertThat(Long.parseLong(got.one("remainingPinTime"))).isBetween(3_500L, 3_600L);
        Answer https = room.ask("srmPrepareToGet", gets("/work/a b") + protocols("https", "gsiftp"));
        assertThat(https.one("transferURL")).isEqualTo(SrmRoom.REST + "work/content/a%20b");
        Answer none = room.ask("srmPrepareToGet", gets("/work/a b") + protocols("root"));
        assertThat(code(none)).isEqualTo("SRM_FAILURE");
        assertThat(fileCode(none)).isEqualTo("SRM_NOT_SUPPORTED");
        assertThat(none.all("explanation").getLast()).contains("root").contains("gsiftp, https");
        assertThat(room.ask("srmGetTransferProtocols", "").all("transferProtocol"))
                .containsExactly("gsiftp", "https");
    }

    @Test
    void whatCannotBeGotIsToldFileByFile() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Files.createDirectory(room.work().resolve("d"));
        Answer answer = room.ask("srmPrepareToGet", gets("/work/f", "/work/none", "/work/d", "/work"));
        assertThat(answer.all("statusCode"))
                .containsExactly(
                        "SRM_PARTIAL_SUCCESS",
                        "SRM_FILE_PINNED",
                        "SRM_INVALID_PATH",
                        "SRM_INVALID_PATH",
                        "SRM_AUTHORIZATION_FAILURE");
        Answer status = room.ask("srmStatusOfGetRequest", token(answer));
        assertThat(status.all("statusCode")).isEqualTo(answer.all("statusCode"));
        Answer one = room.ask(
                "srmStatusOfGetRequest",
                token(answer)
                        + "<arrayOfSourceSURLs><urlArray>srm://other:1/x?SFN=/work/f</urlArray></arrayOfSourceSURLs>");
        assertThat(one.all("statusCode")).containsExactly("SRM_SUCCESS", "SRM_FILE_PINNED");
    }

    @Test
    void releasedFilesAreReleased() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Files.writeString(room.work().resolve("g"), "1");
        Answer got = room.ask("srmPrepareToGet", gets("/work/f", "/work/g"));
        Answer one = room.ask("srmReleaseFiles", token(got) + surls("/work/f", "/work/x"));
        assertThat(one.all("statusCode")).containsExactly("SRM_PARTIAL_SUCCESS", "SRM_SUCCESS", "SRM_INVALID_PATH");
        assertThat(room.ask("srmStatusOfGetRequest", token(got)).all("statusCode"))
                .containsExactly("SRM_SUCCESS", "SRM_RELEASED", "SRM_FILE_PINNED");
        assertThat(code(room.ask("srmReleaseFiles", surls("/work/g")))).isEqualTo("SRM_SUCCESS");
        assertThat(room.ask("srmStatusOfGetRequest", token(got)).all("statusCode"))
                .containsExactly("SRM_SUCCESS", "SRM_RELEASED", "SRM_RELEASED");
        assertThat(code(room.ask("srmReleaseFiles", token(got)))).isEqualTo("SRM_SUCCESS");
        assertThat(room.work().resolve("f")).exists();
    }

    @Test
    void aFileThatIsPutIsSeenWhenItIsDoneAndNotBefore() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/new") + protocols("gsiftp"));
        assertThat(fileCode(put)).isEqualTo("SRM_SPACE_AVAILABLE");
        String done = token(put) + surls("/work/new");
        Answer early = room.ask("srmPutDone", done);
        assertThat(fileCode(early)).isEqualTo("SRM_INVALID_PATH");
        assertThat(early.all("explanation").getLast()).contains("Nothing has arrived");
        Path hidden = arrive(put, "content");
        assertThat(room.ask("srmLs", surls("/work")).all("path")).containsExactly("/work");
        assertThat(room.work().resolve("new")).doesNotExist();
        assertThat(fileCode(room.ask(BOB, "srmLs", surls("/work/new")))).isEqualTo("SRM_INVALID_PATH");
        // ARC's client looks at it before it is done
        Answer own = room.ask("srmLs", surls("/work/new") + "<fullDetailedList>true</fullDetailedList>");
        assertThat(own.all("statusCode")).containsExactly("SRM_SUCCESS", "SRM_FILE_BUSY");
        assertThat(own.one("path")).isEqualTo("/work/new");
        assertThat(own.one("checkSumValue")).isEqualTo("0bcb02fc");
        assertThat(code(room.ask("srmPutDone", done))).isEqualTo("SRM_SUCCESS");
        assertThat(room.work().resolve("new")).hasContent("content");
        assertThat(hidden).doesNotExist();
        assertThat(room.ask("srmStatusOfPutRequest", token(put)).all("statusCode"))
                .containsExactly("SRM_SUCCESS", "SRM_SUCCESS");
        assertThat(code(room.ask("srmPutDone", done))).isEqualTo("SRM_SUCCESS");
    }

    @Test
    void whatHasTheNameStaysUnlessItIsToBeReplaced() throws Exception {
        Files.writeString(room.work().resolve("f"), "old");
        Files.createDirectory(room.work().resolve("d"));
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f")))).isEqualTo("SRM_DUPLICATION_ERROR");
        String always = "<overwriteOption>ALWAYS</overwriteOption>";
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/d") + always)))
                .isEqualTo("SRM_DUPLICATION_ERROR");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/no/f")))).isEqualTo("SRM_INVALID_PATH");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f/g")))).isIn("SRM_INVALID_PATH", "SRM_FAILURE");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/data/f")))).isEqualTo("SRM_AUTHORIZATION_FAILURE");
        Answer put = room.ask("srmPrepareToPut", put("/work/f") + always);
        arrive(put, "new");
        assertThat(room.work().resolve("f")).hasContent("old");
        assertThat(room.ask("srmLs", surls("/work/f")).one("size")).isEqualTo("3");
        assertThat(code(room.ask("srmPutDone", token(put) + surls("/work/f")))).isEqualTo("SRM_SUCCESS");
        assertThat(room.work().resolve("f")).hasContent("new");
    }

    @Test
    void twoPutsOfOneNameAreNotPossible() throws Exception {
        Answer first = room.ask("srmPrepareToPut", put("/work/f"));
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f")))).isEqualTo("SRM_FILE_BUSY");
        assertThat(code(room.ask("srmAbortRequest", token(first)))).isEqualTo("SRM_SUCCESS");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f")))).isEqualTo("SRM_SPACE_AVAILABLE");
        // what came in between stays
        Answer late = room.ask("srmPrepareToPut", put("/work/g"));
        Path hidden = arrive(late, "mine");
        Files.writeString(room.work().resolve("g"), "theirs");
        assertThat(fileCode(room.ask("srmPutDone", token(late) + surls("/work/g"))))
                .isEqualTo("SRM_DUPLICATION_ERROR");
        assertThat(room.work().resolve("g")).hasContent("theirs");
        assertThat(hidden).doesNotExist();
    }

    /** It may have no right to write there, and would keep those out who have. */
    @Test
    void aPutKeepsNoOtherAccountFromTheName() {
        ExportedTree shared = new ExportedTree("shared", "/srv/shared", true);
        AccountTree tree = (AccountTree) Proxy.newProxyInstance(
                AccountTree.class.getClassLoader(),
                new Class<?>[] {AccountTree.class},
                (proxy, method, values) -> shared);
        Trees.Spot spot = new Trees.Spot(tree, List.of("d", "f"));
        assertThat(PutFiles.key("bob", spot)).isNotEqualTo(PutFiles.key("mallory", spot));
        assertThat(PutFiles.key("bob", spot)).isEqualTo(PutFiles.key("bob", spot));
    }

    @Test
    void anAbortedPutLeavesNothing() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/f"));
        Path hidden = arrive(put, "half");
        assertThat(code(room.ask("srmAbortFiles", token(put) + surls("/work/f", "/work/x"))))
                .isEqualTo("SRM_PARTIAL_SUCCESS");
        assertThat(hidden).doesNotExist();
        assertThat(room.ask("srmStatusOfPutRequest", token(put)).all("statusCode"))
                .containsExactly("SRM_FAILURE", "SRM_ABORTED");
    }

    @Test
    void anAbandonedPutIsRemovedAndForgottenLater() throws Exception {
        Answer put =
                room.ask("srmPrepareToPut", put("/work/f") + "<desiredTotalRequestTime>60</desiredTotalRequestTime>");
        Path hidden = arrive(put, "half");
        room.door.sweep();
        assertThat(hidden).exists();
        room.clock.move(Duration.ofSeconds(61));
        room.trees.isDown = true;
        room.door.sweep();
        room.trees.isDown = false;
        assertThat(hidden).exists();
        room.door.sweep();
        assertThat(hidden).doesNotExist();
        assertThat(room.ask("srmStatusOfPutRequest", token(put)).all("statusCode"))
                .containsExactly("SRM_FAILURE", "SRM_REQUEST_TIMED_OUT");
        room.clock.move(Duration.ofMinutes(11));
        room.door.sweep();
        assertThat(code(room.ask("srmStatusOfPutRequest", token(put)))).isEqualTo("SRM_INVALID_REQUEST");
    }

    @Test
    void whatIsDoneOfAPutStaysDoneWhenTheNextFileFails() throws Exception {
        Answer put = room.ask(
                "srmPrepareToPut",
                put("/work/f").replace("</arrayOfFileRequests>", "")
                        + put("/work/g").replace("<arrayOfFileRequests>", "")
                        + protocols("gsiftp"));
        List<String> urls = put.all("transferURL");
        Path first = room.work().resolve(urls.getFirst().substring(GSIFTP.length()));
        Path second = room.work().resolve(urls.getLast().substring(GSIFTP.length()));
        Files.writeString(first, "one");
        Files.createSymbolicLink(second, second); // whoever looks at it has an error of the disk
        assertThat(room.ask("srmPutDone", token(put)).all("statusCode"))
                .containsExactly("SRM_PARTIAL_SUCCESS", "SRM_SUCCESS", "SRM_FAILURE");
        assertThat(room.work().resolve("f")).hasContent("one");
        Files.delete(second);
        Files.writeString(second, "two");
        assertThat(room.ask("srmPutDone", token(put)).all("statusCode"))
                .containsExactly("SRM_SUCCESS", "SRM_SUCCESS", "SRM_SUCCESS");
        assertThat(room.work().resolve("g")).hasContent("two");
    }

    /** The service is killed when a file has its name and the record does not say so yet. */
    @Test
    void aFileThatGotItsNameBeforeTheServiceWasKilledIsDone() throws Exception {
        for (String ending : List.of("srmPutDone", "srmAbortRequest")) {
            String path = "/work/" + ending;
            Answer put = room.ask("srmPrepareToPut", put(path) + protocols("gsiftp"));
            String token = put.one("requestToken");
            arrive(put, "content");
            assertThat(code(room.ask("srmPutDone", token(put) + surls(path)))).isEqualTo("SRM_SUCCESS");
            room.rewrite(token, body -> body.replace("\"SRM_SUCCESS\"", "\"SRM_SPACE_AVAILABLE\""));
            assertThat(room.ask("srmStatusOfPutRequest", token(put)).all("statusCode"))
                    .contains("SRM_SPACE_AVAILABLE");
            room.ask(ending, ending.equals("srmPutDone") ? token(put) + surls(path) : token(put));
            assertThat(room.ask("srmStatusOfPutRequest", token(put)).all("statusCode"))
                    .as(ending)
                    .containsExactly("SRM_SUCCESS", "SRM_SUCCESS");
            assertThat(room.work().resolve(ending)).hasContent("content");
        }
    }

    /** What has the name by itself is not what was put. */
    @Test
    void aFileOfAnotherSizeIsNotTakenForTheOneThatWasPut() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/new") + protocols("gsiftp"));
        Path hidden = arrive(put, "content");
        assertThat(code(room.ask("srmPutDone", token(put) + surls("/work/new"))))
                .isEqualTo("SRM_SUCCESS");
        room.rewrite(put.one("requestToken"), body -> body.replace("\"SRM_SUCCESS\"", "\"SRM_SPACE_AVAILABLE\""));
        Files.writeString(room.work().resolve("new"), "something else");
        assertThat(hidden).doesNotExist();
        assertThat(fileCode(room.ask("srmPutDone", token(put) + surls("/work/new"))))
                .isEqualTo("SRM_INVALID_PATH");
    }

    @Test
    void aPutWhoseRemainsCannotBeRemovedEndsAllTheSame() throws Exception {
        Answer refused = room.ask("srmPrepareToPut", put("/work/f") + protocols("gsiftp"));
        String url = refused.one("transferURL");
        Path hidden = room.work().resolve(url.substring(GSIFTP.length()));
        Files.createDirectories(hidden.resolve("not empty"));
        room.clock.move(Duration.ofMinutes(61));
        room.door.sweep();
        assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(refused)))).isEqualTo("SRM_REQUEST_TIMED_OUT");
        assertThat(hidden).exists();
        Answer unreachable = room.ask("srmPrepareToPut", put("/work/f"));
        assertThat(fileCode(unreachable)).isEqualTo("SRM_SPACE_AVAILABLE");
        room.clock.move(Duration.ofMinutes(61));
        room.trees.isDown = true;
        room.door.sweep();
        assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(unreachable))))
                .isEqualTo("SRM_SPACE_AVAILABLE");
        room.clock.move(Duration.ofMinutes(11));
        room.door.sweep();
        assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(unreachable))))
                .isEqualTo("SRM_REQUEST_TIMED_OUT");
    }

    @Test
    void requestsSurviveARestart() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/f") + protocols("gsiftp"));
        arrive(put, "content");
        room.door.close();
        try (SrmDoor after = room.another();
                org.jobgate.soap.SoapServer server = new org.jobgate.soap.SoapServer()) {
            server.publish(after.mounts());
            Answer busy = server.post(
                    "managerv2",
                    SrmRoom.envelope("srmPrepareToPut", put("/work/f")),
                    org.jobgate.soap.SoapServer.SUBJECT,
                    SrmRoom.ALICE);
            assertThat(fileCode(busy)).isEqualTo("SRM_FILE_BUSY");
            Answer done = server.post(
                    "managerv2",
                    SrmRoom.envelope("srmPutDone", token(put) + surls("/work/f")),
                    org.jobgate.soap.SoapServer.SUBJECT,
                    SrmRoom.ALICE);
            assertThat(code(done)).isEqualTo("SRM_SUCCESS");
        }
        assertThat(room.work().resolve("f")).hasContent("content");
    }

    @Test
    void theRequestsOfOthersAreUnknown() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Answer got =
                room.ask("srmPrepareToGet", gets("/work/f") + "<userRequestDescription>mine</userRequestDescription>");
        Answer put = room.ask("srmPrepareToPut", put("/work/g"));
        for (String operation : List.of("srmStatusOfGetRequest", "srmReleaseFiles", "srmAbortRequest")) {
            assertThat(code(room.ask(BOB, operation, token(got)))).isEqualTo("SRM_INVALID_REQUEST");
        }
        assertThat(code(room.ask(BOB, "srmPutDone", token(put) + surls("/work/g"))))
                .isEqualTo("SRM_INVALID_REQUEST");
        assertThat(code(room.ask("srmPutDone", token(got) + surls("/work/f")))).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(code(room.ask(BOB, "srmGetRequestTokens", ""))).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(room.ask("srmGetRequestTokens", "").all("requestToken")).hasSize(2);
        assertThat(room.ask("srmGetRequestTokens", "<userRequestDescription>mine</userRequestDescription>")
                        .all("requestToken"))
                .containsExactly(got.one("requestToken"));
        Answer summary = room.ask(
                "srmGetRequestSummary",
                "<arrayOfRequestTokens><stringArray>" + got.one("requestToken") + "</stringArray><stringArray>"
                        + put.one("requestToken")
                        + "</stringArray><stringArray>x</stringArray></arrayOfRequestTokens>");
        assertThat(summary.all("requestType")).containsExactly("PREPARE_TO_GET", "PREPARE_TO_PUT");
        assertThat(summary.all("numOfCompletedFiles")).containsExactly("1", "0");
        assertThat(summary.all("numOfWaitingFiles")).containsExactly("0", "1");
    }

    @Test
    void whoMayNotUseFilesAnyMoreCannotEndAPutEither() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/f") + protocols("gsiftp"));
        Path hidden = arrive(put, "content");
        Decision before = room.decision;
        room.decision = new Decision.Deny("you have left");
        for (String operation : List.of(
                "srmPutDone",
                "srmAbortRequest",
                "srmAbortFiles",
                "srmStatusOfPutRequest",
                "srmReleaseFiles",
                "srmGetRequestTokens")) {
            Answer answer = room.ask(operation, token(put) + surls("/work/f"));
            assertThat(code(answer)).as(operation).isEqualTo("SRM_AUTHORIZATION_FAILURE");
            assertThat(answer.one("explanation")).contains("you have left");
        }
        room.decision = new Decision.Permit(List.of("other"));
        for (String operation : List.of("srmPutDone", "srmAbortRequest")) {
            Answer answer = room.ask(operation, token(put) + surls("/work/f"));
            assertThat(code(answer)).as(operation).isEqualTo("SRM_AUTHORIZATION_FAILURE");
            assertThat(answer.one("explanation")).contains("made as the account account");
        }
        assertThat(hidden).hasContent("content");
        assertThat(room.work().resolve("f")).doesNotExist();
        room.decision = before;
        assertThat(code(room.ask("srmPutDone", token(put) + surls("/work/f")))).isEqualTo("SRM_SUCCESS");
    }

    @Test
    void filesAreOnlineAtOnceAndPinsCanBeMadeLonger() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        Answer online = room.ask("srmBringOnline", gets("/work/f"));
        assertThat(online.all("statusCode")).containsExactly("SRM_SUCCESS", "SRM_SUCCESS");
        assertThat(code(room.ask("srmStatusOfBringOnlineRequest", token(online))))
                .isEqualTo("SRM_SUCCESS");
        Answer got = room.ask("srmPrepareToGet", gets("/work/f"));
        Answer longer = room.ask(
                "srmExtendFileLifeTime", token(got) + surls("/work/f") + "<newPinLifeTime>9999999</newPinLifeTime>");
        assertThat(Long.parseLong(longer.one("pinLifetime"))).isBetween(14_300L, 14_400L);
        assertThat(code(room.ask("srmExtendFileLifeTime", surls("/work/f") + "<newFileLifeTime>9</newFileLifeTime>")))
                .isEqualTo("SRM_NOT_SUPPORTED");
    }

    @Test
    void oneOwnerHasOnlySoManyRequests() throws Exception {
        Files.writeString(room.work().resolve("f"), "1");
        for (int i = 0; i < 10; i++) {
            assertThat(code(room.ask("srmPrepareToGet", gets("/work/f")))).isEqualTo("SRM_SUCCESS");
        }
        Answer more = room.ask("srmPrepareToGet", gets("/work/f"));
        assertThat(code(more)).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(more.one("explanation")).contains("srm.maxRequestsPerOwner = 10");
        assertThat(code(room.ask(BOB, "srmPrepareToGet", gets("/work/f")))).isEqualTo("SRM_SUCCESS");
        assertThat(code(room.ask("srmReleaseFiles", surls("/work/f")))).isEqualTo("SRM_SUCCESS");
        assertThat(code(room.ask("srmPrepareToGet", gets("/work/f")))).isEqualTo("SRM_SUCCESS");
    }
}
