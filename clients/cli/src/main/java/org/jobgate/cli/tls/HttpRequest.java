// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

/**
 * What is sent to an HTTP server.
 *
 * @param headerLines beside Host and User-Agent, each with its line end
 */
@SuppressWarnings("ArrayRecordComponent") // made once, sent once, never compared
public record HttpRequest(String method, String headerLines, byte[] body) {
    private static final byte[] EMPTY = new byte[0];

    public HttpRequest {
        requireNonNull(method, "method is null");
        requireNonNull(headerLines, "headerLines is null");
        requireNonNull(body, "body is null");
    }

    /** A SOAP 1.1 envelope. */
    public static HttpRequest ofSoap(String action, byte[] envelope) {
        return new HttpRequest(
                "POST",
                "Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \"" + action + "\"\r\nContent-Length: "
                        + envelope.length + "\r\n",
                envelope);
    }

    /** One without a body. */
    public static HttpRequest of(String method, String headerLines) {
        return new HttpRequest(method, headerLines, EMPTY);
    }
}
