// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jobgate.container.tls.TestPki;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of an issuer that is a real https server: found by its metadata, and what happens when it is down, rotates, comes back. */
class IssuerDiscoveryTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final char[] NO_PASSWORD = {};
    private static final String UNAVAILABLE = "the keys of its issuer cannot be had now";
    private static final String UNKNOWN = "its issuer has no key";
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private @Nullable HttpsServer issuer;
    private @Nullable TrialGate gate;
    private int port;
    private String name = "";

    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void start() throws Exception {
        PKI.trustIn(folder.resolve("trust"));
        up(PKI.issue("CN=localhost,O=Grid"));
        name = "https://localhost:" + port + "/realm";
    }

    private void gate(Duration grace) throws IOException {
        gate = TrialGate.start(
                folder, PKI.issue("CN=localhost,O=Grid"), """
                tokens: { audiences: [ gate ], requiredScopes: [ compute.create ], keysFresh: %ds, keysGrace: %ds, keysPause: 100ms }
                tokenIssuers: [ { issuer: "%s" } ]
                """.formatted(FRESH.toSeconds(), grace.toSeconds(), name));
    }

    @AfterEach
    void stop() throws Exception {
        down();
        if (gate != null) {
            gate.close();
        }
    }

    private void up(TestPki.Credential host) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, NO_PASSWORD);
        keys.setKeyEntry("host", host.key(), NO_PASSWORD, host.chain());
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, NO_PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            byte[] page =
                    pages.getOrDefault(exchange.getRequestURI().getPath(), "").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page.length == 0 ? 404 : 200, page.length == 0 ? -1 : page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        port = server.getAddress().getPort();
        issuer = server;
    }

    private void down() {
        if (issuer != null) {
            issuer.stop(0);
            issuer = null;
        }
    }

    private void publish(TestTokens tokens) {
        pages.put(
                "/realm/.well-known/openid-configuration",
                "{\"issuer\":\"%s\",\"jwks_uri\":\"https://localhost:%d/keys\"}".formatted(name, port));
        pages.put("/keys", tokens.published());
    }

    private HttpResponse<String> ask(TestTokens tokens) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "https://localhost:" + requireNonNull(gate).ports().getFirst() + TrialGate.WHO))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "text/xml")
                .header("Authorization", "Bearer " + tokens.sign(tokens.wlcg()))
                .POST(HttpRequest.BodyPublishers.ofString(TrialGate.ASK))
                .build();
        try (HttpClient client = TrialGate.client(null)) {
            return client.send(request, BodyHandlers.ofString());
        }
    }

    private void isTaken(TestTokens tokens) throws IOException, InterruptedException {
        assertThat(ask(tokens).body()).contains("subject=" + name + ",alice");
    }

    private void isRefused(TestTokens tokens, String problem) throws IOException, InterruptedException {
        HttpResponse<String> answer = ask(tokens);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains(problem);
    }

    @Test
    void anIssuerMayBeDownForAGraceAndComesBackWithOtherKeys() throws Exception {
        TestTokens first = new TestTokens(name, "first");
        TestTokens second = new TestTokens(name, "second");
        publish(first);
        gate(Duration.ofMinutes(10));

        isTaken(first);
        assertThat(asked).as("metadata and keys").hasValue(2);

        down();
        Thread.sleep(FRESH.plusMillis(200).toMillis());
        isTaken(first);
        isRefused(second, UNKNOWN);

        publish(second);
        up(PKI.issue("CN=localhost,O=Grid"));
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> isTaken(second));
        isRefused(first, UNKNOWN);
    }

    @Test
    void anIssuerThatStaysDownLongerIsNotTrustedAnyMore() throws Exception {
        TestTokens tokens = new TestTokens(name);
        publish(tokens);
        gate(Duration.ofSeconds(1));
        isTaken(tokens);
        down();
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> isRefused(tokens, UNAVAILABLE));
    }

    @Test
    void metadataOfAnotherIssuerAndServersThatAreNotTrustedGiveNoKeys() throws Exception {
        TestTokens tokens = new TestTokens(name);
        publish(tokens);
        gate(Duration.ofMinutes(10));
        pages.put(
                "/realm/.well-known/openid-configuration",
                "{\"issuer\":\"https://evil.example.org\",\"jwks_uri\":\"https://localhost:%d/keys\"}".formatted(port));
        isRefused(tokens, UNAVAILABLE);

        pages.put(
                "/realm/.well-known/openid-configuration",
                "{\"issuer\":\"%s\",\"jwks_uri\":\"http://localhost:%d/keys\"}".formatted(name, port));
        Thread.sleep(150);
        isRefused(tokens, UNAVAILABLE);

        publish(tokens);
        down();
        up(new TestPki("CN=Other CA,O=Evil").issue("CN=localhost,O=Grid"));
        Thread.sleep(150);
        isRefused(tokens, UNAVAILABLE);
        assertThat(asked).as("the last one was not even asked").hasValue(2);
    }
}
