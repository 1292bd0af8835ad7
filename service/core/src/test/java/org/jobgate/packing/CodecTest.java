// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {

    private static byte[] halfNoise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Arrays.fill(bytes, 0, size / 2, (byte) 7);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPackedIsUnpackedAtEachLevel(Codec codec) throws Exception {
        byte[] content = halfNoise(300_000);
        for (int level = Codec.QUICKEST; level <= Codec.SMALLEST; level++) {
            byte[] packed = codec.pack(content, level);
            assertThat(packed.length).isLessThan(content.length * 2 / 3);
            assertThat(codec.unpack(packed, content.length)).isEqualTo(content);
        }
        assertThat(codec.unpack(codec.pack(new byte[0], codec.usualLevel()), 0)).isEmpty();
        byte[] noise = new byte[200_000];
        new Random(1).nextBytes(noise);
        assertThat(codec.unpack(codec.pack(noise, codec.usualLevel()), noise.length))
                .as("what cannot be made smaller is within the bounds of a body, too")
                .isEqualTo(noise);
    }

    /** Many transfers with {@code compress: zstd:9} would need 12 MB each, outside the heap. */
    @ParameterizedTest
    @CsvSource({"ZSTD,4,3", "BZIP2,1,", "GZIP,,9"})
    void onlyAFewThreadsPackWithALevelThatNeedsMuchMemory(Codec codec, @Nullable Integer heavy, @Nullable Integer light)
            throws Exception {
        byte[] content = halfNoise(100_000);
        Codec.HEAVY.acquire(4);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                if (light != null) {
                    assertThat(new CodecLevel(codec, light).isHeavy()).isFalse();
                    assertThat(threads.submit(() -> codec.pack(content, light)).get(1, TimeUnit.MINUTES))
                            .isNotEmpty();
                    assertThat(new CodecLevel(codec, Codec.SMALLEST).light()).contains(new CodecLevel(codec, light));
                }
                if (heavy != null) {
                    assertThat(new CodecLevel(codec, heavy).isHeavy()).isTrue();
                    Future<byte[]> waiting = threads.submit(() -> codec.pack(content, heavy));
                    assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
                            .isInstanceOf(TimeoutException.class);
                    Codec.HEAVY.release();
                    assertThat(waiting.get(1, TimeUnit.MINUTES)).isNotEmpty();
                    Codec.HEAVY.acquire();
                }
            } finally {
                Codec.HEAVY.release(4);
            }
        }
    }

    /** Programs that others wrote read what we pack, and we what they pack. */
    @ParameterizedTest
    @CsvSource({"ZSTD,zstd", "GZIP,gzip", "BZIP2,bzip2"})
    void othersProgramsHaveTheSameForm(Codec codec, String program, @TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/bin/" + program)) || Files.exists(Path.of("/bin/" + program)),
                "SKIPPED: " + program + " is not installed");
        byte[] content = halfNoise(300_000);
        Path packed = Files.write(folder.resolve("packed"), codec.pack(content, Codec.SMALLEST));
        Path plain = folder.resolve("plain");
        assertThat(run(List.of(program, "-dc"), packed, plain)).isZero();
        assertThat(plain).hasBinaryContent(content);
        assertThat(run(List.of(program, "-1c"), plain, packed)).isZero();
        assertThat(codec.unpack(Files.readAllBytes(packed), content.length)).isEqualTo(content);
    }

    private static int run(List<String> command, Path in, Path out) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @EnumSource
    void noMoreIsUnpackedThanWasAnnounced(Codec codec) throws Exception {
        byte[] bomb = codec.pack(new byte[8 << 20], codec.usualLevel());
        assertThatThrownBy(() -> codec.unpack(bomb, 1000))
                .isInstanceOf(ZipException.class)
                .hasMessageContaining("more bytes than were announced");
        assertThatThrownBy(() -> codec.unpack(codec.pack(new byte[999], 1), 1000))
                .isInstanceOf(ZipException.class)
                .hasMessageContaining("fewer bytes");
        assertThatThrownBy(() -> codec.unpack(new byte[1000], 1000)).isInstanceOf(IOException.class);
    }

    /** Any damage is met with an exception of input, or is none. */
    @ParameterizedTest
    @EnumSource
    void damageIsNoErrorOfAnotherKind(Codec codec) throws Exception {
        byte[] content = halfNoise(20_000);
        byte[] packed = codec.pack(content, codec.usualLevel());
        Random random = new Random(2);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = packed.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] cut = Arrays.copyOf(damaged, i % 3 == 0 ? random.nextInt(damaged.length) : damaged.length);
            try {
                codec.unpack(cut, content.length);
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotNull();
            }
        }
    }

    /** A connection that breaks off is not the fault of what is packed. */
    @ParameterizedTest
    @EnumSource
    void aBodyThatBreaksOffIsToldAsSuch(Codec codec) throws Exception {
        byte[] packed = codec.pack(halfNoise(300_000), codec.usualLevel());
        InputStream broken = new FilterInputStream(new ByteArrayInputStream(packed, 0, packed.length / 2)) {
            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                int got = super.read(into, from, length);
                if (got < 0) {
                    throw new IOException("the cable is out");
                }
                return got;
            }
        };
        assertThatThrownBy(() -> codec.unpacking(broken, 300_000).readAllBytes())
                .isNotInstanceOf(ZipException.class)
                .hasMessage("the cable is out");
    }

    /** Without a bound of the body this ends never: each member holds nothing. */
    @Test
    void noMoreIsReadOfABodyThanWhatWasAnnouncedNeeds() throws Exception {
        byte[] many = emptyMembers(100);
        AtomicLong read = new AtomicLong();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return many[(int) (read.getAndIncrement() % many.length)];
            }

            @Override
            public int read(byte[] into, int from, int length) {
                for (int i = 0; i < length; i++) {
                    into[from + i] = (byte) read();
                }
                return length;
            }

            @Override
            public int available() {
                return 1;
            }
        };
        try (InputStream in = Codec.GZIP.unpacking(endless, 1000)) {
            assertThat(in.readAllBytes()).isEmpty();
        }
        assertThat(read.get()).isLessThan(10_000);
    }

    /** The library calls itself for each member. */
    @Test
    void aHundredThousandEmptyMembersAreRefused() throws Exception {
        byte[] many = emptyMembers(100_000);
        assertThatThrownBy(() -> Codec.GZIP.unpack(many, 20_000_000)).isInstanceOf(ZipException.class);
    }

    private static byte[] emptyMembers(int count) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            new GZIPOutputStream(all).close();
        }
        return all.toByteArray();
    }

    @Test
    void aCodecIsNamedWithALevelOrWithout() {
        assertThat(CodecLevel.parse("zstd:3")).contains(new CodecLevel(Codec.ZSTD, 3));
        assertThat(CodecLevel.parse(" BZIP2 ")).contains(new CodecLevel(Codec.BZIP2, 9));
        assertThat(CodecLevel.parse("zip").orElseThrow().text()).isEqualTo("zip:1");
        assertThat(Codec.words()).isEqualTo("zstd, gzip, zip, bzip2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "br", "zstd:", "zstd:0", "zstd:10", "zstd:3:3", ":3", "zstd 3", "zstd:-1"})
    void othersAreNoCodecs(String text) {
        assertThat(CodecLevel.parse(text)).isEmpty();
    }
}
