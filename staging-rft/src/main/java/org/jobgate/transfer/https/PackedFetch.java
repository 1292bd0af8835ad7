// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.packing.CodecLevel;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of another gateway, fetched in pieces, each packed where that pays ({@link CodecChoice}). A packed piece is of at most
 * {@value PackedParts#PART} bytes, which are announced before it comes and are all that is unpacked of it; what is not packed comes in longer ones. While a packed piece is read, the next one is
 * fetched: two are in memory at the most. A piece that is not packed is asked for when it is wanted: it is not kept, so asked for before that it would
 * only stand still on the way, and the time for which it is waited for would tell of a network that is faster than it is.
 */
final class PackedFetch extends InputStream {

    private static final Logger LOG = LoggerFactory.getLogger(PackedFetch.class);
    private static final int STEP = 64 * 1024;
    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    private final HttpsCalls calls;
    private final PackedParts.Asking asking;
    private final TransferContext context;
    private final CodecChoice choice;
    private final CodecSpeeds speeds;

    private final Ahead<Piece> ahead = new Ahead<>(PackedFetch::drop);

    private String version = "";
    private long size = Source.UNKNOWN;
    private long at;
    private Piece piece = new Piece(InputStream.nullInputStream(), 0, true, 0);
    private long left;

    /** It was chosen already that the piece behind this one comes as it is. */
    private boolean isPlainNext;

    /** How long the bytes of a piece that is not packed were waited for. */
    private long plainNanos;

    /**
     * Some bytes of the file.
     *
     * @param nanos how long it took until they could be read
     */
    private record Piece(InputStream bytes, int length, boolean isPacked, long nanos) {}

    PackedFetch(
            HttpsCalls calls,
            PackedParts.Asking asking,
            TransferContext context,
            CodecChoice choice,
            CodecSpeeds speeds) {
        this.calls = requireNonNull(calls, "calls is null");
        this.asking = requireNonNull(asking, "asking is null");
        this.context = requireNonNull(context, "context is null");
        this.choice = requireNonNull(choice, "choice is null");
        this.speeds = requireNonNull(speeds, "speeds is null");
    }

    /**
     * The file from an offset on; empty where it has to be fetched as from any server: that is none that packs, the file has changed, is empty or is
     * still being written, or the network is known to be faster than packing.
     *
     * @param before what the bytes before the offset are of
     */
    Optional<Source> open(long offset, String before) throws TransferException, InterruptedException {
        at = offset;
        version = before;
        CodecLevel first = choice.isNew() ? null : choice.next();
        if (first == null && !choice.isNew()) {
            return Optional.empty();
        }
        long begin = System.nanoTime();
        HttpResponse<InputStream> response =
                send(offset, PackedParts.PART, first == null ? choice.codecs() : List.of(first), offset > 0);
        Matcher range = range(response);
        String tag = HttpsAnswers.version(response);
        boolean isPacked = response.statusCode() == 206
                && response.headers().firstValue(Compression.HEADER).isPresent();
        if (!isPacked || !range.matches() || tag.isEmpty()) {
            HttpsAnswers.discard(response);
            return Optional.empty();
        }
        size = Long.parseLong(range.group(3));
        version = offset == 0 ? tag : before;
        try {
            begin(taken(response, range, choice.codecs(), offset, PackedParts.PART, begin));
        } catch (IOException e) {
            throw TransferException.of(e, "unpacking what the server sent");
        }
        return Optional.of(new Source(offset, size, version, this));
    }

    private HttpResponse<InputStream> send(long from, int most, List<CodecLevel> codecs, boolean isGoingOn)
            throws TransferException, InterruptedException {
        long end = size == Source.UNKNOWN ? from + most : Math.min(size, from + most);
        HttpRequest.Builder request = asking.builder().GET().header("Range", "bytes=" + from + "-" + (end - 1));
        if (!codecs.isEmpty()) {
            request.header(Compression.HEADER, Compression.header(codecs));
        }
        if (isGoingOn) {
            request.header("If-Range", version);
        }
        return calls.send(request.build(), context);
    }

    private static Matcher range(HttpResponse<?> response) {
        return RANGE.matcher(response.headers().firstValue("Content-Range").orElse(""));
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
        if (left == 0 && !hasNext()) {
            return -1;
        }
        long begin = System.nanoTime();
        int got = piece.bytes().read(into, from, (int) Math.min(length, left));
        if (got < 0) {
            throw new IOException("a part of the file ended at byte " + at + " of it, before its announced end");
        }
        plainNanos += System.nanoTime() - begin;
        left -= got;
        at += got;
        if (left == 0 && !piece.isPacked()) {
            choice.went(null, piece.length(), piece.length(), 0, plainNanos);
            choice.again();
        }
        if (at == size && left == 0) {
            context.progress().note(choice.summary());
        }
        return got;
    }

    private boolean hasNext() throws IOException {
        if (at == size) {
            return false;
        }
        piece.bytes().close();
        try {
            begin(ahead.isBegun() ? ahead.take() : fetched(at, isPlainNext ? null : choice.next()));
        } catch (TransferException e) {
            throw new IOException(e.sentence(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("it was stopped").initCause(e);
        }
        return true;
    }

    /** The bytes of this piece come next. While those of a packed one are read, the piece behind it is fetched if it is to be packed too. */
    private void begin(Piece next) {
        piece = next;
        left = next.length();
        plainNanos = next.nanos();
        long behind = at + next.length();
        isPlainNext = false;
        if (next.isPacked() && behind < size) {
            CodecLevel codec = choice.next();
            isPlainNext = codec == null;
            if (codec != null) {
                ahead.begin(() -> fetched(behind, codec));
            }
        }
    }

    private Piece fetched(long from, @Nullable CodecLevel codec)
            throws TransferException, InterruptedException, IOException {
        List<CodecLevel> codecs = codec == null ? List.of() : List.of(codec);
        int most = codec == null ? Sending.PLAIN : PackedParts.PART;
        long begin = System.nanoTime();
        HttpResponse<InputStream> response = send(from, most, codecs, true);
        if (codec != null && PackedParts.isPackingRefused(response.statusCode())) {
            HttpsAnswers.discard(response);
            choice.drop(codec.codec());
            return fetched(from, choice.next());
        }
        Matcher range = range(response);
        boolean isSame = response.statusCode() == 206
                && range.matches()
                && Long.parseLong(range.group(3)) == size
                && HttpsAnswers.version(response).equals(version);
        if (isSame) {
            return taken(response, range, codecs, from, most, begin);
        }
        if (response.statusCode() / 100 != 2) {
            throw HttpsAnswers.refused("GET", response);
        }
        HttpsAnswers.discard(response);
        throw new TransferException(
                Kind.TRANSIENT,
                "the file was changed while it was fetched, at byte " + from + " of it",
                "Try again later; let nothing change the source until it is fetched.");
    }

    /**
     * What was answered.
     *
     * @param asked what it may be packed with
     */
    private Piece taken(
            HttpResponse<InputStream> response, Matcher range, List<CodecLevel> asked, long from, int most, long begin)
            throws TransferException, InterruptedException, IOException {
        long length = Long.parseLong(range.group(2)) + 1 - from;
        if (Long.parseLong(range.group(1)) != from || length <= 0 || length > most || from + length > size) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the server answered another part of the file than was asked for",
                    "Tell the server's administrator.");
        }
        String word = response.headers().firstValue(Compression.HEADER).orElse("");
        if (word.isEmpty()) {
            asked.forEach(one -> choice.drop(one.codec())); // it does not pack so, or not now
            return new Piece(response.body(), (int) length, false, System.nanoTime() - begin);
        }
        CodecLevel codec = asked.stream()
                .filter(one -> one.codec().word().equals(word))
                .findFirst()
                .orElse(null);
        if (codec == null) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    Kind.PERMANENT,
                    "the server packed the file in a way that was not asked for (" + Compression.HEADER + ")",
                    "Leave out the option " + Compression.OPTION + ".");
        }
        byte[] packed = packed(response, (int) length);
        byte[] bytes = codec.codec().unpack(packed, (int) length);
        long took = System.nanoTime() - begin;
        // the other end has packed it meanwhile, as fast as this machine would have, as far as is known
        long packing = Math.min(took * 9 / 10, (long) (length * 1e9 / speeds.ofCodec(codec)));
        choice.went(codec, (int) length, packed.length, packing, took - packing);
        choice.judge(packed.length, (int) length);
        return new Piece(new ByteArrayInputStream(bytes), (int) length, true, took);
    }

    /** No more than so many bytes can need. */
    private byte[] packed(HttpResponse<InputStream> response, int length) throws IOException {
        int most = length + length / 8 + 4096;
        byte[] buffer = new byte[most + 1];
        int got = 0;
        try (InputStream body = response.body()) {
            while (got <= most) {
                int more = body.readNBytes(buffer, got, Math.min(STEP, most + 1 - got));
                got += more;
                context.progress().moved(0); // a slow network is none that stands still
                if (more == 0) {
                    return Arrays.copyOf(buffer, got);
                }
            }
        }
        throw new IOException("the server sent more than what it had announced needs");
    }

    private static void drop(Piece piece) {
        try {
            piece.bytes().close();
        } catch (IOException e) {
            LOG.debug("what was fetched of a file that nobody wants any more cannot be closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        ahead.close();
        piece.bytes().close();
    }
}
