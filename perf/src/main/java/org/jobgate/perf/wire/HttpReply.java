// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One HTTP/1.1 reply (RFC 9112), read whole.
 *
 * @param headers by name in lower case; of a repeated one, the last
 * @param body decoded as UTF-8
 */
public record HttpReply(int status, Map<String, String> headers, String body) {

    /** No reply that the harness asks for is larger: 10,000 jobs are listed in about 5 MB. */
    static final int MAX_BODY_BYTES = 64 << 20;

    private static final int MAX_SHOWN = 500;
    private static final int MAX_LINE_BYTES = 16_384;
    private static final int MAX_HEADERS = 100;

    public HttpReply {
        headers = Map.copyOf(headers);
        requireNonNull(body, "body is null");
    }

    /**
     * Reads the next reply from a connection.
     *
     * @throws IOException if the connection ended before the whole reply was there, or what came is not HTTP
     */
    public static HttpReply read(InputStream in) throws IOException {
        int status = status(line(in));
        while (status / 100 == 1) {
            headers(in);
            status = status(line(in));
        }
        Map<String, String> headers = headers(in);
        return new HttpReply(status, headers, new String(body(in, status, headers), StandardCharsets.UTF_8));
    }

    /**
     * A reply whose content was let pass by.
     *
     * @param bytes of the content
     */
    record Passed(int status, long bytes, boolean closes) {}

    /** Reads a reply of whatever length and keeps nothing of its content. */
    static Passed pass(InputStream in) throws IOException {
        int status = status(line(in));
        Map<String, String> headers = headers(in);
        boolean closes = closes(status, headers);
        if (!isChunked(headers)) {
            String length = headers.get("content-length");
            long bytes = length == null ? body(in, status, headers).length : number(length, 10);
            in.skipNBytes(length == null ? 0 : bytes);
            return new Passed(status, bytes, closes);
        }
        long bytes = 0;
        for (int chunk = chunkLength(in); chunk > 0; chunk = chunkLength(in)) {
            in.skipNBytes(chunk);
            line(in);
            bytes += chunk;
        }
        headers(in);
        return new Passed(status, bytes, closes);
    }

    /** The start of the body, at most 500 characters of it, for messages. */
    String start() {
        return body.length() <= MAX_SHOWN ? body : body.substring(0, MAX_SHOWN) + "...";
    }

    /** Whether the server will close the connection after this reply. */
    public boolean closes() {
        return closes(status, headers);
    }

    private static boolean closes(int status, Map<String, String> headers) {
        return "close".equalsIgnoreCase(headers.get("connection"))
                || (!headers.containsKey("content-length") && !isChunked(headers) && status != 204);
    }

    /** Writes a request in one piece, so that it leaves in as few packets as it can. */
    public static void write(OutputStream out, String head, byte[] body) throws IOException {
        byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = new byte[start.length + body.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        out.write(whole);
        out.flush();
    }

    /** The status that the first line of a reply says. */
    static int status(String line) throws IOException {
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || !parts[1].matches("[1-5][0-9][0-9]")) {
            throw new IOException("not the first line of an HTTP reply: " + line);
        }
        return Integer.parseInt(parts[1]);
    }

    /** The headers up to the empty line behind them, by name in lower case. */
    static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (int count = 0; count <= MAX_HEADERS; count++) {
            String line = line(in);
            if (line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("not an HTTP header: " + line);
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        throw new IOException("the reply has more than " + MAX_HEADERS + " headers");
    }

    private static byte[] body(InputStream in, int status, Map<String, String> headers) throws IOException {
        if (status == 204 || status == 304) {
            return new byte[0];
        }
        if (isChunked(headers)) {
            return chunks(in);
        }
        String length = headers.get("content-length");
        if (length == null) {
            return bounded(in.readNBytes(MAX_BODY_BYTES + 1));
        }
        return exactly(in, number(length, 10));
    }

    private static boolean isChunked(Map<String, String> headers) {
        return "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var whole = new ByteArrayOutputStream();
        while (true) {
            int bytes = chunkLength(in);
            if (bytes == 0) {
                headers(in);
                return whole.toByteArray();
            }
            if (whole.size() + bytes > MAX_BODY_BYTES) {
                throw new IOException("the reply is larger than " + MAX_BODY_BYTES + " bytes");
            }
            whole.writeBytes(exactly(in, bytes));
            line(in);
        }
    }

    private static int chunkLength(InputStream in) throws IOException {
        String size = line(in);
        int extension = size.indexOf(';');
        return number(extension < 0 ? size : size.substring(0, extension), 16);
    }

    /** A length in this radix, from 0 to the largest body. */
    static int number(String text, int radix) throws IOException {
        try {
            int value = Integer.parseInt(text.strip(), radix);
            if (value >= 0 && value <= MAX_BODY_BYTES) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IOException("not a length: " + text, e);
        }
        throw new IOException("a length of " + text + " is not within 0 and " + MAX_BODY_BYTES + " bytes");
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static byte[] bounded(byte[] bytes) throws IOException {
        if (bytes.length > MAX_BODY_BYTES) {
            throw new IOException("the reply is larger than " + MAX_BODY_BYTES + " bytes");
        }
        return bytes;
    }

    /** The next line, without its end. */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within a line: '" + line + "'");
            }
            if (line.length() >= MAX_LINE_BYTES) {
                throw new IOException("a line of the reply is longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }
}
