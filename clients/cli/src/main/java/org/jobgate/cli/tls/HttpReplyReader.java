// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Reads one HTTP/1.x answer: by length, in chunks, or to the end of the connection. Everything is bounded. */
public final class HttpReplyReader extends HttpMessageReader {
    /** Larger bodies are refused. */
    public static final int BODY_BYTES_MAX = 64 * 1024 * 1024;

    private static final int STATUS_CONTINUE = 100;
    private static final int STATUS_NO_CONTENT = 204;

    private int status;
    private String reason = "";

    public HttpReplyReader(InputStream in) {
        super(in, "server", BODY_BYTES_MAX);
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
        Map<String, String> headers = headers();
        byte[] body = status == STATUS_NO_CONTENT ? new byte[0] : body(true);
        return new Result(new HttpReply(status, reason, headers, body), keepsConnection());
    }

    private void readHead() throws IOException {
        String line = line();
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
            throw new IOException("The server does not speak HTTP: " + line.substring(0, Math.min(80, line.length())));
        }
        status = number(parts[1], 10);
        reason = parts.length > 2 ? parts[2] : "";
        readHeaders(!parts[0].equals("HTTP/1.0"));
    }
}
