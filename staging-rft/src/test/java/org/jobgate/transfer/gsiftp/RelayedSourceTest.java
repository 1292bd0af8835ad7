// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.junit.jupiter.api.Test;

/** A file of another protocol on its way to a GridFTP server. */
class RelayedSourceTest {

    private final List<Long> moved = new ArrayList<>();

    private RelayedSource relayed(String bytes, long start) {
        Progress progress = new Progress() {
            @Override
            public void moved(long count) {
                moved.add(count);
            }

            @Override
            public boolean isMarkDue() {
                return true;
            }

            @Override
            public void mark(String marker) {
                throw new AssertionError("a relayed file has no marker of GridFTP: " + marker);
            }
        };
        Source source = new Source(
                start, Source.UNKNOWN, "v1", new ByteArrayInputStream(bytes.getBytes(StandardCharsets.UTF_8)));
        return new RelayedSource(
                source,
                new TransferContext("id", "alice", null, Map.of(), false, Duration.ofSeconds(1), null, progress));
    }

    @Test
    void bytesComeInOrderAndTheEndCountsFromTheBeginningOfTheFile() throws Exception {
        RelayedSource relayed = relayed("abcdef", 100);
        assertThat(relayed.end()).isEqualTo(100);
        // a part of a larger array, as a block of the data channel is
        ByteBuffer buffer = ByteBuffer.allocate(12).position(3).slice().limit(4);
        assertThat(relayed.read(100, buffer)).isEqualTo(4);
        assertThat(buffer.position()).isEqualTo(4);
        assertThat(new String(buffer.array(), 3, 4, StandardCharsets.UTF_8)).isEqualTo("abcd");
        assertThat(relayed.end()).isEqualTo(104);
        assertThat(relayed.read(104, buffer.clear().limit(8))).isEqualTo(2);
        assertThat(relayed.read(106, buffer)).isEqualTo(-1);
        assertThat(relayed.end()).isEqualTo(106);
    }

    @Test
    void theEngineIsToldDifferences() {
        RelayedSource relayed = relayed("", 0);
        relayed.moved(10);
        relayed.moved(25);
        relayed.moved(25);
        assertThat(moved).containsExactly(10L, 15L);
    }
}
