// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jobgate.packing.Packing;
import org.junit.jupiter.api.Test;

/** A client that keeps a place that others want is waited for so long and no longer. */
class ClientPaceTest {

    private final AtomicLong now = new AtomicLong(-5);
    private final ClientPace pace = new ClientPace(now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private OutputStream taking(Duration each) {
        return new OutputStream() {
            @Override
            public void write(int one) {
                pass(each);
            }

            @Override
            public void write(byte[] from, int offset, int length) {
                pass(each);
            }
        };
    }

    @Test
    void aClientThatReadsAByteNowAndThenLosesItsPlace() throws Exception {
        OutputStream out = pace.to(taking(Duration.ofSeconds(20)));
        for (int i = 0; i < 3; i++) {
            out.write(1);
        }
        assertThatThrownBy(() -> out.write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("waited for for 80 s, and 4 bytes went");
    }

    @Test
    void aSlowNetworkAndTheGatewaysOwnWorkAreNoReason() throws Exception {
        OutputStream out = pace.to(taking(Duration.ofSeconds(4)));
        for (int i = 0; i < 1000; i++) {
            out.write(new byte[64 * 1024]); // 128 kbit/s
            pass(Duration.ofMinutes(1)); // as long as the disk takes
        }
    }

    @Test
    void soIsABodyThatComesByteByByte() throws Exception {
        InputStream in = pace.from(new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("it is read by buffers");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                pass(Duration.ofSeconds(29));
                return 1;
            }
        });
        assertThat(in.read()).isZero();
        assertThat(in.read(new byte[10])).isEqualTo(1);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("3 bytes went");
    }

    /** Only what needs a place is watched. */
    @Test
    void onlyAPackerWithAPlaceHasAPace() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        for (CodecLevel level : new CodecLevel[] {new CodecLevel(Codec.BZIP2, 9), new CodecLevel(Codec.GZIP, 1)}) {
            try (PackedPiece.Packer packer =
                    PackedPiece.packer(level, "alice", now::get).orElseThrow()) {
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                Packing packing = packer.to(new OutputStream() {
                    @Override
                    public void write(int one) {
                        write(new byte[] {(byte) one}, 0, 1);
                    }

                    @Override
                    public void write(byte[] from, int offset, int length) {
                        pass(Duration.ofMinutes(4));
                        sent.write(from, offset, length);
                    }
                });
                if (level.codec() == Codec.BZIP2) {
                    assertThatThrownBy(() -> packing.write(content)).hasMessageContaining("others want the place");
                } else {
                    assertThatCode(() -> packing.write(content)).doesNotThrowAnyException();
                    assertThat(sent.size()).isGreaterThan(1_000_000);
                }
                packing.close();
            }
        }
    }
}
