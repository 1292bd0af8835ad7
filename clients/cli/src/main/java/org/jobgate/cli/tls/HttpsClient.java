// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks HTTPS services over one kept connection. For one thread.
 *
 * <p>A server closes connections that nobody uses, and when it is restarted. So a kept connection that was not used for a moment is looked at
 * before a request goes out on it. Where it is closed after that and before an answer, nobody knows whether the request was worked on: one
 * that may come twice is sent once more on a new connection, any other is reported as not answered. The failure of a second sending never
 * says that nothing was done.
 */
public final class HttpsClient implements AutoCloseable {
    private static final int PORT_DEFAULT = 443;

    private final Identification identification;
    private final TrustDirectory trusted;
    private final ServerName expected;
    private final int timeoutMs;
    private @Nullable HttpsConnection kept;

    /** @param timeout for each step: to connect, and for each wait for bytes */
    public HttpsClient(Identification identification, TrustDirectory trusted, ServerName expected, Duration timeout) {
        this.identification = requireNonNull(identification, "identification is null");
        this.trusted = requireNonNull(trusted, "trusted is null");
        this.expected = requireNonNull(expected, "expected is null");
        this.timeoutMs = Math.toIntExact(timeout.toMillis());
    }

    /** Another one with the same settings and its own connection, for another thread. */
    public HttpsClient another() {
        return new HttpsClient(identification, trusted, expected, Duration.ofMillis(timeoutMs));
    }

    /**
     * Sends one envelope and waits for the answer.
     *
     * @param mayComeTwice as {@link HttpRequest#mayComeTwice}
     * @throws UnreachableException it was surely not sent; the message is for a person, as all of these
     * @throws IOException no answer in time, or one that was cut short: it may have been worked on
     */
    public HttpReply post(String url, String action, byte[] body, boolean mayComeTwice) throws IOException {
        return exchange(url, HttpRequest.ofSoap(action, body, mayComeTwice));
    }

    /**
     * Sends one request and waits for the answer, whatever its status.
     *
     * @throws UnreachableException it was surely not sent; the message is for a person, as all of these
     * @throws RefusedException our certificate was refused: it was surely not worked on
     * @throws IOException no answer in time, or one that was cut short: it may have been worked on
     */
    public HttpReply exchange(String url, HttpRequest request) throws IOException {
        URI target = target(url);
        int port = target.getPort() < 0 ? PORT_DEFAULT : target.getPort();
        HttpsConnection reused = kept;
        if (reused != null && reused.leadsTo(target.getHost(), port) && reused.isStillOpen()) {
            try {
                return reused.exchange(target, request);
            } catch (HttpsConnection.ClosedBeforeReplyException e) {
                close();
                if (!request.mayComeTwice()) {
                    throw e;
                }
                return again(target, port, request);
            }
        }
        return onNewConnection(target, port, request);
    }

    /** The first sending may have been worked on, whatever becomes of this one. */
    private HttpReply again(URI target, int port, HttpRequest request) throws IOException {
        try {
            return onNewConnection(target, port, request).afterLostAnswer();
        } catch (UnreachableException | RefusedException e) {
            throw new IOException(
                    "Server " + target.getHost() + ":" + port + " closed the connection before it answered. Then: "
                            + e.getMessage(),
                    e);
        }
    }

    private HttpReply onNewConnection(URI target, int port, HttpRequest request) throws IOException {
        close();
        HttpsConnection fresh =
                HttpsConnection.open(identification, trusted, expected, target.getHost(), port, timeoutMs);
        kept = fresh;
        return fresh.exchange(target, request);
    }

    private static URI target(String url) throws IOException {
        try {
            URI target = new URI(url);
            if (!"https".equals(target.getScheme()) || target.getHost() == null) {
                throw new IOException("Address " + url + " is not one of an https service.");
            }
            return target;
        } catch (URISyntaxException e) {
            throw new IOException("Address " + url + " is not a URL: " + e.getReason() + ".", e);
        }
    }

    @Override
    public void close() {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }
}
