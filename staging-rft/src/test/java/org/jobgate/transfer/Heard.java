// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;

/** Records the progress that a protocol reports of a transfer, and has what all tests of protocols need. */
public final class Heard implements Progress {

    /** For an answer of a real server, however slow the machine is. */
    public static final Duration TIMEOUT = Duration.ofMinutes(2);

    public final List<String> marks = new ArrayList<>();
    public final List<String> notes = new ArrayList<>();
    public long bytes;

    @Override
    public synchronized void moved(long more) {
        bytes += more;
    }

    @Override
    public boolean isMarkDue() {
        return true;
    }

    @Override
    public synchronized void mark(String marker) {
        marks.add(marker);
    }

    @Override
    public synchronized void note(String text) {
        notes.add(text);
    }

    public TransferContext context(String id) {
        return new TransferContext(id, "alice", null, Map.of(), false, TIMEOUT, null, this);
    }

    public static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    /** The content from an offset on. */
    public static Source source(byte[] content, int from) {
        InputStream bytes = new ByteArrayInputStream(Arrays.copyOfRange(content, from, content.length));
        return new Source(from, content.length, "", bytes);
    }

    private static Source slice(byte[] content, int from, int to) {
        return new Source(from, to, "", new ByteArrayInputStream(Arrays.copyOfRange(content, from, to)));
    }

    /** Makes a file that is not there yet, and appends to it until it holds the content, of at least two million bytes. */
    public static void makeLonger(Protocol protocol, URI to, byte[] content, TransferContext context) throws Exception {
        assertThat(protocol.appends()).isTrue();
        assertThat(protocol.size(to, context)).isNegative();
        assertThat(protocol.append(slice(content, 500, 900), to, context)).isFalse();
        assertThat(protocol.size(to, context)).isNegative();
        protocol.store(slice(content, 0, 500), to, context);
        assertThat(protocol.append(slice(content, 501, 900), to, context)).isFalse();
        assertThat(protocol.append(slice(content, 500, 2_000_000), to, context)).isTrue();
        assertThat(protocol.size(to, context)).isEqualTo(2_000_000);
        // what an attempt has left behind the mark is written over, and what is behind that stays
        assertThat(protocol.append(slice(content, 1_000, 1_500), to, context)).isTrue();
        assertThat(protocol.size(to, context)).isEqualTo(2_000_000);
        assertThat(protocol.append(slice(content, 1_999_000, content.length), to, context))
                .isTrue();
    }

    /** The same, of which nobody says how long it is. */
    public static Source unmeasured(byte[] content) {
        return new Source(0, Source.UNKNOWN, "", new ByteArrayInputStream(content));
    }

    /** What comes before it breaks off. */
    public static byte[] untilItBreaks(Source source) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[4096];
        try {
            for (int count = source.bytes().read(piece);
                    count >= 0;
                    count = source.bytes().read(piece)) {
                all.write(piece, 0, count);
            }
        } catch (IOException e) {
            return all.toByteArray();
        }
        throw new AssertionError("it came whole");
    }
}
