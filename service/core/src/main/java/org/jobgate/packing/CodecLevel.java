// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.packing;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A codec and how hard it tries: {@code zstd:3}, or {@code zstd} for its usual level. */
public record CodecLevel(Codec codec, int level) {

    private static final Pattern FORM = Pattern.compile("[a-z0-9]{1,16}(:[1-9])?");

    public CodecLevel {
        requireNonNull(codec, "codec is null");
        if (level < Codec.QUICKEST || level > Codec.SMALLEST) {
            throw new IllegalArgumentException(
                    "levels go from " + Codec.QUICKEST + " to " + Codec.SMALLEST + ", not " + level);
        }
    }

    /** What a text says; empty where it has another form, or names what is not known. The codec need not be usable here. */
    public static Optional<CodecLevel> parse(String text) {
        String plain = text.strip().toLowerCase(Locale.ROOT);
        if (!FORM.matcher(plain).matches()) {
            return Optional.empty();
        }
        int colon = plain.indexOf(':');
        String word = colon < 0 ? plain : plain.substring(0, colon);
        return Arrays.stream(Codec.values())
                .filter(codec -> codec.word().equals(word))
                .findFirst()
                .map(codec -> new CodecLevel(
                        codec, colon < 0 ? codec.usualLevel() : Integer.parseInt(plain.substring(colon + 1))));
    }

    /** Every form that there is, for whoever wrote another one. */
    public static String forms() {
        return Arrays.stream(Codec.values()).map(Codec::word).collect(Collectors.joining(", "))
                + ", each also as CODEC:" + Codec.QUICKEST + " to CODEC:" + Codec.SMALLEST;
    }

    /** Whether each stream that packs so needs that much memory that only a few may be open at once: bzip2, and zstd from level 4 on. */
    public boolean isHeavy() {
        return level >= codec.heavyFrom();
    }

    /** The same codec at the highest level that is not heavy, and no higher than here; empty where each of its levels is. */
    public Optional<CodecLevel> light() {
        int highest = Math.min(level, codec.heavyFrom() - 1);
        return highest < Codec.QUICKEST ? Optional.empty() : Optional.of(new CodecLevel(codec, highest));
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return codec.word() + ":" + level;
    }

    @Override
    public String toString() {
        return text();
    }
}
