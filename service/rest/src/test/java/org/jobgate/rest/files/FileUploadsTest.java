// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;

/** Files of jobs are put, replaced and removed over HTTP. */
class FileUploadsTest extends FileDoorRoom {

    @Test
    void aFileIsRemoved() throws Exception {
        files.put("/out", "f", bytes("x"));
        HttpResponse<byte[]> answer = client.send(
                request("/jobs/" + job + "/stdout")
                        .DELETE()
                        .header("Subject", ALICE)
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(files.has("/out")).isFalse();
        HttpResponse<byte[]> post = client.send(
                request("/jobs/" + job + "/stdout")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .header("Subject", ALICE)
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(header(post, "Allow")).isEqualTo("GET, HEAD, PUT, DELETE");
    }

    private Socket socket() throws IOException {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void aFileIsPutAndReplacedBeforeTheJobRuns() throws Exception {
        HttpResponse<String> made = put("in/a", bytes("one"), "Content-Type", "application/x-www-form-urlencoded");
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(header(made, "ETag")).startsWith("\"put-");
        assertThat(files.content("below in/a")).isEqualTo(bytes("one"));
        assertThat(put("in/a?program=true", bytes("other")).statusCode()).isEqualTo(204);
        assertThat(files.content("below in/a")).isEqualTo(bytes("other"));
        assertThat(header(get("/files/in/a"), "Jobgate-File")).endsWith("-program");
        assertThat(put("empty", new byte[0]).statusCode()).isEqualTo(201);
        assertThat(files.content("below empty")).isEmpty();
        assertThat(files.parts()).isZero();
        jobs.set(job, JobState.DONE);
        assertThat(put("late", bytes("x")).statusCode()).isEqualTo(409);
        assertThat(files.has("below late")).isFalse();
    }

    @Test
    void nothingIsPutForAJobThatItsOwnerHasGivenUp() throws Exception {
        jobs.giveUp(job);
        HttpResponse<String> refused = put("late", bytes("x"));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("JOB_OVER");
        assertThat(files.has("below late")).isFalse();
    }

    @Test
    void conditionsKeepFilesOfOthers() throws Exception {
        String tag = header(put("a", bytes("one"), "If-None-Match", "*"), "ETag");
        assertThat(put("a", bytes("two"), "If-None-Match", "*").statusCode()).isEqualTo(412);
        assertThat(put("a", bytes("two"), "If-Match", "\"other\"").body()).contains("CHANGED");
        assertThat(put("b", bytes("two"), "If-Match", "*").statusCode()).isEqualTo(412);
        assertThat(files.content("below a")).isEqualTo(bytes("one"));
        assertThat(put("a", bytes("three"), "If-Match", "\"x\", " + tag).statusCode())
                .isEqualTo(204);
        assertThat(files.content("below a")).isEqualTo(bytes("three"));
        // a part of what is another file by now is not sent
        assertThat(get("/files/a", "Range", "bytes=1-", "If-Range", tag).statusCode())
                .isEqualTo(200);
    }

    @Test
    void anUploadGoesOnWhereItStopped() throws Exception {
        assertThat(put("a", bytes("0123"), "Content-Range", "bytes 0-3/10").statusCode())
                .isEqualTo(202);
        HttpResponse<byte[]> kept = get("/files/a?upload");
        assertThat(kept.statusCode()).isEqualTo(204);
        assertThat(header(kept, "Upload-Offset")).isEqualTo("4");
        HttpResponse<String> hole = put("a", bytes("789"), "Content-Range", "bytes 7-9/10");
        assertThat(hole.statusCode()).isEqualTo(409);
        assertThat(header(hole, "Upload-Offset")).isEqualTo("4");
        assertThat(files.has("below a")).isFalse();
        assertThat(put("a", bytes("456789"), "Content-Range", "bytes 4-9/10").statusCode())
                .isEqualTo(201);
        assertThat(files.content("below a")).isEqualTo(bytes("0123456789"));
        for (String wrong : List.of("bytes 4-3/10", "bytes 0-10/10", "bytes x", "bytes 0-4/10")) {
            assertThat(put("a", bytes("x"), "Content-Range", wrong).statusCode())
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(header(get("/files/a?upload"), "Upload-Offset")).isEqualTo("0");
    }

    @Test
    void whatCameBeforeTheConnectionBrokeIsKept() throws Exception {
        try (Socket socket = socket()) {
            socket.getOutputStream()
                    .write(bytes("PUT /jobs/" + job + "/files/a HTTP/1.1\r\nHost: x\r\nSubject: " + ALICE
                            + "\r\nContent-Length: 600000\r\n\r\n"));
            socket.getOutputStream().write(new byte[300_000]);
            socket.getOutputStream().flush();
            await().atMost(1, TimeUnit.MINUTES).until(() -> files.longestPiece > 0);
        }
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 0);
        assertThat(files.has("below a")).isFalse();
        assertThat(header(get("/files/a?upload"), "Upload-Offset")).isEqualTo(Integer.toString(JobFilesServlet.CHUNK));
    }

    @Test
    void aLargeFileIsTakenInBoundedPieces() throws Exception {
        files.forgetsPieces = true;
        long size = 90L << 20;
        HttpResponse<Void> answer = client.send(
                request("/jobs/" + job + "/files/large")
                        .header("Subject", ALICE)
                        .PUT(HttpRequest.BodyPublishers.fromPublisher(
                                HttpRequest.BodyPublishers.ofByteArrays(
                                        java.util.Collections.nCopies(90, new byte[1 << 20])),
                                size))
                        .build(),
                BodyHandlers.discarding());
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(files.forgotten).isEqualTo(size);
        assertThat(files.longestPiece).isEqualTo(JobFilesServlet.CHUNK);
    }

    /** Else it would be told of a broken connection. */
    @Test
    void aClientThatStillSendsSeesWhyItWasRefused() throws Exception {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(bytes("PUT /jobs/" + job + "/files/a HTTP/1.1\r\nHost: here\r\nSubject: " + ALICE
                    + "\r\nContent-Length: " + (200L << 20) + "\r\n\r\n"));
            out.flush();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).contains(" 413 ");
            for (int i = 0; i < 64; i++) {
                out.write(new byte[1 << 17]);
            }
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("files.maxFileSize") < 0) { // the connection stays: there is no end to read to
                int next = in.read();
                assertThat(next).as(answer.toString()).isNotNegative();
                answer.append((char) next);
            }
        }
    }

    @Test
    void whatIsTooMuchIsRefusedWithTheLimit() throws Exception {
        files.forgetsPieces = true;
        HttpResponse<String> large = put("a", bytes("x"), "Content-Range", "bytes 0-0/" + (200L << 20));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains("files.maxFileSize = 104857600");
        assertThat(put("a", bytes("x"), "Content-Range", "bytes 0-0/" + (90L << 20))
                        .statusCode())
                .isEqualTo(202);
        HttpResponse<String> more = put("b", bytes("x"), "Content-Range", "bytes 0-0/" + (90L << 20));
        assertThat(more.statusCode()).isEqualTo(507);
        assertThat(more.body()).contains("files.maxUploadBytesPerJob = 157286400", "188743680");
        // the same file again counts once
        assertThat(put("a", bytes("x"), "Content-Range", "bytes 0-0/" + (80L << 20))
                        .statusCode())
                .isEqualTo(202);
        HttpResponse<String> endless = client.send(
                request("/jobs/" + job + "/files/b")
                        .header("Subject", ALICE)
                        .PUT(HttpRequest.BodyPublishers.ofByteArrays(
                                java.util.Collections.nCopies(99, new byte[1 << 20])))
                        .build(),
                BodyHandlers.ofString());
        assertThat(endless.statusCode()).isEqualTo(507);
        files.forgetsPieces = false;
        assertThat(put("b", bytes("x")).statusCode()).isEqualTo(201);
        assertThat(put("c", bytes("x")).statusCode()).isEqualTo(201);
        HttpResponse<String> many = put("d", bytes("x"));
        assertThat(many.statusCode()).isEqualTo(507);
        assertThat(many.body()).contains("files.maxUploadsPerJob = 3");
        assertThat(client.send(
                                request("/jobs/" + job + "/files/c")
                                        .header("Subject", ALICE)
                                        .DELETE()
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(204);
        assertThat(put("d", bytes("x")).statusCode()).isEqualTo(201);
        files.room = 3;
        HttpResponse<String> full = put("d", bytes("12345"));
        assertThat(full.statusCode()).isEqualTo(507);
        assertThat(full.body()).contains("NO_SPACE");
        assertThat(files.content("below d")).isEqualTo(bytes("x"));
    }

    @Test
    void theNewestRequestHasTheFile() throws Exception {
        try (Socket socket = socket()) {
            socket.getOutputStream()
                    .write(bytes("PUT /jobs/" + job + "/files/a HTTP/1.1\r\nHost: x\r\nSubject: " + ALICE
                            + "\r\nContent-Length: 600000\r\n\r\n"));
            socket.getOutputStream().write(new byte[300_000]);
            await().atMost(1, TimeUnit.MINUTES).until(() -> files.longestPiece > 0);
            assertThat(put("a", bytes("whole")).statusCode()).isEqualTo(201);
            socket.getOutputStream().write(new byte[300_000]);
            byte[] answer = new byte[12];
            assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
            assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 409");
        }
        assertThat(files.content("below a")).isEqualTo(bytes("whole"));
    }
}
