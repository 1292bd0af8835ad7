// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.jobgate.packing.CodecLevel;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * One file on its way to another gateway, from the source's start on. While a packed part is on its way, the next one is read and packed. What is
 * sent as it is goes in longer stretches, which are read while they are sent, so that the network does not wait for an answer after each part.
 */
final class Sending implements AutoCloseable {

    /** So many bytes that are not packed are sent at once at the most. */
    static final int PLAIN = 16 * PackedParts.PART;

    private final HttpsCalls calls;
    private final CodecSpeeds speeds;
    private final PackedParts.Asking asking;
    private final Source source;
    private final CodecChoice choice;
    private final TransferContext context;
    private final Ahead<Part> ahead = new Ahead<>(part -> {});

    private long offset;

    /** When the part before was taken. */
    private long before;

    Sending(
            HttpsCalls calls,
            CodecSpeeds speeds,
            PackedParts.Asking asking,
            Source source,
            CodecChoice choice,
            TransferContext context) {
        this.calls = calls;
        this.speeds = speeds;
        this.asking = asking;
        this.source = source;
        this.choice = choice;
        this.context = context;
        this.offset = source.start();
    }

    /** Some bytes of the file, and the same packed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(byte[] bytes, CodecLevel codec, byte[] packed) {}

    void all() throws TransferException, InterruptedException, IOException {
        before = System.nanoTime();
        choose(offset);
        while (offset < source.size()) {
            long end = ahead.isBegun() ? sendPart() : sendStretch();
            if (end == offset) {
                break; // the source is shorter than it was
            }
            offset = end;
            if (offset < source.size() && context.progress().isMarkDue()) {
                context.progress().mark(Long.toString(offset));
            }
        }
        boolean isLonger = offset == source.size() && source.bytes().read() >= 0;
        source.requireWhole(isLonger ? offset + 1 : offset, offset);
    }

    /** Chooses what comes from this offset on, and has it made ready where it is to be packed. */
    private void choose(long from) {
        CodecLevel codec = from < source.size() ? choice.next() : null;
        if (codec != null) {
            int length = (int) Math.min(PackedParts.PART, source.size() - from);
            ahead.begin(() -> packed(length, codec));
        }
    }

    private Part packed(int length, CodecLevel codec) throws IOException, InterruptedException {
        byte[] bytes = source.bytes().readNBytes(length);
        long begin = System.nanoTime();
        byte[] packed = codec.codec().pack(bytes, codec.level());
        speeds.packed(codec, bytes.length, System.nanoTime() - begin);
        return new Part(bytes, codec, packed);
    }

    /** Answers where it ends. */
    private long sendPart() throws TransferException, InterruptedException, IOException {
        Part part = ahead.take();
        int length = part.bytes().length;
        if (length == 0) {
            return offset;
        }
        long end = offset + length;
        boolean isWorth =
                choice.judge(part.packed().length, length) && choice.codecs().contains(part.codec());
        choose(end);
        CodecLevel codec = isWorth ? part.codec() : null;
        byte[] sent = isWorth ? part.packed() : part.bytes();
        long begin = System.nanoTime();
        HttpResponse<InputStream> response = put(end, codec, BodyPublishers.ofByteArray(sent));
        if (codec != null && PackedParts.isPackingRefused(response.statusCode())) {
            HttpsAnswers.discard(response);
            choice.drop(codec.codec());
            codec = null;
            sent = part.bytes();
            response = put(end, null, BodyPublishers.ofByteArray(sent));
        }
        requireTaken(response, end);
        HttpsAnswers.discard(response);
        long sending = System.nanoTime() - begin;
        // what was made ready meanwhile has cost no time; what was waited for has
        long waited = sinceBefore() - sending;
        choice.went(codec, length, sent.length, codec == null ? 0 : waited, sending);
        context.progress().moved(length);
        return end;
    }

    /** Answers where it ends. The first one only tells how fast the network is. */
    private long sendStretch() throws TransferException, InterruptedException {
        int length = (int) Math.min(choice.isNew() ? PackedParts.PART : PLAIN, source.size() - offset);
        long end = offset + length;
        Stretch stretch = new Stretch(source.bytes(), length, context.progress());
        BodyPublisher body = BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> stretch), length);
        HttpResponse<InputStream> response = put(end, null, new OfferedBody(body));
        requireTaken(response, end);
        HttpsAnswers.discard(response);
        if (stretch.left() > 0) {
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the server took a part of the file before it had all of it",
                    "Tell the server's administrator if it happens again.");
        }
        choice.went(null, length, length, 0, sinceBefore());
        choice.again();
        choose(end);
        return end;
    }

    private long sinceBefore() {
        long now = System.nanoTime();
        long since = now - before;
        before = now;
        return since;
    }

    private HttpResponse<InputStream> put(long end, @Nullable CodecLevel codec, BodyPublisher body)
            throws TransferException, InterruptedException {
        HttpRequest.Builder request = asking.builder()
                .header("Content-Range", "bytes " + offset + "-" + (end - 1) + "/" + source.size())
                .header(PackedParts.UPLOAD, context.id());
        if (codec != null) {
            request.header(Compression.HEADER, codec.codec().word());
        }
        return calls.send(request.PUT(body).build(), context);
    }

    private void requireTaken(HttpResponse<InputStream> response, long end) throws TransferException {
        boolean isLast = end == source.size();
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
    }

    @Override
    public void close() {
        ahead.close();
    }
}
