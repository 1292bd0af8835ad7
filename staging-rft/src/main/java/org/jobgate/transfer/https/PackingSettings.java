// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.packing.Codec;
import org.jobgate.packing.CodecLevel;

/**
 * What the site lets files between two gateways be packed with.
 *
 * @param byDefault what a transfer does that has no option {@value Compression#OPTION}
 * @param codecs that {@code auto} chooses from, and of which {@code always} takes the first that the other gateway knows
 */
public record PackingSettings(String byDefault, List<CodecLevel> codecs) {

    /** Nothing is packed that does not ask for it. */
    public static final PackingSettings DEFAULTS = new PackingSettings(
            "never",
            List.of(new CodecLevel(Codec.ZSTD, 1), new CodecLevel(Codec.GZIP, 1), new CodecLevel(Codec.BZIP2, 9)));

    public PackingSettings {
        requireNonNull(byDefault, "byDefault is null");
        codecs = List.copyOf(codecs);
        if (codecs.isEmpty()) {
            throw new IllegalArgumentException("it names no codec");
        }
    }

    /**
     * From the words of a configuration.
     *
     * @throws IllegalArgumentException that says which is none
     */
    public static PackingSettings parse(String byDefault, List<String> codecs) {
        Compression.refusal(byDefault).ifPresent(why -> {
            throw new IllegalArgumentException(why + "; it is " + byDefault);
        });
        List<CodecLevel> known = new ArrayList<>();
        for (String text : codecs) {
            known.add(CodecLevel.parse(text)
                    .orElseThrow(() ->
                            new IllegalArgumentException("a codec is one of " + CodecLevel.forms() + ", not " + text)));
        }
        return new PackingSettings(byDefault, known);
    }
}
