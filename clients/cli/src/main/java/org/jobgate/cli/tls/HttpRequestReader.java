// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.io.IOException;
import java.io.InputStream;

/** Reads HTTP/1.x requests, one after the other. Everything is bounded. */
public final class HttpRequestReader extends HttpMessageReader {
    /** Larger bodies are refused: a notification has a few kilobytes. */
    public static final int BODY_BYTES_MAX = 1024 * 1024;

    public HttpRequestReader(InputStream in) {
        super(in, "client", BODY_BYTES_MAX);
    }

    /**
     * A request.
     *
     * @param keepsConnection whether another may follow
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, read once, never compared
    public record Request(String method, byte[] body, boolean keepsConnection) {}

    /**
     * Reads the next one.
     *
     * @throws IOException cut short, too large, or not HTTP
     */
    public Request read() throws IOException {
        String[] parts = line().split(" ", 3);
        if (parts.length < 3 || !parts[2].startsWith("HTTP/1.")) {
            throw new IOException("The client does not speak HTTP.");
        }
        readHeaders(!parts[2].equals("HTTP/1.0"));
        return new Request(parts[0], body(false), keepsConnection());
    }
}
