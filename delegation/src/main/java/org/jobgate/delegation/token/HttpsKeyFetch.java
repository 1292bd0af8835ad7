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
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.site.SiteFile;

/** Gets documents over HTTPS, without following redirects, or from a file of this machine. */
public final class HttpsKeyFetch implements KeyFetch, AutoCloseable {

    private final HttpClient client;
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
        Destinations.Held held = destinations.hold(address);
        try (held) {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .timeout(timeout)
                    .header("Accept", "application/json")
                    .build();
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                if (answer.statusCode() != 200) {
                    throw new IOException(address + " answered with status " + answer.statusCode());
                }
                return bounded(body, address);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + address + " was asked", e);
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
        client.shutdownNow();
    }
}
