// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;
import org.jspecify.annotations.Nullable;

/**
 * What the next part of one file is packed with. {@link Compression.Mode#ALWAYS} takes the first codec; {@link Compression.Mode#AUTO} the one, or none,
 * with which a byte of the file was the soonest at its end: packing and sending are measured together. What was not tried yet is tried where the
 * speed of the network and of the codec say that it may be quicker. For one thread.
 */
final class CodecChoice {

    /** What is not made smaller than this share of itself is sent as it is. */
    static final double WORTH = 0.9;

    /** After so many parts what is in the file may have changed: all is tried again. */
    private static final int AGAIN = 32;

    /** After a part that was not worth it, so many are not tried; fewer where they go in one stretch. */
    private static final int UNTRIED = 15;

    /** Fewer bytes say more of how long an answer takes than of how fast the network is. */
    private static final int TELLING = 64 * 1024;

    private final boolean isAlways;
    private final List<CodecLevel> codecs;
    private final CodecSpeeds speeds;
    private final String server;

    /** Seconds for a byte of the file with each that was tried. */
    private final Map<CodecLevel, Double> costs = new HashMap<>();

    private final Map<String, Integer> told = new TreeMap<>();
    private double plainCost;
    private double bytesPerSecond;
    private double ratio = Double.NaN;
    private int untried;
    private int parts;
    private long fileBytes;
    private long sentBytes;

    /** @param server whose network it is: host and port */
    CodecChoice(Compression compression, CodecSpeeds speeds, String server) {
        this.isAlways = compression.mode() == Compression.Mode.ALWAYS;
        this.codecs = new ArrayList<>(compression.codecs());
        this.speeds = speeds;
        this.server = server;
        this.bytesPerSecond = speeds.ofServer(server).orElse(0);
    }

    /** Only these are known at the other end. */
    void only(Predicate<Codec> known) {
        codecs.removeIf(one -> !known.test(one.codec()));
    }

    /** The other end does not take it, or not now. */
    void drop(Codec codec) {
        codecs.removeIf(one -> one.codec() == codec);
    }

    List<CodecLevel> codecs() {
        return List.copyOf(codecs);
    }

    /** What the next part is packed with; null for nothing. */
    @Nullable
    CodecLevel next() {
        if (untried > 0) {
            untried--;
            return null;
        }
        if (codecs.isEmpty()) {
            return null;
        }
        if (isAlways) {
            return codecs.getFirst();
        }
        if (bytesPerSecond == 0) {
            return null;
        }
        parts++;
        if (parts % AGAIN == 0) {
            costs.clear();
            plainCost = 0;
            ratio = Double.NaN;
        }
        CodecLevel best = null;
        double bestCost = plainCost();
        for (CodecLevel one : codecs) {
            double cost = costs.getOrDefault(one, expected(one));
            if (cost < bestCost) {
                best = one;
                bestCost = cost;
            }
        }
        return best;
    }

    /** Whether nothing tells yet how fast the network is. */
    boolean isNew() {
        return bytesPerSecond == 0;
    }

    /** As many parts as were to be sent as they are have come in one piece. */
    void again() {
        untried = 0;
    }

    private double plainCost() {
        return plainCost > 0 ? plainCost : 1 / bytesPerSecond;
    }

    private double expected(CodecLevel one) {
        double packed = Double.isNaN(ratio) ? 0.5 : ratio;
        return 1 / speeds.ofCodec(one) + packed * CodecSpeeds.expectedSize(one) / bytesPerSecond;
    }

    /** Whether packed bytes are sent in the place of those of the file. */
    boolean judge(int packed, int part) {
        boolean isWorth = packed <= WORTH * part;
        if (!isWorth) {
            untried = UNTRIED;
        }
        return isWorth;
    }

    /**
     * A part came through.
     *
     * @param codec what it was packed with; null for nothing
     * @param part bytes of the file
     * @param sent bytes on the network
     * @param packNanos how long it was packed; 0 where the other end did that
     */
    void went(@Nullable CodecLevel codec, int part, int sent, long packNanos, long sendNanos) {
        fileBytes += part;
        sentBytes += sent;
        told.merge(codec == null ? "" : codec.text(), 1, Integer::sum);
        if (part < TELLING || sendNanos <= 0) {
            return;
        }
        double cost = (packNanos + sendNanos) / 1e9 / part;
        if (codec == null) {
            plainCost = plainCost == 0 ? cost : (plainCost + cost) / 2;
        } else {
            costs.merge(codec, cost, (before, now) -> (before + now) / 2);
            ratio = (double) sent / part / CodecSpeeds.expectedSize(codec);
        }
        if (sent >= TELLING) {
            double now = sent * 1e9 / sendNanos;
            bytesPerSecond = bytesPerSecond == 0 ? now : (bytesPerSecond + now) / 2;
            speeds.server(server, bytesPerSecond);
        }
    }

    /** What the owner is told at the end of the transfer. */
    String summary() {
        List<String> words = new ArrayList<>();
        told.forEach((codec, count) -> words.add(
                count + (count == 1 ? " part " : " parts ") + (codec.isEmpty() ? "as they were" : "with " + codec)));
        String speed = bytesPerSecond == 0
                ? ""
                : String.format(Locale.ROOT, "; the network brought %.1f Mbit/s", bytesPerSecond * 8 / 1e6);
        return "on the way " + String.join(", ", words) + ": " + fileBytes + " bytes as " + sentBytes + speed;
    }
}
