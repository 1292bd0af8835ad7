// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.srm.SrmRoom.ALICE;
import static org.jobgate.srm.SrmRoom.BOB;
import static org.jobgate.srm.SrmRoom.code;
import static org.jobgate.srm.SrmRoom.fileCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Space that clients reserve, on a disk of which 400 bytes are free; a subject may have 300. */
class SrmSpaceTest {

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

    private Answer reserve(String subject, long bytes, String words) {
        return room.ask(
                subject,
                "srmReserveSpace",
                "<userSpaceTokenDescription>" + words + "</userSpaceTokenDescription><desiredSizeOfGuaranteedSpace>"
                        + bytes + "</desiredSizeOfGuaranteedSpace>");
    }

    private String reserved(String subject, long bytes) {
        Answer answer = reserve(subject, bytes, "work:mine");
        assertThat(code(answer)).as(answer.text()).isEqualTo("SRM_SUCCESS");
        return answer.one("spaceToken");
    }

    private Answer details(String subject, String token) {
        return room.ask(
                subject,
                "srmGetSpaceMetaData",
                "<arrayOfSpaceTokens><stringArray>" + token + "</stringArray></arrayOfSpaceTokens>");
    }

    private Answer put(String subject, String name, long bytes, String space) {
        return room.ask(
                subject,
                "srmPrepareToPut",
                "<arrayOfFileRequests><requestArray><targetSURL>srm://h/work/" + name
                        + "</targetSURL><expectedFileSize>" + bytes
                        + "</expectedFileSize></requestArray></arrayOfFileRequests>"
                        + (space.isEmpty() ? "" : "<targetSpaceToken>" + space + "</targetSpaceToken>"));
    }

    private void done(Answer put, String content) throws Exception {
        String url = put.one("transferURL");
        Files.writeString(room.work().resolve(url.substring(url.lastIndexOf('/') + 1)), content);
        assertThat(code(room.ask("srmPutDone", "<requestToken>" + put.one("requestToken") + "</requestToken>")))
                .isEqualTo("SRM_SUCCESS");
    }

    @Test
    void whatIsReservedIsNobodyElses() throws Exception {
        String token = reserved(ALICE, 250);

        assertThat(details(ALICE, "work").one("unusedSize")).isEqualTo("150");
        assertThat(details(ALICE, token).one("totalSize")).isEqualTo("250");
        assertThat(room.ask("srmGetSpaceTokens", "").all("stringArray")).containsExactly("work", "data", token);
        assertThat(room.ask(BOB, "srmGetSpaceTokens", "").all("stringArray")).containsExactly("work", "data");
        assertThat(fileCode(details(BOB, token))).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(fileCode(put(BOB, "b", 151, ""))).isEqualTo("SRM_NO_FREE_SPACE");
        assertThat(fileCode(put(BOB, "b", 150, ""))).isEqualTo("SRM_SPACE_AVAILABLE");
        assertThat(fileCode(put(BOB, "c", 1, token))).isEqualTo("SRM_INVALID_REQUEST");
        Answer less = reserve(BOB, 200, "work");
        assertThat(code(less)).isEqualTo("SRM_LOWER_SPACE_GRANTED");
        assertThat(less.one("sizeOfGuaranteedReservedSpace")).isEqualTo("150");
        assertThat(code(reserve(BOB, 1, "work"))).isEqualTo("SRM_NO_FREE_SPACE");
    }

    @Test
    void filesThatArePutCountOnceTheyAreDone() throws Exception {
        String token = reserved(ALICE, 100);
        Answer first = put(ALICE, "a", 60, token);
        assertThat(fileCode(first)).isEqualTo("SRM_SPACE_AVAILABLE");
        assertThat(details(ALICE, token).one("unusedSize")).isEqualTo("40");
        assertThat(fileCode(put(ALICE, "b", 41, token))).isEqualTo("SRM_NO_USER_SPACE");
        Answer second = put(ALICE, "b", 40, token);
        assertThat(fileCode(second)).isEqualTo("SRM_SPACE_AVAILABLE");

        done(first, "x".repeat(50));
        room.ask("srmAbortRequest", "<requestToken>" + second.one("requestToken") + "</requestToken>");
        room.door.sweep();

        assertThat(details(ALICE, token).one("unusedSize")).isEqualTo("50");
        assertThat(details(ALICE, "work").one("unusedSize"))
                .as("the disk tells what is on it; of the reserved space 50 bytes are not")
                .isEqualTo("350");
    }

    @Test
    void spaceSurvivesARestartAndEnds() throws Exception {
        String token = reserved(ALICE, 100);
        Answer open = put(ALICE, "a", 60, token);
        room.restart();
        assertThat(details(ALICE, token).one("unusedSize")).isEqualTo("40");
        done(open, "x".repeat(60));
        room.restart();
        room.door.sweep();
        assertThat(details(ALICE, token).one("unusedSize")).isEqualTo("40");

        room.clock.move(Duration.ofHours(25));
        assertThat(fileCode(details(ALICE, token))).isEqualTo("SRM_INVALID_REQUEST");
        room.door.sweep();
        room.restart();
        assertThat(room.ask("srmGetSpaceTokens", "").all("stringArray")).containsExactly("work", "data");
        assertThat(room.work().resolve("a")).exists();
    }

    @Test
    void whatOneSubjectReservesIsBounded() {
        reserved(ALICE, 100);
        reserved(ALICE, 100);
        Answer less = reserve(ALICE, 150, "work");
        assertThat(less.one("sizeOfTotalReservedSpace")).isEqualTo("100");
        Answer none = reserve(ALICE, 1, "work");
        assertThat(code(none)).isEqualTo("SRM_NO_USER_SPACE");
        assertThat(none.one("explanation")).contains("srm.maxSpacesPerOwner = 3");
        String token = less.one("spaceToken");
        assertThat(code(room.ask("srmReleaseSpace", "<spaceToken>" + token + "</spaceToken>")))
                .isEqualTo("SRM_SUCCESS");
        assertThat(code(room.ask("srmReleaseSpace", "<spaceToken>" + token + "</spaceToken>")))
                .isEqualTo("SRM_INVALID_REQUEST");
        assertThat(code(room.ask("srmReleaseSpace", "<spaceToken>work</spaceToken>")))
                .isEqualTo("SRM_AUTHORIZATION_FAILURE");
    }

    @Test
    void aSpaceIsMadeLargerSmallerAndLonger() {
        String token = reserved(ALICE, 100);
        String space = "<spaceToken>" + token + "</spaceToken>";
        put(ALICE, "a", 60, token);

        Answer more = room.ask(
                "srmUpdateSpace", space + "<newSizeOfGuaranteedSpaceDesired>200</newSizeOfGuaranteedSpaceDesired>");
        assertThat(more.one("sizeOfGuaranteedSpace")).isEqualTo("200");
        Answer less = room.ask(
                "srmUpdateSpace", space + "<newSizeOfGuaranteedSpaceDesired>1</newSizeOfGuaranteedSpaceDesired>");
        assertThat(less.one("sizeOfGuaranteedSpace"))
                .as("what is on its way stays")
                .isEqualTo("60");
        assertThat(room.ask("srmUpdateSpace", space + "<newLifeTime>100</newLifeTime>")
                        .one("lifetimeGranted"))
                .isIn("99", "100");
        assertThat(code(room.ask(BOB, "srmUpdateSpace", space + "<newLifeTime>100</newLifeTime>")))
                .isEqualTo("SRM_INVALID_REQUEST");
    }

    @Test
    void requestsThatSayNothingUsefulAreRefused() {
        assertThat(code(reserve(ALICE, 0, "work"))).isEqualTo("SRM_INVALID_REQUEST");
        assertThat(code(room.ask("srmReserveSpace", "<desiredSizeOfGuaranteedSpace>-1</desiredSizeOfGuaranteedSpace>")))
                .isEqualTo("SRM_INVALID_REQUEST");
        assertThat(code(room.ask(
                        "srmReserveSpace",
                        "<retentionPolicyInfo><retentionPolicy>CUSTODIAL</retentionPolicy></retentionPolicyInfo>"
                                + "<desiredSizeOfGuaranteedSpace>1</desiredSizeOfGuaranteedSpace>")))
                .isEqualTo("SRM_NOT_SUPPORTED");
        assertThat(code(room.ask("srmStatusOfReserveSpaceRequest", "<requestToken>x</requestToken>")))
                .isEqualTo("SRM_INVALID_REQUEST");
    }

    /** The disk of one tree is slow to say how large it is; everybody else goes on. */
    @Test
    void nobodyWaitsForTheDiskOfAnother() throws Exception {
        String token = reserved(BOB, 100);
        Answer open = put(ALICE, "a", 3, "");
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        room.disk = () -> {
            isAsked.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        };
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> hangs = executor.submit(() -> reserve(BOB, 1, "work"));
            isAsked.await();
            Future<Answer> released =
                    executor.submit(() -> room.ask(BOB, "srmReleaseSpace", "<spaceToken>" + token + "</spaceToken>"));
            try {
                assertThat(code(released.get(60, TimeUnit.SECONDS))).isEqualTo("SRM_SUCCESS");
                done(open, "abc");
            } finally {
                mayAnswer.countDown();
            }
            assertThat(code(hangs.get(60, TimeUnit.SECONDS))).isEqualTo("SRM_INTERNAL_ERROR");
        }
    }
}
