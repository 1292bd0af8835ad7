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
 * <p>A request on a kept connection that the server closed meanwhile is sent once more on a new one. That is safe here:
 * every operation of ours may come twice (a submission carries its id).
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
     * Sends one request and waits for the answer.
     *
     * @throws IOException not reached, not believed, or no answer in time; the message is for a person
     */
    public HttpReply post(String url, String action, byte[] body) throws IOException {
        return exchange(url, HttpRequest.ofSoap(action, body));
    }

    /**
     * Sends one request and waits for the answer, whatever its status.
     *
     * @throws IOException not reached, not believed, cut short, or no answer in time; the message is for a person
     */
    public HttpReply exchange(String url, HttpRequest request) throws IOException {
        URI target = target(url);
        int port = target.getPort() < 0 ? PORT_DEFAULT : target.getPort();
        HttpsConnection reused = kept;
        if (reused != null && reused.leadsTo(target.getHost(), port)) {
            try {
                return reused.exchange(target, request);
            } catch (HttpsConnection.ClosedBeforeReplyException e) {
                reused.close();
            }
        }
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
