// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jobgate.jmh.Measured;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What every block and every reply of a transfer costs beside the bytes. Budget: none of their own, they must not be seen. */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GridFtpBenchmark extends Measured {

    private static final int MAX_REPLY_BYTES = 1 << 20;
    private static final int BLOCK = 1 << 18;

    /** A performance marker of GFD.020, as a server sends one every few seconds for each stripe. */
    private static final List<String> MARKER = List.of(
            "112-Perf Marker",
            " Timestamp:  1795406571.5",
            " Stripe Index: 0",
            " Stripe Bytes Transferred: 104857600",
            " Total Stripe Count: 1",
            "112 End.");

    private final ReplyAssembler replies = new ReplyAssembler(MAX_REPLY_BYTES);
    private long offset;

    /** A header of extended block mode, written and read. */
    @Benchmark
    public BlockHeader blockHeader() throws MalformedReplyException {
        offset = (offset + BLOCK) & Long.MAX_VALUE >> 1;
        return BlockHeader.of(new BlockHeader(0, BLOCK, offset).bytes());
    }

    /** A reply of one line. */
    @Benchmark
    public @Nullable Reply oneLine() throws MalformedReplyException {
        return replies.take("226 Transfer Complete.");
    }

    /** A reply of six. */
    @Benchmark
    public @Nullable Reply marker() throws MalformedReplyException {
        Reply whole = null;
        for (String line : MARKER) {
            whole = replies.take(line);
        }
        return whole;
    }
}
