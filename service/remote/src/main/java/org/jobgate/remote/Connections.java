// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.address.Destinations;
import org.jobgate.job.Reason;

/** The connections to one gateway: those of one credential are never used for another. Redirections are not followed. */
final class Connections implements Exchange {

    /** The credentials whose connections are kept. */
    static final int MAX_CREDENTIALS = 32;

    static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

    private final Destinations destinations;
    private final Duration timeout;

    /** The one that was not used for longest is first. */
    private final Map<String, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    Connections(Destinations destinations, Duration timeout) {
        this.destinations = destinations;
        this.timeout = timeout;
    }

    @Override
    public Answer post(ClientCredential as, URI address, String action, byte[] envelope) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"" + action + "\"")
                .POST(HttpRequest.BodyPublishers.ofByteArray(envelope))
                .build();
        Destinations.Held held = destinations.hold(address);
        try (held) {
            return answer(client(as).sendAsync(request, head -> new LimitedBody(MAX_ANSWER_BYTES)));
        }
    }

    private Answer answer(CompletableFuture<HttpResponse<byte[]>> sent) throws IOException {
        try {
            // the client's own time-out ends with the headers
            HttpResponse<byte[]> response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), response.body());
        } catch (ExecutionException e) {
            throw new IOException(reason(e), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the gateway is stopping", e);
        } finally {
            sent.cancel(true);
        }
    }

    private static String reason(Throwable cause) {
        Throwable innermost = cause;
        while (innermost.getCause() != null && innermost.getCause() != innermost) {
            innermost = innermost.getCause();
        }
        return Reason.of(innermost);
    }

    private synchronized HttpClient client(ClientCredential as) {
        HttpClient known = clients.get(as.key());
        if (known != null) {
            return known;
        }
        if (clients.size() >= MAX_CREDENTIALS) {
            Map.Entry<String, HttpClient> oldest = clients.entrySet().iterator().next();
            oldest.getValue().shutdown(); // what is under way is finished
            clients.remove(oldest.getKey());
        }
        HttpClient made = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(as.tls())
                .build();
        clients.put(as.key(), made);
        return made;
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }
}
