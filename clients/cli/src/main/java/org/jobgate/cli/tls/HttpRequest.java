// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

/**
 * What is sent to an HTTP server.
 *
 * @param headerLines beside Host and User-Agent, each with its line end
 * @param mayComeTwice whether the server does the same for a second one as for one: then it is sent once more where a kept connection
 *     was closed before an answer
 */
@SuppressWarnings("ArrayRecordComponent") // made once, sent once, never compared
public record HttpRequest(String method, String headerLines, byte[] body, boolean mayComeTwice) {
    private static final byte[] EMPTY = new byte[0];
    private static final String POST = "POST";

    public HttpRequest {
        requireNonNull(method, "method is null");
        requireNonNull(headerLines, "headerLines is null");
        requireNonNull(body, "body is null");
    }

    /** One that may come twice unless it is a POST (RFC 9110 section 9.2.2). */
    public HttpRequest(String method, String headerLines, byte[] body) {
        this(method, headerLines, body, !POST.equals(method));
    }

    /** A SOAP 1.1 envelope. */
    public static HttpRequest ofSoap(String action, byte[] envelope, boolean mayComeTwice) {
        return new HttpRequest(
                POST,
                "Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \"" + action + "\"\r\nContent-Length: "
                        + envelope.length + "\r\n",
                envelope,
                mayComeTwice);
    }

    /** One without a body. */
    public static HttpRequest of(String method, String headerLines) {
        return new HttpRequest(method, headerLines, EMPTY);
    }
}
