// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.wire.Epr;
import org.jspecify.annotations.Nullable;

/**
 * A job's stdout or stderr, read through the gateway (docs/reference/files.md): at the address by which the job itself was reached, so
 * that what leads there (a tunnel, a relay) leads here too.
 */
public final class OutputAccess {
    public static final String NO_ACCESS =
            "the service offers no access to files over https (GT's own needs GridFTP, which is not in this version).";

    private final HttpsClient http;
    private final String url;
    private final Packing packing;
    private final @Nullable PrintStream trace;

    /** For output that is not packed. */
    OutputAccess(HttpsClient http, Epr job, String stream, @Nullable PrintStream trace) {
        this(http, job, stream, new Packing(Packing.Mode.NEVER), trace);
    }

    /** For output that is not packed, from the address of the stream. */
    public static OutputAccess of(HttpsClient http, String url, @Nullable PrintStream trace) {
        return new OutputAccess(http, url, new Packing(Packing.Mode.NEVER), trace);
    }

    /**
     * @param packing whether the file comes packed
     * @param trace where to show each request and the head of its answer; null for nowhere
     */
    OutputAccess(HttpsClient http, Epr job, String stream, Packing packing, @Nullable PrintStream trace) {
        this(
                http,
                "https://" + URI.create(job.address()).getRawAuthority() + "/jobs/" + job.resourceId() + "/" + stream,
                packing,
                trace);
    }

    private OutputAccess(HttpsClient http, String url, Packing packing, @Nullable PrintStream trace) {
        this.http = requireNonNull(http, "http is null");
        this.packing = requireNonNull(packing, "packing is null");
        this.trace = trace;
        this.url = requireNonNull(url, "url is null");
    }

    /** What came of a question. */
    sealed interface Answer {}

    /**
     * What lies behind the place asked for; nothing where nothing came within the time.
     *
     * @param file names the file for the next question; empty where it is not there yet
     * @param isComplete nothing comes any more
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
    record Piece(byte[] bytes, String file, boolean isComplete) implements Answer {}

    /** The file is shorter than what was read of it, or another one has its name, or it is gone. */
    record Changed(String sentence) implements Answer {}

    /**
     * The service cannot answer now: ask again later.
     *
     * @param isLimit it only has too much to do; else something is broken there
     */
    record Busy(Duration pause, String sentence, boolean isLimit) implements Answer {}

    /** The file cannot be fetched, and asking again will not help. */
    record Refused(String sentence, Why why) implements Answer {}

    /** Why a file cannot be fetched: it does not exist, the service gives no access to files, or another reason. */
    enum Why {
        MISSING,
        NO_ACCESS,
        OTHER
    }

    /**
     * Asks for what lies behind the offset.
     *
     * @param file which file was read before; empty for none
     * @throws IOException no answer: the same may be asked again
     */
    Answer read(long offset, int length, String file, Duration wait) throws IOException {
        String range = "Range: bytes=" + offset + "-" + (offset + length - 1) + "\r\n";
        String same = file.isEmpty() ? "" : "Jobgate-File: " + file + "\r\n";
        String wanted = packing.wanted();
        String packed = wanted.isEmpty() ? "" : Packing.HEADER + ": " + wanted + "\r\n";
        long begin = System.nanoTime();
        HttpReply reply = exchange(url + "?wait=" + wait.toSeconds(), HttpRequest.of("GET", range + same + packed));
        if (reply.status() == 206) {
            int sent = reply.body().length;
            reply = plain(reply, length);
            packing.went(reply.body().length, sent, System.nanoTime() - begin);
        }
        String now = reply.header("jobgate-file");
        boolean isComplete = reply.header("jobgate-complete").equals("true");
        return switch (reply.status()) {
            case 204 -> new Piece(new byte[0], now, isComplete);
            case 206 -> piece(reply, offset, now, isComplete);
            case 412, 416 -> new Changed(sentence(reply));
            case 404 -> missing(reply, file);
            default -> reply.status() >= 500 ? busy(reply) : new Refused(refusal(reply), Why.OTHER);
        };
    }

    private static HttpReply plain(HttpReply reply, int most) throws IOException {
        String word = reply.header(Packing.HEADER.toLowerCase(Locale.ROOT));
        Coding coding = word.isEmpty() ? null : Coding.of(word);
        return coding == null
                ? reply
                : new HttpReply(
                        reply.status(),
                        reply.reason(),
                        reply.headers(),
                        coding.unpack(reply.body(), most),
                        reply.isToSecondSending());
    }

    private HttpReply exchange(String target, HttpRequest request) throws IOException {
        HttpReply reply = http.exchange(target, request);
        if (trace != null) {
            trace.println("---- " + request.method() + " " + target + " "
                    + request.headerLines().strip().replace("\r\n", "; ") + " -> status " + reply.status() + ", "
                    + reply.body().length + " bytes, complete: " + reply.header("jobgate-complete"));
        }
        return reply;
    }

    private Answer piece(HttpReply reply, long offset, String file, boolean isComplete) throws IOException {
        String expected = "bytes " + offset + "-" + (offset + reply.body().length - 1) + "/";
        if (!reply.header("content-range").startsWith(expected)) {
            throw new IOException(url + " answered with another part than asked for: " + reply.header("content-range"));
        }
        return new Piece(reply.body(), file, isComplete);
    }

    private Answer missing(HttpReply reply, String file) {
        boolean isOurs = bodyText(reply).contains("\"error\"");
        if (!isOurs) {
            return new Refused(NO_ACCESS, Why.NO_ACCESS);
        }
        if (bodyText(reply).contains("JOB_UNKNOWN")) {
            return new Refused(sentence(reply), Why.OTHER);
        }
        return file.isEmpty() ? new Refused(sentence(reply), Why.MISSING) : new Changed(sentence(reply));
    }

    /** Also what a service says while it stops or starts. */
    private static Busy busy(HttpReply reply) {
        boolean isLimit = bodyText(reply).contains("LIMIT_EXCEEDED");
        return new Busy(Duration.ofSeconds(retryAfter(reply)), refusal(reply), isLimit);
    }

    private static int retryAfter(HttpReply reply) {
        String text = reply.header("retry-after");
        return text.matches("[0-9]{1,2}") ? Math.max(1, Integer.parseInt(text)) : 2;
    }

    /** Removes the file. If it cannot be removed, a message says so, and nothing else happens. */
    void remove() throws IOException {
        HttpReply reply = exchange(url, HttpRequest.of("DELETE", ""));
        if (reply.status() != 204 && reply.status() != 404) {
            throw new IOException(refusal(reply));
        }
    }

    static String refusal(HttpReply reply) {
        String sentence = sentence(reply);
        return sentence.isEmpty() ? Printable.of("HTTP status " + reply.status() + " " + reply.reason()) : sentence;
    }

    private static String bodyText(HttpReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    /** The sentence of the gateway's refusal; it writes them as JSON, and puts no escapes into its own sentences but for quotes. */
    private static String sentence(HttpReply reply) {
        String body = bodyText(reply);
        String mark = "\"sentence\":\"";
        int begin = body.indexOf(mark);
        if (begin < 0) {
            return "";
        }
        StringBuilder out = new StringBuilder(120);
        for (int i = begin + mark.length(); i < body.length() && body.charAt(i) != '"'; i++) {
            if (body.charAt(i) == '\\' && i + 1 < body.length()) {
                i++;
            }
            out.append(body.charAt(i));
        }
        return Printable.of(out.toString());
    }
}
