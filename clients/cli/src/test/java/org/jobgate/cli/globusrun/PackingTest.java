// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.jobgate.cli.command.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PackingTest {

    private static final int PIECE = 1024 * 1024;
    private static final long SECOND = 1_000_000_000L;

    private static byte[] text() {
        byte[] bytes = new byte[PIECE];
        byte[] line = "the same line again and again\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = line[i % line.length];
        }
        return bytes;
    }

    private static byte[] noise() {
        byte[] bytes = new byte[PIECE];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Test
    void byDefaultNothingIsPacked() throws Exception {
        Packing packing = new Packing(Packing.Mode.of(null));
        packing.offered("zstd, gzip");
        packing.went(PIECE, PIECE, 60 * SECOND);

        assertThat(packing.isDue()).isFalse();
        assertThat(packing.wanted()).isEmpty();
        byte[] piece = text();
        assertThat(packing.toSend(piece).bytes()).isSameAs(piece);
        assertThatThrownBy(() -> Packing.Mode.of("maybe"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("never, auto or always");
    }

    @Test
    void aSlowNetworkIsFoundOutAndAFastOneToo() throws Exception {
        Packing slow = new Packing(Packing.Mode.of("AUTO"));
        slow.offered("gzip");
        assertThat(slow.isDue()).as("nothing is known yet").isFalse();
        slow.went(PIECE, PIECE, 8 * SECOND);
        assertThat(slow.isDue()).isTrue();
        assertThat(slow.toSend(text()).bytes().length).isLessThan(PIECE / 50);

        Packing fast = new Packing(Packing.Mode.AUTO);
        fast.went(PIECE, PIECE, SECOND / 200);
        assertThat(fast.isDue()).isFalse();
    }

    @Test
    void whatCannotBeMadeSmallerIsTriedNowAndThenOnly() throws Exception {
        Packing packing = new Packing(Packing.Mode.AUTO);
        packing.offered("zstd, gzip");
        packing.went(PIECE, PIECE, 8 * SECOND);
        byte[] piece = noise();
        assertThat(packing.toSend(piece)).isEqualTo(new Packing.Sent(piece, null));
        for (int i = 0; i < 15; i++) {
            assertThat(packing.isDue()).as("piece %d", i).isFalse();
        }
        assertThat(packing.isDue()).isTrue();

        packing.went(PIECE, PIECE - 10, 8 * SECOND); // one that came packed for nothing
        assertThat(packing.isDue()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void whatWasPackedIsUnpackedWithinItsBound(Coding coding) throws Exception {
        byte[] packed = coding.pack(text());

        assertThat(coding.unpack(packed, PIECE)).isEqualTo(text());
        assertThatThrownBy(() -> coding.unpack(packed, PIECE - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than was asked for");
        assertThatThrownBy(() -> coding.unpack(Arrays.copyOf(packed, packed.length - 20), PIECE))
                .isInstanceOf(IOException.class);
    }

    @Test
    void theFirstThatBothKnowIsTaken() throws Exception {
        Packing packing = new Packing(Packing.Mode.ALWAYS);
        assertThat(packing.wanted()).isEqualTo("zstd, gzip");
        assertThat(packing.toSend(text()).coding())
                .as("before the service said anything")
                .isNull();
        packing.offered("br, zstd, gzip");
        assertThat(packing.toSend(text()).coding()).isEqualTo(Coding.ZSTD);
        packing.offered("gzip");
        assertThat(packing.toSend(text()).coding()).isEqualTo(Coding.GZIP);
        packing.offered("");
        assertThat(packing.toSend(text()).coding()).isNull();
    }

    /** As launchers start it without -compress: the jar of the command line alone. */
    @Test
    void withoutTheLibraryForZstdThereIsGzip() throws Exception {
        URL classes = Coding.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Method here = Class.forName(Coding.class.getName(), true, alone).getDeclaredMethod("here");
            here.setAccessible(true);
            assertThat(here.invoke(null)).hasToString("GZIP");
        }
    }
}
