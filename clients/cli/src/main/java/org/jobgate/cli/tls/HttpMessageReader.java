// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What reading HTTP/1.x requests and answers have in common: header lines, and bodies by length or in chunks. Everything is bounded. */
abstract sealed class HttpMessageReader permits HttpReplyReader, HttpRequestReader {
    /** Longer lines are refused. */
    public static final int LINE_LENGTH_MAX = 16 * 1024;
    /** More header lines are refused. */
    public static final int HEADERS_MAX = 200;

    private final InputStream in;
    private final String peer;
    private final int bodyBytesMax;
    private final Map<String, String> headers = new HashMap<>();
    private boolean keepsConnection;
    private boolean isChunked;
    private int length = -1;

    /** @param peer who is at the other end, for messages: server or client */
    HttpMessageReader(InputStream in, String peer, int bodyBytesMax) {
        this.in = requireNonNull(in, "in is null");
        this.peer = requireNonNull(peer, "peer is null");
        this.bodyBytesMax = bodyBytesMax;
    }

    /** By name in small letters; of several with one name the last. */
    final Map<String, String> headers() {
        return Map.copyOf(headers);
    }

    final boolean keepsConnection() {
        return keepsConnection;
    }

    /** Reads the lines after the first one, up to the empty line. */
    final void readHeaders(boolean keepsByDefault) throws IOException {
        keepsConnection = keepsByDefault;
        length = -1;
        isChunked = false;
        headers.clear();
        for (int i = 0; ; i++) {
            String line = line();
            if (line.isEmpty()) {
                return;
            }
            if (i >= HEADERS_MAX) {
                throw new IOException("The " + peer + " sent more than " + HEADERS_MAX + " header lines.");
            }
            header(line);
        }
    }

    private void header(String line) throws IOException {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new IOException("The " + peer + " sent a header line without colon.");
        }
        String value = line.substring(colon + 1).strip();
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        headers.put(name, value);
        switch (name) {
            case "content-length" -> length = number(value, 10);
            case "transfer-encoding" ->
                isChunked = value.toLowerCase(Locale.ROOT).contains("chunked");
            case "connection" -> keepsConnection = keepsConnection && !value.equalsIgnoreCase("close");
            default -> {
                // no other header changes how the body is read
            }
        }
    }

    /**
     * The body that the header lines announced.
     *
     * @param endsWithConnection without length and chunks, read to the end; else there is none
     */
    final byte[] body(boolean endsWithConnection) throws IOException {
        if (isChunked) {
            return chunks();
        }
        if (length >= 0) {
            return exactly(length);
        }
        if (!endsWithConnection) {
            return new byte[0];
        }
        keepsConnection = false;
        byte[] all = in.readNBytes(bodyBytesMax);
        if (in.read() >= 0) {
            throw tooLarge();
        }
        return all;
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            int extension = size.indexOf(';');
            int chunk = number(extension < 0 ? size : size.substring(0, extension), 16);
            if (chunk == 0) {
                break;
            }
            if (out.size() + (long) chunk > bodyBytesMax) {
                throw tooLarge();
            }
            out.writeBytes(exactly(chunk));
            line();
        }
        for (int i = 0; i < HEADERS_MAX && !line().isEmpty(); i++) {
            // trailers tell nothing we need
        }
        return out.toByteArray();
    }

    private byte[] exactly(int bytes) throws IOException {
        if (bytes > bodyBytesMax) {
            throw tooLarge();
        }
        byte[] body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("The " + peer + " closed the connection in the middle of its message.");
        }
        return body;
    }

    private IOException tooLarge() {
        return new ProtocolException("What the " + peer + " sent is larger than " + bodyBytesMax + " bytes.");
    }

    final String line() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(80);
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("The " + peer + " closed the connection in the middle of its message.");
            }
            if (b == '\n') {
                return out.toString(StandardCharsets.ISO_8859_1).stripTrailing();
            }
            if (out.size() >= LINE_LENGTH_MAX) {
                throw new IOException(
                        "The " + peer + " sent a header line of more than " + LINE_LENGTH_MAX + " bytes.");
            }
            out.write(b);
        }
    }

    final int number(String text, int radix) throws IOException {
        try {
            int number = Integer.parseInt(text.strip(), radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IOException("The " + peer + " sent " + text + " where a number is due.", e);
        }
        throw new IOException("The " + peer + " sent a negative number: " + text + ".");
    }
}
