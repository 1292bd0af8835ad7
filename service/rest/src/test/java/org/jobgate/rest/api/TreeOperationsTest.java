// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jobgate.authz.Decision;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.rest.files.PackedPiece;
import org.junit.jupiter.api.Test;

/** Files in trees over HTTP. */
class TreeOperationsTest extends ApiRoom {

    private static final String FILE = "/trees/work/content/";

    private Answer put(String path, byte[] body, String... headers) throws Exception {
        return send(request(path, headers).header("Subject", ALICE).PUT(BodyPublishers.ofByteArray(body)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsPutReadListedRenamedAndRemoved() throws Exception {
        order(ALICE, "/trees/work/mkdir/a%20b/c?parents=true").is(201);
        order(ALICE, "/trees/work/mkdir/a%20b").is(204);
        byte[] content = new byte[700_000];
        new Random(1).nextBytes(content);
        put(FILE + "a%20b/c/file", content).is(204);
        Answer read = get(ALICE, FILE + "a%20b/c/file").is(200);
        assertThat(read.response().body()).isEqualTo(content);
        assertThat(read.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(read.header("Content-Disposition")).isEqualTo("attachment");
        assertThat(get(ALICE, "/trees/work/checksum/a%20b/c/file?algorithm=md5")
                        .is(200)
                        .at("/value"))
                .hasSize(32);
        Answer stat = get(ALICE, "/trees/work/stat/a%20b/c/file").is(200);
        assertThat(stat.json().get("size").asLong()).isEqualTo(content.length);
        assertThat(stat.at("/kind")).isEqualTo("file");
        post(ALICE, "/trees/work/chmod/a%20b/c/file", "{\"mode\":\"0600\"}").is(204);
        assertThat(get(ALICE, "/trees/work/stat/a%20b/c/file").at("/mode")).isEqualTo("0600");
        post(ALICE, "/trees/work/rename/a%20b/c/file", "{\"to\":\"a%20b/d\"}").is(204);
        assertThat(get(ALICE, "/trees/work/list/a%20b")
                        .is(200)
                        .json()
                        .get("entries")
                        .valueStream()
                        .map(entry -> entry.get("name").asString()))
                .containsExactly("c", "d");
        delete(ALICE, FILE + "a%20b").isProblem(409, "NOT_EMPTY");
        delete(ALICE, FILE + "a%20b?recursive=true").is(204);
        delete(ALICE, FILE + "a%20b").isProblem(404, "NOT_FOUND");
    }

    @Test
    void aPartIsReadAndAConditionIsHeeded() throws Exception {
        Files.write(trees.directory("data", "alice").resolve("ten"), bytes("0123456789"));
        String path = "/trees/data/content/ten";
        Answer part = get(ALICE, path, "Range", "bytes=2-4").is(206);
        assertThat(part.text()).isEqualTo("234");
        assertThat(part.header("Content-Range")).isEqualTo("bytes 2-4/10");
        assertThat(get(ALICE, path, "Range", "bytes=-3").is(206).text()).isEqualTo("789");
        assertThat(get(ALICE, path, "Range", "bytes=5-", "If-Range", part.header("ETag"))
                        .is(206)
                        .text())
                .isEqualTo("56789");
        assertThat(get(ALICE, path, "Range", "bytes=5-", "If-Range", "\"other\"")
                        .is(200)
                        .text())
                .isEqualTo("0123456789");
        assertThat(get(ALICE, path, "Range", "bytes=10-")
                        .isProblem(416, "FILE_SHORTER")
                        .header("Content-Range"))
                .isEqualTo("bytes */10");
        Answer head = send(request(path).header("Subject", ALICE).method("HEAD", BodyPublishers.noBody()));
        assertThat(head.is(200).header("Content-Length")).isEqualTo("10");
    }

    private static byte[] packed(byte[] content, int from, int to) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content, from, to - from);
        }
        return out.toByteArray();
    }

    @Test
    void partsMayBePackedAndTheirRangesSpeakOfTheFile() throws Exception {
        byte[] content = new byte[600_000];
        new Random(1).nextBytes(content);
        Arrays.fill(content, 0, 500_000, (byte) 7);
        assertThat(get(ALICE, FILE + "p?upload").is(204).header("Jobgate-Encoding"))
                .contains("gzip");
        String[] first = {"Jobgate-Encoding", "gzip", "Content-Range", "bytes 0-299999/600000"};
        put(FILE + "p", packed(content, 0, 300_000), first).is(202);
        assertThat(get(ALICE, FILE + "p?upload").header("Upload-Offset")).isEqualTo("300000");
        String[] second = {"Jobgate-Encoding", "gzip", "Content-Range", "bytes 300000-599999/600000"};
        put(FILE + "p", packed(content, 300_000, 600_000), second).is(204);
        assertThat(get(ALICE, FILE + "p").response().body()).isEqualTo(content);

        Answer part = get(ALICE, FILE + "p", "Jobgate-Encoding", "gzip", "Range", "bytes=10-")
                .is(206);
        assertThat(part.header("Content-Range")).isEqualTo("bytes 10-599999/600000");
        assertThat(part.response().body().length).isLessThan(150_000);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(part.response().body())).readAllBytes())
                .isEqualTo(Arrays.copyOfRange(content, 10, content.length));
        assertThat(get(ALICE, FILE + "p", "Jobgate-Encoding", "br").is(200).header("Jobgate-Encoding"))
                .isEmpty();
        // more than its range says, no range, and what is no gzip
        put(FILE + "q", packed(content, 0, 300_001), first).isProblem(400, "BAD_REQUEST");
        put(FILE + "q", packed(content, 0, 9), "Jobgate-Encoding", "gzip").isProblem(400, "BAD_REQUEST");
        put(FILE + "q", bytes("0123456789"), first).isProblem(400, "BAD_REQUEST");
        get(ALICE, FILE + "q").isProblem(404, "NOT_FOUND");
    }

    /** Otherwise one user had two places for the files of jobs and two for trees, which are all that there are. */
    @Test
    void whatNeedsMuchMemoryIsCountedByAccountAsForTheFilesOfJobs() throws Exception {
        byte[] content = new byte[100_000];
        put(FILE + "p", content).is(204);
        String[] asked = {"Jobgate-Encoding", "bzip2"};
        byte[] packed = Codec.BZIP2.pack(content, 1);
        String[] sent = {"Jobgate-Encoding", "bzip2", "Content-Range", "bytes 0-99999/100000"};
        CodecLevel bzip2 = new CodecLevel(Codec.BZIP2, 1);
        try (PackedPiece.Packer one = PackedPiece.packer(bzip2, "alice").orElseThrow();
                PackedPiece.Packer two = PackedPiece.packer(bzip2, "alice").orElseThrow()) {
            assertThat(List.of(one.coding(), two.coding())).containsOnly(bzip2);
            Answer plain = get(ALICE, FILE + "p", asked).is(200);
            assertThat(plain.header("Jobgate-Encoding")).isEmpty();
            assertThat(plain.response().body()).isEqualTo(content);
            assertThat(put(FILE + "q", packed, sent).is(503).text()).contains("of one account = 2");
        }
        assertThat(get(ALICE, FILE + "p", asked).is(200).header("Jobgate-Encoding"))
                .isEqualTo("bzip2");
        put(FILE + "q", packed, sent).is(204);
    }

    @Test
    void anUploadGoesOnAfterACut() throws Exception {
        put(FILE + "f", bytes("01234"), "Content-Range", "bytes 0-4/10").is(202);
        assertThat(get(ALICE, FILE + "f?upload").is(204).header("Upload-Offset"))
                .isEqualTo("5");
        Answer gap =
                put(FILE + "f", bytes("78"), "Content-Range", "bytes 7-8/10").isProblem(409, "UPLOAD_SHORTER");
        assertThat(gap.header("Upload-Offset")).isEqualTo("5");
        put(FILE + "f", bytes("56789"), "Content-Range", "bytes 5-9/10").is(204);
        assertThat(get(ALICE, FILE + "f").text()).isEqualTo("0123456789");
        put(FILE + "f", bytes("x"), "If-None-Match", "*").isProblem(409, "EXISTS");
        assertThat(get(ALICE, FILE + "f?upload").is(204).header("Upload-Offset"))
                .as("nothing is left of what was refused")
                .isEqualTo("0");
        put(FILE + "f", bytes("x"), "Content-Range", "bytes 1-9/10").isProblem(400, "BAD_REQUEST");
        put(FILE + "f", bytes("x"), "Content-Range", "bytes x").isProblem(400, "BAD_REQUEST");
        // the body is small: a server may close the connection of a large one before the client has read the refusal
        put(FILE + "g", bytes("01234"), "Content-Range", "bytes 0-4/2000000000").isProblem(413, "LIMIT_EXCEEDED");
        delete(ALICE, FILE + "f?upload").is(204);
    }

    /** Two gateways may send one file at the same time, each in many requests. */
    @Test
    void uploadsThatAreNamedAreNeverMixed() throws Exception {
        String[] first = {"Content-Range", "bytes 0-4/10", "Jobgate-Upload", "one"};
        String[] rest = {"Content-Range", "bytes 5-9/10", "Jobgate-Upload", "one"};
        put(FILE + "f", bytes("01234"), first).is(202);
        put(FILE + "f", bytes("abcde"), "Content-Range", "bytes 0-4/10", "Jobgate-Upload", "two")
                .is(202);
        put(FILE + "f", bytes("xyz"), "Content-Range", "bytes 0-2/10").is(202);
        put(FILE + "f", bytes("56789"), rest).is(204);
        assertThat(get(ALICE, FILE + "f").text()).isEqualTo("0123456789");

        Answer two = get(ALICE, FILE + "f?upload", "Jobgate-Upload", "two").is(204);
        assertThat(two.header("Upload-Offset")).isEqualTo("5");
        assertThat(two.header("Jobgate-Upload")).isEqualTo("two");
        send(request(FILE + "f?upload")
                        .header("Subject", ALICE)
                        .header("Jobgate-Upload", "two")
                        .DELETE())
                .is(204);
        assertThat(get(ALICE, FILE + "f?upload", "Jobgate-Upload", "two").header("Upload-Offset"))
                .isEqualTo("0");
        assertThat(get(ALICE, FILE + "f?upload").header("Upload-Offset")).isEqualTo("3");
        assertThat(get(ALICE, FILE + "f").text()).isEqualTo("0123456789");
        get(ALICE, FILE + "f?upload", "Jobgate-Upload", "a/b").isProblem(400, "BAD_REQUEST");
    }

    @Test
    void listsComePageByPage() throws Exception {
        Path directory = trees.directory("data", "alice");
        for (String name : List.of("a", "b", "c d", "é")) {
            Files.createFile(directory.resolve(name));
        }
        Answer first = get(ALICE, "/trees/data/list/?limit=3").is(200);
        assertThat(first.at("/entries/2/encodedName")).isEqualTo("c%20d");
        assertThat(first.at("/next")).isEqualTo("c%20d");
        Answer second = get(ALICE, "/trees/data/list/?limit=3&cursor=c%2520d").is(200);
        assertThat(second.at("/entries/0/encodedName")).isEqualTo("%C3%A9");
        assertThat(second.json().has("next")).isFalse();
    }

    @Test
    void whatMayNotBeIsRefused() throws Exception {
        assertThat(get(ALICE, "/trees").is(200).at("/trees/1/path")).isEqualTo("/data/alice");
        get(ALICE, "/trees/none/list/").isProblem(404, "NOT_FOUND");
        get(ALICE, "/trees/data/content/none").isProblem(404, "NOT_FOUND");
        order(ALICE, "/trees/data/mkdir/x").isProblem(403, "NOT_PERMITTED");
        get(ALICE, "/trees/work/content/").isProblem(409, "NOT_A_FILE");
        put(FILE, bytes("x")).isProblem(400, "BAD_REQUEST");
        get(ALICE, "/trees/work/stat/a%2Fb").is(400);
        get(ALICE, "/trees/work/stat/a//b").is(400);
        get(ALICE, "/trees/work/stat/a%00b").is(400);
        post(ALICE, "/trees/work/chmod/x", "{\"mode\":\"4755\"}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/trees/work/rename/x", "{\"to\":\"../y\"}").isProblem(404, "NOT_FOUND");
        Files.write(trees.directory("work", "bob").resolve("secret"), bytes("x"));
        get(ALICE, FILE + "secret").isProblem(404, "NOT_FOUND");
        decisions.put(ALICE, new Decision.Deny("banned"));
        get(ALICE, "/trees").isProblem(403, "NOT_AUTHORIZED");
        get(ALICE, FILE + "x").isProblem(403, "NOT_AUTHORIZED");
        trees.isDown = true;
        assertThat(get(BOB, FILE + "secret").isProblem(503, "FILES_UNAVAILABLE").header("Retry-After"))
                .isNotEmpty();
    }
}
