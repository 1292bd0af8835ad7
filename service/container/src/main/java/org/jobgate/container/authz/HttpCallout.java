// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.DecisionPoint;
import org.jobgate.authz.PointDecision;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a service over https, with the host's certificate as our own, by a POST. Whatever is not a good answer in time is one that
 * cannot be said. Redirects are not followed.
 */
public final class HttpCallout implements DecisionPoint, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpCallout.class);

    private final String name;
    private final URI address;
    private final Duration timeout;
    private final Destinations destinations;
    private final HttpClient client;
    private final Wording wording;

    /**
     * Connects to nobody yet.
     *
     * @param wording how it is asked
     * @param timeout for one whole exchange
     * @param destinations where the service may be
     */
    public HttpCallout(
            String name, URI address, Wording wording, Duration timeout, SSLContext tls, Destinations destinations) {
        this.wording = requireNonNull(wording, "wording is null");
        this.destinations = requireNonNull(destinations, "destinations is null");
        this.name = requireNonNull(name, "name is null");
        this.address = requireNonNull(address, "address is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.client = HttpClient.newBuilder()
                .sslContext(tls)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        Wording.Asked asked = wording.ask(request);
        if (asked.isNothing()) {
            return asked.answer().apply(asked.body());
        }
        HttpRequest.Builder post = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofByteArray(asked.body()));
        asked.headers().forEach(post::header);
        Destinations.Held held;
        try {
            held = destinations.hold(address);
        } catch (IOException e) {
            return failed(String.valueOf(e.getMessage()));
        }
        try (held) {
            return answer(
                    asked,
                    client.sendAsync(post.build(), HttpResponse.BodyHandlers.ofInputStream())
                            .thenApplyAsync(HttpCallout::body));
        }
    }

    private PointDecision answer(Wording.Asked asked, CompletableFuture<byte[]> exchange) {
        try {
            return asked.answer().apply(exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return failed(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            exchange.cancel(true);
            return failed("no whole answer within " + timeout.toMillis() + " ms");
        } catch (IllegalArgumentException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("interrupted");
        }
    }

    private static byte[] body(HttpResponse<InputStream> response) {
        try (InputStream in = response.body()) {
            if (response.statusCode() != 200) {
                throw new IllegalArgumentException("it answered with status " + response.statusCode());
            }
            byte[] bytes = in.readNBytes(CalloutMessage.MAX_BYTES + 1);
            if (bytes.length > CalloutMessage.MAX_BYTES) {
                throw new IllegalArgumentException("its answer has more than " + CalloutMessage.MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new IllegalArgumentException("its answer broke off: " + Reason.of(e), e);
        }
    }

    private PointDecision failed(String why) {
        LOG.warn("The authorization service {} ({}) gave no answer: {}.", name, address, why);
        return new PointDecision.Indeterminate("The authorization service " + name + " gave no answer");
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
