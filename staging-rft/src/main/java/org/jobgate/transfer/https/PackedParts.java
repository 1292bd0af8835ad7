// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * Puts a file to another gateway in parts, each packed where that pays ({@link Compression}), as docs/reference/files.md says it. What has arrived
 * is told after each part, so that a further attempt, also after a restart, goes on behind it.
 */
final class PackedParts {

    /** So many bytes of the file are in one part, and in memory, at the most. */
    static final int PART = 1024 * 1024;

    /** What is not made smaller than this share of itself is sent as it is. */
    private static final double WORTH = 0.9;

    /** After a part that was not worth it, so many are sent as they are before it is tried again. */
    private static final int UNTRIED = 15;

    /** Bytes a second on the network from which on packing takes longer than sending. */
    private static final double FAST = 150e6 / 8;

    private static final String OFFSET = "Upload-Offset";

    /** Which of several transfers of the same file it is: the gateway keeps what each sends in a part of its own. */
    private static final String UPLOAD = "Jobgate-Upload";

    private final HttpsCalls calls;

    PackedParts(HttpsCalls calls) {
        this.calls = requireNonNull(calls, "calls is null");
    }

    /** A request for the destination, of which method and body are missing. */
    @FunctionalInterface
    interface Asking {
        HttpRequest.Builder builder() throws TransferException;
    }

    /** How much an unfinished file has at a gateway that takes packed parts; empty where the server is none. */
    OptionalLong kept(HttpRequest.Builder asking, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        return destination.getRawQuery() == null ? kept(asked(asking, destination, context)) : OptionalLong.empty();
    }

    private HttpResponse<InputStream> asked(HttpRequest.Builder asking, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        HttpRequest request = asking.uri(URI.create(destination + "?upload"))
                .header(UPLOAD, context.id())
                .GET()
                .build();
        HttpResponse<InputStream> response = calls.send(request, context);
        HttpsAnswers.discard(response);
        return response;
    }

    private static OptionalLong kept(HttpResponse<?> response) {
        boolean takesParts = response.statusCode() == 204
                && Arrays.asList(response.headers()
                                .firstValue(Compression.HEADER)
                                .orElse("")
                                .split(", *", -1))
                        .contains(Compression.CODING);
        return takesParts ? response.headers().firstValueAsLong(OFFSET) : OptionalLong.empty();
    }

    /**
     * Has the gateway give up what it has of this transfer. Only one that says which transfer it speaks of is asked to: another would delete what
     * somebody else sends, or the file itself.
     */
    void abandon(Asking asking, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        if (destination.getRawQuery() != null) {
            return;
        }
        HttpResponse<InputStream> found = asked(asking.builder(), destination, context);
        boolean isOurs =
                found.headers().firstValue(UPLOAD).filter(context.id()::equals).isPresent();
        if (!isOurs || kept(found).orElse(0) == 0) {
            return;
        }
        HttpRequest giveUp = asking.builder()
                .uri(URI.create(destination + "?upload"))
                .header(UPLOAD, context.id())
                .DELETE()
                .build();
        HttpResponse<InputStream> response = calls.send(giveUp, context);
        if (response.statusCode() / 100 != 2) {
            throw HttpsAnswers.refused("DELETE", response);
        }
        HttpsAnswers.discard(response);
    }

    /** Sends it from the source's start on. */
    void store(Asking asking, Source source, TransferContext context) throws TransferException, InterruptedException {
        Worth worth = new Worth(Compression.of(context) == Compression.ALWAYS);
        long offset = source.start();
        try {
            while (offset < source.size()) {
                byte[] part = source.bytes().readNBytes((int) Math.min(PART, source.size() - offset));
                if (part.length == 0) {
                    break;
                }
                long end = offset + part.length;
                String range = "bytes " + offset + "-" + (end - 1) + "/" + source.size();
                HttpRequest.Builder request =
                        asking.builder().header("Content-Range", range).header(UPLOAD, context.id());
                put(request, part, end == source.size(), worth, context);
                offset = end;
                context.progress().moved(part.length);
                if (offset < source.size() && context.progress().isMarkDue()) {
                    context.progress().mark(Long.toString(offset));
                }
            }
            boolean isLonger = offset == source.size() && source.bytes().read() >= 0;
            source.requireWhole(isLonger ? offset + 1 : offset, offset);
        } catch (IOException e) {
            throw TransferException.of(e, "reading the source");
        }
    }

    private void put(HttpRequest.Builder request, byte[] part, boolean isLast, Worth worth, TransferContext context)
            throws TransferException, InterruptedException, IOException {
        byte[] packed = worth.packed(part);
        if (packed != part) {
            request.header(Compression.HEADER, Compression.CODING);
        }
        long begin = System.nanoTime();
        HttpResponse<InputStream> response =
                calls.send(request.PUT(BodyPublishers.ofByteArray(packed)).build(), context);
        int status = response.statusCode();
        boolean isTaken = isLast ? status == 200 || status == 201 || status == 204 : status == 202;
        if (!isTaken && status / 100 == 2) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the server answered a part of the file as if it were " + (isLast ? "not the last" : "the whole"),
                    "Leave out the option " + Compression.OPTION + " if it happens again.");
        }
        if (!isTaken) {
            throw HttpsAnswers.refused("PUT", response);
        }
        HttpsAnswers.discard(response);
        worth.went(packed.length, System.nanoTime() - begin);
    }

    /** Whether the next part is to be packed, by how fast the network was and how much packing has saved. */
    static final class Worth {

        private final boolean isAlways;
        private double bytesPerSecond;
        private int untried;

        Worth(boolean isAlways) {
            this.isAlways = isAlways;
        }

        /** The part packed, or itself where that is not to be done or does not make it smaller. */
        byte[] packed(byte[] part) throws IOException {
            if (!isAlways && untried > 0) {
                untried--;
                return part;
            }
            if (!isAlways && (bytesPerSecond == 0 || bytesPerSecond >= FAST)) {
                return part;
            }
            byte[] packed = gzip(part);
            if (packed.length > WORTH * part.length) {
                untried = UNTRIED;
                return part;
            }
            return packed;
        }

        /** A part came through, as so many bytes on the network. */
        void went(int sent, long nanos) {
            if (sent >= PART / 16 && nanos > 0) {
                double now = sent * 1e9 / nanos;
                bytesPerSecond = bytesPerSecond == 0 ? now : (bytesPerSecond + now) / 2;
            }
        }

        private static byte[] gzip(byte[] bytes) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
            try (GZIPOutputStream packed = new GZIPOutputStream(out, 64 * 1024) {
                {
                    def.setLevel(Deflater.BEST_SPEED);
                }
            }) {
                packed.write(bytes);
            }
            return out.toByteArray();
        }
    }
}
