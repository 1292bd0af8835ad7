// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;

/**
 * Puts a file to another gateway in parts, each packed where that pays ({@link CodecChoice}), as docs/reference/files.md says it. What has arrived
 * is told after each part, so that a further attempt, also after a restart, goes on behind it.
 */
final class PackedParts {

    /** So many bytes of the file are in one part, and in memory, at the most. */
    static final int PART = 1024 * 1024;

    private static final String OFFSET = "Upload-Offset";

    /** Which of several transfers of the same file it is: the gateway keeps what each sends in a part of its own. */
    static final String UPLOAD = "Jobgate-Upload";

    /** More words of a header are not looked at. */
    private static final int MOST_WORDS = 32;

    private final HttpsCalls calls;
    private final CodecSpeeds speeds;

    PackedParts(HttpsCalls calls, CodecSpeeds speeds) {
        this.calls = requireNonNull(calls, "calls is null");
        this.speeds = requireNonNull(speeds, "speeds is null");
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
        return response.statusCode() == 204 && !words(response).isEmpty()
                ? response.headers().firstValueAsLong(OFFSET)
                : OptionalLong.empty();
    }

    /** What the gateway can unpack, without levels. */
    private static List<String> words(HttpResponse<?> response) {
        return Arrays.stream(response.headers()
                        .firstValue(Compression.HEADER)
                        .orElse("")
                        .split(",", MOST_WORDS))
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Whether an answer to what asks for packing may mean that it cannot be had so; one that means another thing comes again without packing. */
    static boolean isPackingRefused(int status) {
        return status == 400 || status == 415 || status == 503;
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

    /**
     * Sends it from the source's start on.
     *
     * @return whether the server is a gateway, which takes parts; if not nothing was done
     */
    boolean store(Asking asking, URI destination, Source source, Compression compression, TransferContext context)
            throws TransferException, InterruptedException {
        if (destination.getRawQuery() != null) {
            return false;
        }
        HttpResponse<InputStream> found = asked(asking.builder(), destination, context);
        if (kept(found).isEmpty()) {
            return false;
        }
        List<String> known = words(found);
        CodecChoice choice = new CodecChoice(compression, speeds, destination.getRawAuthority());
        choice.only(codec -> known.contains(codec.word()));
        Sending sending = new Sending(calls, speeds, asking, source, choice, context);
        try (sending) {
            sending.all();
        } catch (IOException e) {
            throw TransferException.of(e, "reading the source");
        }
        context.progress().note(choice.summary());
        return true;
    }
}
