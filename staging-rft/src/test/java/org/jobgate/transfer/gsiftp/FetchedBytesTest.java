// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FetchedBytesTest {

    private static final int FILES = 30;

    /** Longer than waking a thread takes, and less than the pause between two looks whether the end has come would be. */
    private static final Duration BEFORE_THE_END = Duration.ofMillis(20);

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(US_ASCII));
    }

    /** Of many, since a machine with other work may wake any one of them late. */
    @Test
    void theEndIsSeenWhenItComesAndNotAfterAWhile() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        AtomicLong end = new AtomicLong();
        long quickest = Long.MAX_VALUE;
        for (int i = 0; i < FILES; i++) {
            try (FetchedBytes file = new FetchedBytes(
                    0,
                    sink -> {
                        sink.write(0, bytes("some "));
                        pause(); // the reader waits for the next block by then
                        end.set(System.nanoTime());
                    },
                    ended::incrementAndGet)) {
                assertThat(file.readAllBytes()).asString(US_ASCII).isEqualTo("some ");
                quickest = Math.min(quickest, System.nanoTime() - end.get());
                assertThat(file.read()).isEqualTo(-1);
            }
        }
        assertThat(Duration.ofNanos(quickest)).isLessThan(BEFORE_THE_END);
        assertThat(ended).hasValue(FILES);
    }

    private static void pause() {
        try {
            Thread.sleep(BEFORE_THE_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void moreBlocksThanAreHeldArriveInOrder() throws Exception {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            expected.writeBytes(("block " + i + "\n").getBytes(US_ASCII));
        }
        try (FetchedBytes file = new FetchedBytes(
                0,
                sink -> {
                    long at = 0;
                    for (int i = 0; i < 100; i++) {
                        ByteBuffer block = bytes("block " + i + "\n");
                        int length = block.remaining();
                        sink.write(at, block);
                        at += length;
                    }
                },
                () -> {})) {
            assertThat(file.readAllBytes()).isEqualTo(expected.toByteArray());
        }
    }

    @Test
    void whatBrokeOffIsToldInThePlaceOfTheEnd() throws Exception {
        try (FetchedBytes file = new FetchedBytes(
                0,
                sink -> {
                    sink.write(0, bytes("half"));
                    throw new IOException("the line was cut");
                },
                () -> {})) {
            assertThat(file.readNBytes(4)).asString(US_ASCII).isEqualTo("half");
            assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("the line was cut");
            assertThatThrownBy(file::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void bytesInAnotherOrderAreNotTakenForTheFile() throws Exception {
        try (FetchedBytes file = new FetchedBytes(
                10,
                sink -> {
                    sink.write(10, bytes("half"));
                    sink.write(20, bytes("later"));
                },
                () -> {})) {
            assertThat(file.readNBytes(4)).asString(US_ASCII).isEqualTo("half");
            assertThatThrownBy(file::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("from 20 on came in the place of those from 14");
        }
    }
}
