// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;

/** Parts of files that go packed. */
class PackedPieceTest extends FileDoorRoom {

    private static final String[] PACKED = {"Jobgate-Encoding", "gzip"};

    private static byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] unpacked(HttpResponse<byte[]> answer) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return in.readAllBytes();
        }
    }

    private static byte[] halfNoise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Arrays.fill(bytes, 0, size / 2, (byte) 7);
        return bytes;
    }

    private HttpResponse<String> putPacked(String range, byte[] body) throws Exception {
        return put("a", body, "Jobgate-Encoding", "gzip", "Content-Range", range);
    }

    @Test
    void aPartIsSentPackedAndItsRangeSpeaksOfTheFile() throws Exception {
        byte[] content = halfNoise(3 * JobFilesServlet.CHUNK + 17);
        put("a", content);
        jobs.set(job, JobState.DONE);

        HttpResponse<byte[]> whole = get("/files/a", PACKED);
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(header(whole, "Jobgate-Encoding")).isEqualTo("gzip");
        assertThat(whole.body().length).isLessThan(content.length * 2 / 3);
        assertThat(unpacked(whole)).isEqualTo(content);

        HttpResponse<byte[]> part = get("/files/a", "Jobgate-Encoding", "gzip", "Range", "bytes=10-99999");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(header(part, "Content-Range")).isEqualTo("bytes 10-99999/" + content.length);
        assertThat(unpacked(part)).isEqualTo(Arrays.copyOfRange(content, 10, 100_000));

        assertThat(get("/files/a", "Jobgate-Encoding", "br").statusCode()).isEqualTo(400);
        assertThat(header(get("/files/a"), "Jobgate-Encoding")).isEmpty();
    }

    @Test
    void partsArePutPacked() throws Exception {
        byte[] content = halfNoise(600_000);
        assertThat(header(put("", new byte[0]), "Jobgate-Encoding")).isEqualTo("gzip");

        HttpResponse<String> first =
                putPacked("bytes 0-399999/600000", packed(Arrays.copyOfRange(content, 0, 400_000)));
        HttpResponse<String> second =
                putPacked("bytes 400000-599999/600000", packed(Arrays.copyOfRange(content, 400_000, 600_000)));

        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(files.content("below a")).isEqualTo(content);
    }

    @Test
    void bodiesThatAreNotWhatTheySayAreRefused() throws Exception {
        byte[] content = halfNoise(100_000);
        HttpResponse<String> plain = putPacked("bytes 0-99999/100000", content);
        HttpResponse<String> more = putPacked("bytes 0-9/100000", packed(content));
        HttpResponse<String> less = putPacked("bytes 0-99999/100000", packed(Arrays.copyOf(content, 500)));
        HttpResponse<String> unsized = put("a", packed(content), PACKED);

        assertThat(plain.statusCode()).as(plain.body()).isEqualTo(400);
        assertThat(plain.body()).contains("not what Jobgate-Encoding says");
        assertThat(more.statusCode()).as(more.body()).isEqualTo(400);
        assertThat(more.body()).contains("more bytes than Content-Range says");
        assertThat(less.statusCode()).as(less.body()).isEqualTo(400);
        assertThat(less.body()).contains("before its announced end");
        assertThat(unsized.statusCode()).as(unsized.body()).isEqualTo(400);
        assertThat(files.has("below a")).isFalse();
    }

    /** A hundred mebibytes of nothing are a hundred kibibytes packed: no more is unpacked than was announced. */
    @Test
    void aBombIsNotUnpacked() throws Exception {
        byte[] bomb = packed(new byte[100 << 20]);
        files.forgetsPieces = true;

        assertThat(putPacked("bytes 0-999/1000", bomb).statusCode()).isEqualTo(400);
        assertThat(files.forgotten).isLessThanOrEqualTo(1000);
    }
}
