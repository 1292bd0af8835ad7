// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jobgate.packing.CodecLevel;

/**
 * How fast codecs are on this machine and how fast servers were, as transfers have measured it: what the next transfer begins with. Of at most
 * {@value #MOST_SERVERS} servers, for {@value #MINUTES} minutes.
 */
final class CodecSpeeds {

    static final int MOST_SERVERS = 256;
    static final int MINUTES = 10;

    private static final long KEPT_NANOS = MINUTES * 60_000_000_000L;

    private record Seen(double bytesPerSecond, long nanos) {}

    private final LongSupplier nanoTime;
    private final Map<CodecLevel, Double> codecs = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final Map<String, Seen> servers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST_SERVERS;
        }
    };

    CodecSpeeds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Bytes of a file that one thread packs in a second. Until it was measured: of a log, on the machine of docs/internals/performance.md. */
    double ofCodec(CodecLevel codec) {
        Double measured = codecs.get(codec);
        return measured == null ? guess(codec) : measured;
    }

    private static double guess(CodecLevel one) {
        return switch (one.codec()) {
            case ZSTD -> 300e6 / one.level();
            case GZIP, ZIP -> 110e6 / one.level();
            case BZIP2 -> 8e6;
        };
    }

    /**
     * How small a codec makes what zstd makes to 1, until it was tried.
     */
    static double expectedSize(CodecLevel one) {
        return switch (one.codec()) {
            case ZSTD -> 1 - 0.025 * (one.level() - 1);
            case GZIP, ZIP -> 1.15 - 0.03 * (one.level() - 1);
            case BZIP2 -> 0.75;
        };
    }

    void packed(CodecLevel codec, int bytes, long nanos) {
        if (nanos > 0) {
            double now = bytes * 1e9 / nanos;
            codecs.merge(codec, now, (before, latest) -> (3 * before + latest) / 4);
        }
    }

    /** Bytes that went to or came from a server in a second; empty where that is not known, or was long ago. */
    OptionalDouble ofServer(String server) {
        synchronized (servers) {
            Seen seen = servers.get(server);
            return seen == null || nanoTime.getAsLong() - seen.nanos() > KEPT_NANOS
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(seen.bytesPerSecond());
        }
    }

    void server(String server, double bytesPerSecond) {
        synchronized (servers) {
            servers.put(server, new Seen(bytesPerSecond, nanoTime.getAsLong()));
        }
    }
}
