// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads one HTTP/1.x answer: by length, in chunks, or to the end of the connection. Everything is bounded. */
public final class HttpReplyReader {
    /** Longer lines are refused. */
    public static final int LINE_LENGTH_MAX = 16 * 1024;
    /** More header lines are refused. */
    public static final int HEADERS_MAX = 200;
    /** Larger bodies are refused. */
    public static final int BODY_BYTES_MAX = 64 * 1024 * 1024;

    private static final int STATUS_CONTINUE = 100;
    private static final int STATUS_NO_CONTENT = 204;

    private final InputStream in;
    private int status;
    private String reason = "";
    private boolean keepsConnection;
    private boolean isChunked;
    private int length;

    public HttpReplyReader(InputStream in) {
        this.in = in;
    }

    /** The answer, and whether another request may follow on the same connection. */
    public record Result(HttpReply reply, boolean keepsConnection) {}

    /**
     * Reads it.
     *
     * @throws IOException cut short, too large, or not HTTP
     */
    public Result read() throws IOException {
        do {
            readHead();
        } while (status == STATUS_CONTINUE);
        byte[] body = body();
        return new Result(new HttpReply(status, reason, body), keepsConnection);
    }

    private void readHead() throws IOException {
        readStatusLine();
        length = -1;
        isChunked = false;
        for (int i = 0; ; i++) {
            String line = line();
            if (line.isEmpty()) {
                return;
            }
            if (i >= HEADERS_MAX) {
                throw new IOException("The server sent more than " + HEADERS_MAX + " header lines.");
            }
            header(line);
        }
    }

    private void readStatusLine() throws IOException {
        String line = line();
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
            throw new IOException("The server does not speak HTTP: " + line.substring(0, Math.min(80, line.length())));
        }
        status = number(parts[1], 10);
        reason = parts.length > 2 ? parts[2] : "";
        keepsConnection = !parts[0].equals("HTTP/1.0");
    }

    private void header(String line) throws IOException {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new IOException("The server sent a header line without colon.");
        }
        String value = line.substring(colon + 1).strip();
        switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> length = number(value, 10);
            case "transfer-encoding" ->
                isChunked = value.toLowerCase(Locale.ROOT).contains("chunked");
            case "connection" -> keepsConnection = keepsConnection && !value.equalsIgnoreCase("close");
            default -> {
                // no other header changes how the body is read
            }
        }
    }

    private byte[] body() throws IOException {
        if (status == STATUS_NO_CONTENT) {
            return new byte[0];
        }
        if (isChunked) {
            return chunks();
        }
        if (length >= 0) {
            return exactly(length);
        }
        keepsConnection = false;
        byte[] all = in.readNBytes(BODY_BYTES_MAX);
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
            if (out.size() + (long) chunk > BODY_BYTES_MAX) {
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
        if (bytes > BODY_BYTES_MAX) {
            throw tooLarge();
        }
        byte[] body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("The server closed the connection in the middle of its answer.");
        }
        return body;
    }

    private static IOException tooLarge() {
        return new IOException("The server's answer is larger than " + BODY_BYTES_MAX + " bytes.");
    }

    private String line() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(80);
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("The server closed the connection in the middle of its answer.");
            }
            if (b == '\n') {
                return out.toString(StandardCharsets.ISO_8859_1).stripTrailing();
            }
            if (out.size() >= LINE_LENGTH_MAX) {
                throw new IOException("The server sent a header line of more than " + LINE_LENGTH_MAX + " bytes.");
            }
            out.write(b);
        }
    }

    private static int number(String text, int radix) throws IOException {
        try {
            int number = Integer.parseInt(text.strip(), radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IOException("The server sent " + text + " where a number is due.", e);
        }
        throw new IOException("The server sent a negative number: " + text + ".");
    }
}
