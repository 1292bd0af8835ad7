// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.junit.jupiter.api.Test;

/** Which codec is taken, on networks and of codecs whose speed the test says. */
class CodecChoiceTest {

    private static final int PART = PackedParts.PART;
    private static final CodecLevel ZSTD = new CodecLevel(Codec.ZSTD, 1);
    private static final CodecLevel ZIP = new CodecLevel(Codec.ZIP, 1);
    private static final CodecLevel BZIP2 = new CodecLevel(Codec.BZIP2, 9);

    /** Bytes a second that each packs, and what share of the file is left. */
    private record Packer(double bytesPerSecond, double share) {}

    private final AtomicLong nanos = new AtomicLong();
    private final CodecSpeeds speeds = new CodecSpeeds(nanos::get);
    private Map<CodecLevel, Packer> packers =
            Map.of(ZSTD, new Packer(300e6, 0.22), ZIP, new Packer(100e6, 0.24), BZIP2, new Packer(8e6, 0.15));

    private static Compression auto(CodecLevel... codecs) {
        return new Compression(Compression.Mode.AUTO, List.of(codecs));
    }

    /** Sends so many parts, and says what each was packed with; "" for nothing. */
    private List<String> send(CodecChoice choice, double megabits, int parts) {
        List<String> used = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            CodecLevel codec = choice.next();
            Packer packer = codec == null ? new Packer(0, 1) : requireNonNull(packers.get(codec), "not known");
            long packNanos = codec == null ? 0 : (long) (PART * 1e9 / packer.bytesPerSecond());
            int sent = (int) (PART * packer.share());
            if (codec != null && !choice.judge(sent, PART)) {
                codec = null;
                sent = PART;
            }
            choice.went(codec, PART, sent, packNanos, (long) (sent * 1e9 / (megabits * 1e6 / 8)));
            used.add(codec == null ? "" : codec.codec().word());
        }
        return used;
    }

    private CodecChoice choice(String server, CodecLevel... codecs) {
        return new CodecChoice(auto(codecs), speeds, server);
    }

    @Test
    void theSlowerTheNetworkTheSmallerIsTheCodecThatIsTaken() {
        assertThat(send(choice("a", ZSTD, BZIP2), 1, 20)).first().isEqualTo("");
        assertThat(send(choice("b", ZSTD, BZIP2), 1, 20).subList(10, 20)).containsOnly("bzip2");
        assertThat(send(choice("c", ZSTD, BZIP2), 20, 20).subList(10, 20)).containsOnly("zstd");
        assertThat(send(choice("d", ZSTD, BZIP2), 5_000, 20)).containsOnly("");
        assertThat(send(choice("e", ZIP), 100, 20).subList(10, 20)).containsOnly("zip");
        assertThat(send(choice("f", ZIP), 2_000, 20)).containsOnly("");
        assertThat(send(choice("g", BZIP2), 100, 20))
                .as("its break-even is at 54 Mbit/s")
                .containsOnly("");
        assertThat(send(choice("h", BZIP2), 20, 20).subList(1, 20)).containsOnly("bzip2");
    }

    /** What one byte costs with each is measured, whatever was thought of it before. */
    @Test
    void aCodecThatIsSlowerThanWasThoughtIsGivenUp() {
        packers = Map.of(ZSTD, new Packer(0.5e6, 0.5), ZIP, new Packer(100e6, 0.5));
        assertThat(send(choice("a", ZSTD, ZIP), 10, 20).subList(3, 20)).containsOnly("zip");
    }

    @Test
    void whatCannotBeMadeSmallerIsTriedOnceInSixteenParts() {
        packers = Map.of(ZSTD, new Packer(300e6, 1), BZIP2, new Packer(8e6, 1));
        CodecChoice choice = choice("a", ZSTD, BZIP2);
        assertThat(send(choice, 1, 40)).containsOnly("");
        packers = Map.of(ZSTD, new Packer(300e6, 0.2), BZIP2, new Packer(8e6, 0.2));
        assertThat(send(choice, 1, 20))
                .as("but what follows may be of another kind")
                .containsAnyOf("zstd", "bzip2");
    }

    /** The speed of a server is kept, for a while, and of a bounded number of servers. */
    @Test
    void theNextTransferToAServerKnowsItsSpeed() {
        send(choice("a", ZSTD), 5, 3);
        assertThat(choice("a", ZSTD).next()).isEqualTo(ZSTD);
        assertThat(choice("b", ZSTD).next()).isNull();
        nanos.addAndGet((CodecSpeeds.MINUTES * 60 + 1) * 1_000_000_000L);
        assertThat(choice("a", ZSTD).next()).isNull();
        send(choice("a", ZSTD), 5, 3);
        for (int i = 0; i < CodecSpeeds.MOST_SERVERS; i++) {
            speeds.server("other" + i, 1);
        }
        assertThat(speeds.ofServer("a")).isEmpty();
        assertThat(speeds.ofServer("other0")).hasValue(1);
    }

    @Test
    void whatWasDoneIsTold() {
        CodecChoice choice = choice("a", ZSTD);
        send(choice, 5, 4);
        assertThat(choice.summary())
                .startsWith("on the way 1 part as they were, 3 parts with zstd:1: 4194304 bytes as ")
                .endsWith("; the network brought 5.0 Mbit/s");
        choice.drop(Codec.ZSTD);
        assertThat(choice.next()).isNull();
    }

    @Test
    void aConfigurationThatCannotBeUsedSaysWhy() {
        assertThat(PackingSettings.parse("zip:6", List.of("gzip", "bzip2:2")).codecs())
                .containsExactly(new CodecLevel(Codec.GZIP, 1), new CodecLevel(Codec.BZIP2, 2));
        assertThatThrownBy(() -> PackingSettings.parse("sometimes", List.of("gzip")))
                .hasMessageContaining("never, auto, always");
        assertThatThrownBy(() -> PackingSettings.parse("never", List.of("lzma")))
                .hasMessageContaining("zstd, gzip, zip, bzip2")
                .hasMessageContaining("not lzma");
        assertThatThrownBy(() -> PackingSettings.parse("never", List.of())).hasMessageContaining("no codec");
    }
}
