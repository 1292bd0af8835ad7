// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jobgate.job.JobState;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of files that go packed. */
class PackedPieceTest extends FileDoorRoom {

    private static final CodecLevel BZIP2 = new CodecLevel(Codec.BZIP2, 9);

    private static byte[] packed(Codec coding, byte[] bytes) throws Exception {
        return coding == Codec.ZSTD ? Zstd.compress(bytes, 1) : coding.pack(bytes, coding.usualLevel());
    }

    private static byte[] unpacked(Codec coding, HttpResponse<byte[]> answer) throws IOException {
        InputStream body = new ByteArrayInputStream(answer.body());
        try (InputStream in = coding == Codec.ZSTD
                ? new ZstdInputStreamNoFinalizer(body)
                : coding.unpacking(body, Integer.MAX_VALUE)) {
            return in.readAllBytes();
        }
    }

    private static byte[] halfNoise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Arrays.fill(bytes, 0, size / 2, (byte) 7);
        return bytes;
    }

    private HttpResponse<String> putPacked(Codec coding, String range, byte[] body) throws Exception {
        return put("a", body, "Jobgate-Encoding", coding.word(), "Content-Range", range);
    }

    @ParameterizedTest
    @EnumSource
    void aPartIsSentPackedAndItsRangeSpeaksOfTheFile(Codec coding) throws Exception {
        byte[] content = halfNoise(3 * JobFilesServlet.CHUNK + 17);
        put("a", content);
        jobs.set(job, JobState.DONE);

        HttpResponse<byte[]> whole = get("/files/a", "Jobgate-Encoding", coding.word());
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(header(whole, "Jobgate-Encoding")).isEqualTo(coding.word());
        assertThat(whole.body().length).isLessThan(content.length * 2 / 3);
        assertThat(unpacked(coding, whole)).isEqualTo(content);

        HttpResponse<byte[]> part = get("/files/a", "Jobgate-Encoding", coding.word(), "Range", "bytes=10-99999");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(header(part, "Content-Range")).isEqualTo("bytes 10-99999/" + content.length);
        assertThat(unpacked(coding, part)).isEqualTo(Arrays.copyOfRange(content, 10, 100_000));

        assertThat(header(get("/files/a"), "Jobgate-Encoding")).isEmpty();
    }

    @Test
    void theFirstWordThatIsKnownCounts() throws Exception {
        assertThat(put("a", new byte[1], "Jobgate-Encoding", "zstd, gzip", "Content-Range", "bytes 0-0/1")
                        .body())
                .contains("Jobgate-Encoding is zstd, gzip; known here: zstd, gzip, zip, bzip2.");
        put("a", new byte[1000]);
        jobs.set(job, JobState.DONE);

        assertThat(header(get("/files/a", "Jobgate-Encoding", "br, GZIP, zstd"), "Jobgate-Encoding"))
                .isEqualTo("gzip");
        assertThat(header(get("/files/a", "Jobgate-Encoding", "bzip2:3, gzip"), "Jobgate-Encoding"))
                .isEqualTo("bzip2");
    }

    /** A gateway of another version may know others: what none of us both knows is no reason to send nothing. */
    @Test
    void whatIsPackedAsNobodyHereKnowsIsSentAsItIs() throws Exception {
        put("a", new byte[1000]);
        jobs.set(job, JobState.DONE);
        HttpResponse<byte[]> answer = get("/files/a", "Jobgate-Encoding", "br, zstd:77");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "Jobgate-Encoding")).isEmpty();
        assertThat(answer.body()).isEqualTo(new byte[1000]);
    }

    /** Each of these requests needs megabytes: more than a few at once are answered as the file is, or have to wait. */
    @Test
    void onlyAFewAtOnceUseACodecThatNeedsMuchMemory() throws Exception {
        put("a", halfNoise(1000));
        PackedPiece.Packer first = PackedPiece.packer(BZIP2, "dave").orElseThrow();
        PackedPiece.Packer second = PackedPiece.packer(BZIP2, "dave").orElseThrow();
        assertThat(PackedPiece.packer(BZIP2, "dave")).as("a third of one owner").isEmpty();
        PackedPiece.Packer third = PackedPiece.packer(BZIP2, "bob").orElseThrow();
        PackedPiece.Packer fourth = PackedPiece.packer(BZIP2, "carol").orElseThrow();
        try {
            HttpResponse<byte[]> plain = get("/files/a", "Jobgate-Encoding", "bzip2");
            assertThat(plain.statusCode()).isEqualTo(200);
            assertThat(header(plain, "Jobgate-Encoding")).isEmpty();
            assertThat(plain.body()).isEqualTo(halfNoise(1000));
            HttpResponse<String> refused =
                    putPacked(Codec.BZIP2, "bytes 0-999/2000", packed(Codec.BZIP2, new byte[1000]));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("requests with bzip2 or zstd:4 to zstd:9 = 4");
            assertThat(putPacked(Codec.GZIP, "bytes 0-999/2000", packed(Codec.GZIP, new byte[1000]))
                            .statusCode())
                    .isEqualTo(202);
        } finally {
            List.of(first, second, third, fourth).forEach(PackedPiece.Packer::close);
        }
        assertThat(header(get("/files/a", "Jobgate-Encoding", "bzip2"), "Jobgate-Encoding"))
                .isEqualTo("bzip2");
    }

    /** The client chooses the level of the answer, and how slowly it reads it: levels that need much memory share the few places of bzip2. */
    @Test
    void aLevelThatNeedsMuchMemoryIsOnlyUsedByAFewAtOnce() throws Exception {
        byte[] content = letters();
        put("a", content);
        jobs.set(job, JobState.DONE);
        int small = get("/files/a", "Jobgate-Encoding", "zstd:9").body().length;
        int large = get("/files/a", "Jobgate-Encoding", "zstd:3").body().length;
        assertThat(small).as("a free place").isLessThan(large);
        List<PackedPiece.Packer> taken = Stream.of("dave", "dave", "bob", "carol")
                .map(account -> PackedPiece.packer(new CodecLevel(Codec.ZSTD, 4), account)
                        .orElseThrow())
                .toList();
        try {
            assertThat(taken)
                    .extracting(packer -> packer.coding().level())
                    .as("two of one account, four in all")
                    .containsOnly(4);
            assertThat(PackedPiece.packer(BZIP2, "erin")).as("they share them").isEmpty();
            HttpResponse<byte[]> answer = get("/files/a", "Jobgate-Encoding", "zstd:9");
            assertThat(answer.body()).as("packed as with level 3").hasSize(large);
            assertThat(unpacked(Codec.ZSTD, answer)).isEqualTo(content);
            assertThat(putPacked(Codec.ZSTD, "bytes 0-999/2000", packed(Codec.ZSTD, new byte[1000]))
                            .statusCode())
                    .as("unpacking needs no such memory, whatever the level was")
                    .isNotEqualTo(503);
        } finally {
            taken.forEach(PackedPiece.Packer::close);
        }
        assertThat(get("/files/a", "Jobgate-Encoding", "zstd:9").body()).hasSize(small);
    }

    /** What a higher level makes smaller. */
    private static byte[] letters() {
        byte[] bytes = new byte[400_000];
        Random random = new Random(4);
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = at > 2000 && random.nextInt(8) > 0
                    ? bytes[at - 1 - random.nextInt(12)]
                    : (byte) ('a' + random.nextInt(26));
        }
        return bytes;
    }

    /** Of a file that was cut while it was sent, the packed part must not look whole. */
    @ParameterizedTest
    @EnumSource
    void aPartThatBreaksOffHasNoEnd(Codec coding) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Packing packing = coding.packing(out, coding.usualLevel())) {
            packing.write(halfNoise(1_000_000));
        }
        assertThatThrownBy(() -> coding.unpacking(new ByteArrayInputStream(out.toByteArray()), 1_000_000)
                        .readAllBytes())
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @EnumSource
    void partsArePutPacked(Codec coding) throws Exception {
        byte[] content = halfNoise(600_000);
        assertThat(header(put("", new byte[0]), "Jobgate-Encoding")).isEqualTo("zstd, gzip, zip, bzip2");

        HttpResponse<String> first =
                putPacked(coding, "bytes 0-399999/600000", packed(coding, Arrays.copyOfRange(content, 0, 400_000)));
        HttpResponse<String> second = putPacked(
                coding, "bytes 400000-599999/600000", packed(coding, Arrays.copyOfRange(content, 400_000, 600_000)));

        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(files.content("below a")).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource
    void bodiesThatAreNotWhatTheySayAreRefused(Codec coding) throws Exception {
        byte[] content = halfNoise(100_000);
        HttpResponse<String> plain = putPacked(coding, "bytes 0-99999/100000", content);
        HttpResponse<String> more = putPacked(coding, "bytes 0-9/100000", packed(coding, content));
        HttpResponse<String> less =
                putPacked(coding, "bytes 0-99999/100000", packed(coding, Arrays.copyOf(content, 500)));
        HttpResponse<String> unsized = put("a", packed(coding, content), "Jobgate-Encoding", coding.word());

        assertThat(plain.statusCode()).as(plain.body()).isEqualTo(400);
        assertThat(plain.body()).contains("not what Jobgate-Encoding says");
        assertThat(more.statusCode()).as(more.body()).isEqualTo(400);
        assertThat(more.body()).containsAnyOf("more bytes than were announced", "longer than what was announced needs");
        assertThat(less.statusCode()).as(less.body()).isEqualTo(400);
        assertThat(less.body()).contains("before its announced end");
        assertThat(unsized.statusCode()).as(unsized.body()).isEqualTo(400);
        assertThat(files.has("below a")).isFalse();
    }

    /** A hundred mebibytes of nothing are a hundred kibibytes packed: no more is unpacked than was announced. */
    @ParameterizedTest
    @EnumSource
    void aBombIsNotUnpacked(Codec coding) throws Exception {
        byte[] bomb = packed(coding, new byte[100 << 20]);
        files.forgetsPieces = true;

        assertThat(putPacked(coding, "bytes 0-999/1000", bomb).statusCode()).isEqualTo(400);
        assertThat(files.forgotten).isLessThanOrEqualTo(1000);
    }

    /** What is to be remembered of what was unpacked is bounded: here 128 MiB are asked for. */
    @Test
    void aWideWindowIsRefused() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer wide = new ZstdOutputStreamNoFinalizer(out, 1).setLong(27)) {
            wide.write(new byte[1000]);
        }
        HttpResponse<String> answer = putPacked(Codec.ZSTD, "bytes 0-999/1000", out.toByteArray());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("memory");
    }
}
