// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.srm.SrmRoom.ALICE;
import static org.jobgate.srm.SrmRoom.code;
import static org.jobgate.srm.SrmRoom.fileCode;
import static org.jobgate.srm.SrmRoom.surls;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jobgate.files.AccountTree;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.UploadPart;
import org.jobgate.files.WritableFiles;
import org.jobgate.soap.Answer;
import org.jobgate.store.DoorRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full or gone, clients that vanish, and requests that ask for the same thing twice or for very much. */
class SrmBadInputTest {

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

    private static String put(String... paths) {
        StringBuilder text = new StringBuilder("<arrayOfFileRequests>");
        for (String path : paths) {
            text.append("<requestArray><targetSURL>srm://h").append(path).append("</targetSURL></requestArray>");
        }
        return text + "</arrayOfFileRequests>";
    }

    private static String token(Answer answer) {
        return "<requestToken>" + answer.one("requestToken") + "</requestToken>";
    }

    private Path hidden(Answer put) throws IOException {
        String url = put.all("transferURL").getFirst();
        return room.work().resolve(url.substring(url.lastIndexOf('/') + 1));
    }

    private AccountTree work() {
        return room.trees.find("work", "account").orElseThrow();
    }

    private List<String> everything() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> !path.startsWith(folder.resolve("store")))
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    /** As a client does that sends a file by https and is cut off in the middle. */
    private Path sendHalf(Answer put) throws Exception {
        List<String> way = List.of(requireNonNull(hidden(put).getFileName()).toString());
        byte[] half = "half".getBytes(StandardCharsets.US_ASCII);
        String part = UploadPart.of(work().tree(), way);
        work().put(way, part, new WritableFiles.Piece(0, half, false));
        Path kept = folder.resolve("parts/account" + part);
        assertThat(kept).hasContent("half");
        return kept;
    }

    @Test
    void aFullDiskAndAUsedUpQuotaAreToldEachByItsOwnCode() throws Exception {
        Map<FileAnswer.Reason, String> codes =
                Map.of(FileAnswer.Reason.NO_SPACE, "SRM_NO_FREE_SPACE", FileAnswer.Reason.QUOTA, "SRM_NO_USER_SPACE");
        for (Map.Entry<FileAnswer.Reason, String> one : codes.entrySet()) {
            Answer put = room.ask("srmPrepareToPut", put("/work/f"));
            Files.writeString(hidden(put), "content");
            room.trees.noChanges = one.getKey();
            Answer mkdir = room.ask("srmMkdir", "<SURL>srm://h/work/d</SURL>");
            assertThat(code(mkdir)).isEqualTo(one.getValue());
            assertThat(mkdir.one("explanation")).contains(one.getKey().name());
            Answer done = room.ask("srmPutDone", token(put));
            assertThat(fileCode(done)).isEqualTo(one.getValue());
            assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(put)))).isEqualTo(one.getValue());
            assertThat(everything())
                    .as("nothing of the file is left on the full disk")
                    .isEmpty();
            room.trees.noChanges = null;
            assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f"))))
                    .as("the name is free again")
                    .isEqualTo("SRM_SPACE_AVAILABLE");
            room.clock.move(Duration.ofHours(5));
            room.door.sweep();
        }
    }

    /** Every operation is answered, none changes anything, and what was begun before goes on when the mount is back. */
    @Test
    void aMountThatIsGoneIsToldAndWhatWasBegunGoesOnWhenItIsBack() throws Exception {
        Files.writeString(room.work().resolve("there"), "1");
        Answer put = room.ask("srmPrepareToPut", put("/work/f"));
        Files.writeString(hidden(put), "content");
        room.trees.isDown = true;
        String surl = "<SURL>srm://h/work/d</SURL>";
        assertThat(code(room.ask("srmMkdir", surl))).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(code(room.ask("srmRmdir", surl))).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(fileCode(room.ask("srmRm", surls("/work/there")))).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(fileCode(room.ask("srmLs", surls("/work")))).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/g")))).isEqualTo("SRM_INTERNAL_ERROR");
        assertThat(fileCode(room.ask(
                        "srmPrepareToGet",
                        "<arrayOfFileRequests><requestArray><sourceSURL>srm://h/work/there</sourceSURL></requestArray>"
                                + "</arrayOfFileRequests>")))
                .isEqualTo("SRM_INTERNAL_ERROR");
        Answer early = room.ask("srmPutDone", token(put));
        assertThat(early.all("statusCode")).containsExactly("SRM_INTERNAL_ERROR", "SRM_INTERNAL_ERROR");
        assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(put)))).isEqualTo("SRM_SPACE_AVAILABLE");
        room.trees.isDown = false;
        assertThat(code(room.ask("srmPutDone", token(put)))).isEqualTo("SRM_SUCCESS");
        assertThat(everything()).containsExactly("work/account/f", "work/account/there");
    }

    /** It neither aborts nor says that it is done; what it sent goes away with its request, by whichever way it came. */
    @Test
    void nothingIsLeftOfAClientThatVanishesWhileItSends() throws Exception {
        Answer byHttps = room.ask("srmPrepareToPut", put("/work/f"));
        Path part = sendHalf(byHttps);
        Answer byGridFtp = room.ask("srmPrepareToPut", put("/work/g"));
        Files.writeString(hidden(byGridFtp), "half");
        room.door.sweep();
        assertThat(part).exists();
        assertThat(everything()).hasSize(2);

        room.clock.move(Duration.ofHours(5));
        room.door.sweep();

        assertThat(everything()).isEmpty();
        assertThat(room.active())
                .as("transfers that are counted at the server, with this look")
                .isEqualTo(0);
        assertThat(fileCode(room.ask("srmStatusOfPutRequest", token(byHttps)))).isEqualTo("SRM_REQUEST_TIMED_OUT");
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/f")))).isEqualTo("SRM_SPACE_AVAILABLE");
    }

    @Test
    void anAbortedPutLeavesNoPartEither() throws Exception {
        Answer put = room.ask("srmPrepareToPut", put("/work/f"));
        Path part = sendHalf(put);
        assertThat(code(room.ask("srmAbortRequest", token(put)))).isEqualTo("SRM_SUCCESS");
        assertThat(part).doesNotExist();
    }

    @Test
    void aNameThatOneRequestPutsTwiceIsPutOnce() throws Exception {
        Answer twice = room.ask("srmPrepareToPut", put("/work/f", "/work/f", "/work/%66"));
        assertThat(twice.all("statusCode"))
                .containsExactly(
                        "SRM_PARTIAL_SUCCESS", "SRM_SPACE_AVAILABLE", "SRM_DUPLICATION_ERROR", "SRM_DUPLICATION_ERROR");
        assertThat(room.active()).as("only one transfer is counted").isEqualTo(1);
        Files.writeString(hidden(twice), "once");
        assertThat(fileCode(room.ask("srmPutDone", token(twice)))).isEqualTo("SRM_SUCCESS");
        assertThat(room.work().resolve("f")).hasContent("once");
        assertThat(room.active()).isEqualTo(0);
    }

    /** One write for each file, while everybody else waits for the lock, would hold the others up for seconds. */
    @Test
    void manyFilesOfOneRequestTakeTheirSpaceByOneWrite() {
        AtomicInteger writes = new AtomicInteger();
        Spaces spaces = room.spaces((DoorRecords) Proxy.newProxyInstance(
                DoorRecords.class.getClassLoader(), new Class<?>[] {DoorRecords.class}, (proxy, method, values) -> {
                    if (method.getName().equals("putRecord")) {
                        writes.incrementAndGet();
                    }
                    try {
                        return method.invoke(room.records(), values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
        StoredSpace space = spaces.reserve(ALICE, "account", "work", "work", 100, spaces.now() + 1000);
        SortedMap<Integer, OptionalLong> files = new TreeMap<>();
        for (int place = 0; place < 15; place++) {
            files.put(place, OptionalLong.of(place == 3 ? 1000 : 9));
        }
        int before = writes.get();

        Map<Integer, Status> refused = spaces.hold(space, Requests.newToken(), files);

        assertThat(writes.get() - before).isEqualTo(1);
        assertThat(refused.keySet()).containsExactlyInAnyOrder(3, 12, 13, 14);
        assertThat(refused.get(14)).extracting(Status::code).isEqualTo(Code.SRM_NO_USER_SPACE);
        assertThat(spaces.needed(ALICE, space.token()).unused()).isEqualTo(1);
        assertThat(spaces.hold(space, Requests.newToken(), new TreeMap<>(Map.of(0, OptionalLong.of(2)))))
                .hasSize(1);
        assertThat(writes.get() - before).as("nothing was taken").isEqualTo(1);
    }

    @Test
    void whereTheSpaceHasRoomForSomeOfTheFilesTheOthersAreTold() {
        Answer space = room.ask(
                "srmReserveSpace",
                "<userSpaceTokenDescription>work</userSpaceTokenDescription>"
                        + "<desiredSizeOfGuaranteedSpace>100</desiredSizeOfGuaranteedSpace>");
        String files = put("/work/a", "/work/b", "/work/c")
                .replace("</targetSURL>", "</targetSURL><expectedFileSize>40</expectedFileSize>");
        Answer some = room.ask(
                "srmPrepareToPut", files + "<targetSpaceToken>" + space.one("spaceToken") + "</targetSpaceToken>");
        assertThat(some.all("statusCode"))
                .containsExactly(
                        "SRM_PARTIAL_SUCCESS", "SRM_SPACE_AVAILABLE", "SRM_SPACE_AVAILABLE", "SRM_NO_USER_SPACE");
        assertThat(some.all("transferURL")).hasSize(2);
        assertThat(room.active()).as("the third is counted at no server").isEqualTo(2);
        assertThat(fileCode(room.ask("srmPrepareToPut", put("/work/c"))))
                .as("its name is free")
                .isEqualTo("SRM_SPACE_AVAILABLE");
    }
}
