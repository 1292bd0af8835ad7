// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.packing.CodecLevel;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;

/**
 * Whether what goes between two gateways is packed on its way, and with what: the option {@value #OPTION} of a transfer. The other gateway is told
 * by the header {@value #HEADER}, with which offsets and sizes stay those of the file (docs/reference/files.md); other servers do not know it
 * and send as ever.
 *
 * @param codecs that may be used, what is to be taken first in front; empty for {@link Mode#NEVER}
 */
public record Compression(Mode mode, List<CodecLevel> codecs) {

    /** What the option says. A codec is {@link #ALWAYS} with that codec only. */
    public enum Mode {
        /** As it is where nothing else is said. */
        NEVER,
        /** With what is the quickest for the whole, which may be nothing. */
        AUTO,
        ALWAYS;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The name of the option. */
    public static final String OPTION = "compress";

    static final String HEADER = "Jobgate-Encoding";

    public Compression {
        codecs = List.copyOf(codecs);
    }

    /** Why the option cannot have this value, a clause without a full stop; empty where it can. */
    public static Optional<String> refusal(String value) {
        return find(value).isPresent() || CodecLevel.parse(value).isPresent()
                ? Optional.empty()
                : Optional.of("the option " + OPTION + " is one of "
                        + Arrays.stream(Mode.values()).map(Mode::word).collect(Collectors.joining(", "))
                        + ", or a codec: " + CodecLevel.forms());
    }

    private static Optional<Mode> find(String value) {
        return Arrays.stream(Mode.values())
                .filter(mode -> mode.word().equals(value))
                .findFirst();
    }

    static Compression of(TransferContext context, PackingSettings settings) throws TransferException {
        String value = context.option(OPTION).orElse(settings.byDefault());
        Mode mode = find(value).orElse(Mode.ALWAYS);
        List<CodecLevel> named = CodecLevel.parse(value).map(List::of).orElse(List.of());
        if (find(value).isEmpty() && named.isEmpty()) {
            throw new TransferException(
                    TransferException.Kind.PERMANENT, refusal(value).orElse(""), "Correct it.");
        }
        List<CodecLevel> codecs = (named.isEmpty() ? settings.codecs() : named)
                .stream().filter(one -> one.codec().isThere()).toList();
        return mode == Mode.NEVER || codecs.isEmpty()
                ? new Compression(Mode.NEVER, List.of())
                : new Compression(mode, codecs);
    }

    boolean isNever() {
        return mode == Mode.NEVER;
    }

    /** The codecs as a request for a packed answer names them: with their levels, which gateways of before do not know, and without. */
    static String header(List<CodecLevel> codecs) {
        Set<String> words = new LinkedHashSet<>();
        for (CodecLevel one : codecs) {
            words.add(one.text());
            words.add(one.codec().word());
        }
        return String.join(", ", words);
    }
}
