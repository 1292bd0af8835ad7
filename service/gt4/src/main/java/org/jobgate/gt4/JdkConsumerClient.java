// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.notify.ConsumerClient;

/** Calls consumers by HTTP/1.1 with the JDK's client. No redirect is followed and no answer's content is read. */
public final class JdkConsumerClient implements ConsumerClient {

    private final Destinations destinations;
    private final Duration timeout;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    /**
     * A client.
     *
     * @param ssl proves the gateway to consumers and checks their certificates; its trust manager must be one that does not look at
     *     host names, such as {@link NamelessTrust}: consumers present their user's proxy
     * @param destinations where consumers may be; what is connected to is checked
     * @param timeout of one message, from connecting to the head of the answer
     */
    public JdkConsumerClient(SSLContext ssl, Destinations destinations, Duration timeout) {
        this.destinations = requireNonNull(destinations, "destinations is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .sslContext(requireNonNull(ssl, "ssl is null"))
                .executor(executor)
                .build();
    }

    @Override
    public void send(URI address, byte[] envelope) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"\"")
                .POST(HttpRequest.BodyPublishers.ofByteArray(envelope))
                .build();
        HttpResponse<InputStream> response;
        Destinations.Held held = destinations.hold(address);
        try (held) {
            response = await(client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()));
        }
        response.body().close();
        if (response.statusCode() < 200 || response.statusCode() > 299) {
            throw new IOException("the consumer answered HTTP status " + response.statusCode());
        }
    }

    private HttpResponse<InputStream> await(CompletableFuture<HttpResponse<InputStream>> exchange)
            throws IOException, InterruptedException {
        try {
            return exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            exchange.cancel(true);
            throw new IOException("the consumer did not answer within " + timeout, e);
        } catch (InterruptedException e) {
            exchange.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException("the message could not be sent: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
