// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;

/**
 * Whether what goes between two gateways is packed on its way: the option {@value #OPTION} of a transfer. The other gateway is told by the header
 * {@value #HEADER}, with which offsets and sizes stay those of the file (docs/reference/files.md); other servers do not know it and send as ever.
 */
public enum Compression {
    /** As it is without the option. */
    NEVER,
    /** Where the network is slower than packing, and as long as it makes the file smaller. */
    AUTO,
    ALWAYS;

    /** The name of the option. */
    public static final String OPTION = "compress";

    static final String HEADER = "Jobgate-Encoding";

    /** What every gateway knows, and what needs no native library here. */
    static final String CODING = "gzip";

    /** Why the option cannot have this value, a clause without a full stop; empty where it can. */
    public static Optional<String> refusal(String value) {
        return find(value).isPresent()
                ? Optional.empty()
                : Optional.of("the option " + OPTION + " is one of "
                        + Arrays.stream(values()).map(Compression::word).collect(Collectors.joining(", ")));
    }

    private static Optional<Compression> find(String value) {
        return Arrays.stream(values()).filter(one -> one.word().equals(value)).findFirst();
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Compression of(TransferContext context) throws TransferException {
        String value = context.option(OPTION).orElse(NEVER.word());
        return find(value)
                .orElseThrow(() -> new TransferException(
                        TransferException.Kind.PERMANENT, refusal(value).orElse(""), "Correct it."));
    }

    /** The same transfer, not packed. */
    static TransferContext without(TransferContext context) {
        Map<String, String> options = new HashMap<>(context.options());
        options.remove(OPTION);
        return new TransferContext(
                context.id(),
                context.account(),
                context.credential(),
                options,
                context.isProgram(),
                context.idleTimeout(),
                context.marker(),
                context.progress());
    }

    /** Whether what an answer holds is packed. */
    static boolean isPacked(HttpResponse<?> response) {
        return response.headers().firstValue(HEADER).isPresent();
    }

    /**
     * The bytes of the file that an answer holds.
     *
     * @param length how many there are to be; {@link Source#UNKNOWN} where that is not known
     * @throws TransferException the answer is not what it says, or is packed in a way that nobody asked for
     */
    static InputStream unpacked(HttpResponse<InputStream> response, long length) throws TransferException {
        String coding = response.headers().firstValue(HEADER).orElse("");
        if (coding.isEmpty()) {
            return response.body();
        }
        if (!coding.equals(CODING)) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    TransferException.Kind.PERMANENT,
                    "the server packed the file in a way that was not asked for (" + HEADER + ")",
                    "Leave out the option " + OPTION + ".");
        }
        try {
            return new Unpacked(new GZIPInputStream(response.body(), 64 * 1024), length);
        } catch (IOException e) {
            HttpsAnswers.discard(response);
            throw TransferException.of(e, "unpacking what the server sent");
        }
    }

    /** However much a packed answer holds, no more of it is taken than was announced. */
    private static final class Unpacked extends FilterInputStream {

        private long left;

        Unpacked(InputStream in, long length) {
            super(in);
            this.left = length == Source.UNKNOWN ? Long.MAX_VALUE : length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                if (super.read(new byte[1], 0, 1) >= 0) {
                    throw new IOException("the server sent more than it had announced");
                }
                return -1;
            }
            int got = super.read(into, from, (int) Math.min(length, left));
            left -= Math.max(0, got);
            return got;
        }
    }
}
