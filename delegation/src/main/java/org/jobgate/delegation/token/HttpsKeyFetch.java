// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;
import org.jspecify.annotations.Nullable;

/** Gets documents over HTTPS, without following redirects, or from a file of this machine; sends forms the same way. */
public final class HttpsKeyFetch implements KeyFetch, AutoCloseable {

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    private final HttpClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Duration timeout;
    private final Destinations destinations;

    /**
     * A fetcher that has connected to nobody.
     *
     * @param tls whom to believe to be the issuer's server
     * @param destinations where issuers may be: what they say where their keys are is theirs
     */
    public HttpsKeyFetch(SSLContext tls, Destinations destinations, Duration timeout) {
        this.destinations = destinations;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .sslContext(tls)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public String fetch(URI address) throws IOException {
        if ("file".equals(address.getScheme())) {
            try (InputStream in = SiteFile.read(Path.of(address), MAX_BYTES).open()) {
                return bounded(in, address);
            }
        }
        return exchange(
                HttpRequest.newBuilder(address).header("Accept", "application/json"), address, status -> status == OK);
    }

    /**
     * Sends a form to an issuer, and answers the document that comes back with the status 200 or 400: an issuer says by the latter what it refuses
     * (RFC 6749 section 5.2).
     *
     * @param form as {@code application/x-www-form-urlencoded}
     * @param authorization the header of that name; absent where the form itself says who sends it
     * @throws IOException there is no whole answer in time, or it is longer than {@value #MAX_BYTES} bytes, or has another status
     */
    public String post(URI address, String form, @Nullable String authorization) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return exchange(request, address, status -> status == OK || status == BAD_REQUEST);
    }

    /** The time is that of the whole exchange: a server that sends its answer drop by drop holds nobody up for longer. */
    private String exchange(HttpRequest.Builder request, URI address, IntPredicate isAnswer) throws IOException {
        Destinations.Held held = destinations.hold(address);
        try (held) {
            Future<String> exchange =
                    threads.submit(() -> ask(request.timeout(timeout).build(), address, isAnswer));
            try {
                return exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                exchange.cancel(true); // which interrupts the reading and closes the connection
                throw new IOException(address + " gave no whole answer within " + timeout.toMillis() + " ms", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException io ? io : new IOException(Reason.of(e), e);
            } catch (InterruptedException e) {
                exchange.cancel(true);
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + address + " was asked", e);
            }
        }
    }

    private String ask(HttpRequest request, URI address, IntPredicate isAnswer)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            if (!isAnswer.test(answer.statusCode())) {
                throw new IOException(address + " answered with status " + answer.statusCode());
            }
            return bounded(body, address);
        }
    }

    private static String bounded(InputStream in, URI address) throws IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new IOException(address + " holds more than " + MAX_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.shutdownNow();
    }
}
