// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.wire.Epr;
import org.jspecify.annotations.Nullable;

/** Puts files into a job's directory through the gateway, piece by piece (docs/reference/files.md). */
final class InputAccess {
    private static final String OFFSET = "upload-offset";

    private final HttpsClient http;
    private final String base;
    private final @Nullable PrintStream trace;
    private String offered = "";

    /** @param trace where to show each request and the status of its answer; null for nowhere */
    InputAccess(HttpsClient http, Epr job, @Nullable PrintStream trace) {
        this.http = requireNonNull(http, "http is null");
        this.base = "https://" + URI.create(job.address()).getRawAuthority() + "/jobs/" + job.resourceId() + "/files/";
        this.trace = trace;
    }

    /** The way below the job's directory, as it stands in an address. */
    static String encoded(String way) {
        StringBuilder out = new StringBuilder(way.length() + 16);
        for (byte one : way.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xff);
            boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            if (isPlain) {
                out.append(c);
            } else {
                out.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return out.toString();
    }

    /** What came of a request. */
    sealed interface Answer {}

    /** So many bytes of the file are there. */
    record Kept(long bytes) implements Answer {}

    /** The service cannot answer now: ask again later. */
    record Busy(String sentence) implements Answer {}

    /** It will not, and asking again will not help. */
    record Refused(String sentence) implements Answer {}

    /** Makes the job's directory. */
    Answer makeDirectory() throws IOException {
        HttpReply reply = exchange(base, new HttpRequest("PUT", "Content-Length: 0\r\n", new byte[0]));
        offered = reply.header(Packing.HEADER.toLowerCase(Locale.ROOT));
        return answer(reply, 0);
    }

    /** What pieces may be packed in, as the service said when it made the directory; empty for nothing. */
    String offered() {
        return offered;
    }

    /**
     * Puts a piece of a file; with the last one it is whole and has its name.
     *
     * @param length bytes of the file that the piece stands for
     * @param piece how it goes
     * @param total bytes of the whole file
     * @throws IOException no answer: ask with {@link #kept} what came of it
     */
    Answer put(String way, long offset, int length, Packing.Sent piece, long total, boolean isProgram)
            throws IOException {
        long end = offset + length;
        String packed = piece.coding() == null
                ? ""
                : Packing.HEADER + ": " + piece.coding().word() + "\r\n";
        String range =
                total == 0 ? "" : packed + "Content-Range: bytes " + offset + "-" + (end - 1) + "/" + total + "\r\n";
        HttpRequest request =
                new HttpRequest("PUT", range + "Content-Length: " + piece.bytes().length + "\r\n", piece.bytes());
        HttpReply reply = exchange(base + encoded(way) + (isProgram ? "?program=true" : ""), request);
        return answer(reply, end);
    }

    /** How much there is of an unfinished file. */
    Answer kept(String way) throws IOException {
        return answer(exchange(base + encoded(way) + "?upload", HttpRequest.of("GET", "")), 0);
    }

    private HttpReply exchange(String url, HttpRequest request) throws IOException {
        HttpReply reply = http.exchange(url, request);
        if (trace != null) {
            trace.println("---- " + request.method() + " " + url + " "
                    + request.headerLines().strip().replace("\r\n", "; ") + " -> status " + reply.status());
        }
        return reply;
    }

    private static Answer answer(HttpReply reply, long end) {
        String kept = reply.header(OFFSET);
        boolean tellsKept = kept.matches("[0-9]{1,18}");
        if (reply.status() / 100 == 2) {
            return new Kept(tellsKept ? Long.parseLong(kept) : end);
        }
        String sentence = OutputAccess.refusal(reply);
        if (reply.status() == 409 && tellsKept) {
            return new Kept(Long.parseLong(kept));
        }
        boolean mayPass = reply.status() == 408 || reply.status() == 503 || reply.status() == 502;
        return mayPass ? new Busy(sentence) : new Refused(sentence);
    }
}
