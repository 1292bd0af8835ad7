// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jobgate.container.tls.Forge;
import org.jobgate.container.tls.TestPki;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a credential, it is refused over the wire, the log says why, and neither tells a secret. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NegativeCredentialsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final WrongCertificates certificates = new WrongCertificates();
    private final WrongTokens tokens = new WrongTokens();
    private final LogLines log = new LogLines();
    private @Nullable TrialGate gate;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        certificates.trustIn(folder.resolve("trust"));
        tokens.wlcg.publish(folder.resolve("wlcg.json"));
        tokens.scitokens.publish(folder.resolve("scitokens.json"));
        Forge.Made host = Forge.user("CN=localhost,O=Grid").signedBy(certificates.ca);
        gate = TrialGate.start(folder, host.credential(), """
                tokens: { audiences: [ gate ], requiredScopes: [ compute.create ] }
                tokenIssuers:
                  - { issuer: "%s", keysFile: wlcg.json, groups: [ /atlas ] }
                  - { issuer: "%s", profile: scitokens, keysFile: scitokens.json }
                  - { issuer: "%s", profile: plain, keysFile: missing.json }
                ports: [ { port: 0, tokens: false }, { port: 0, clientCertificates: none }, { port: 0, clientCertificates: need } ]
                """.formatted(
                        WrongTokens.WLCG, WrongTokens.SCITOKENS, WrongTokens.UNREACHABLE));
    }

    @AfterAll
    void stop() throws Exception {
        log.close();
        if (gate != null) {
            gate.close();
        }
    }

    List<WrongCertificates.Row> certificates() {
        return certificates.rows();
    }

    List<WrongTokens.Row> tokens() {
        return tokens.rows();
    }

    private HttpResponse<String> ask(int port, TestPki.@Nullable Credential credential, String... authorizations)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + gate().ports().get(port) + TrialGate.WHO))
                .timeout(PATIENCE)
                .header("Content-Type", "text/xml")
                .POST(HttpRequest.BodyPublishers.ofString(TrialGate.ASK));
        for (String authorization : authorizations) {
            request.header("Authorization", authorization);
        }
        try (HttpClient client = TrialGate.client(credential)) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private TrialGate gate() {
        return java.util.Objects.requireNonNull(gate);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("certificates")
    void theCertificateIsRefused(WrongCertificates.Row row) {
        log.forget();
        assertThatThrownBy(() -> ask(0, row.credential())).isInstanceOf(IOException.class);
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log.lines())
                        .anySatisfy(line -> assertThat(line)
                                .startsWith("Refused the certificate of")
                                .contains(row.reason())));
        assertThat(String.join("\n", log.lines())).doesNotContain("PRIVATE KEY");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tokens")
    void theTokenIsRefused(WrongTokens.Row row) throws Exception {
        log.forget();
        HttpResponse<String> answer = ask(0, null, "Bearer " + row.token());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElse("")).contains("error=\"invalid_token\"");
        assertThat(log.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Refused the bearer token of a client at")
                        .contains(": " + row.problem() + ": "));
        String told = answer.body() + answer.headers().map() + String.join("\n", log.lines());
        String secret = row.token().substring(Math.max(0, row.token().length() - 12));
        assertThat(told).doesNotContain(secret).doesNotContain(row.token().substring(0, 16));
        assertThat(log.lines()).allSatisfy(line -> assertThat(line).doesNotContain("\n", "\r"));
    }

    @Test
    void aGoodTokenIsItsIssuerAndSubject() throws Exception {
        String token = tokens.wlcg.sign(tokens.wlcg.wlcg().claim("wlcg.groups", List.of("/atlas/prod", "/cms")));
        assertThat(ask(0, null, "Bearer " + token).body())
                .contains("subject=https://wlcg.example.org/,alice")
                .contains("method=token")
                .contains("fqans=[/atlas/prod]")
                .contains("scopes=[compute.read, compute.create]");
    }

    @Test
    void aTokenCountsAndNotTheCertificateBesideIt() throws Exception {
        String token = tokens.wlcg.sign(tokens.wlcg.wlcg());
        assertThat(ask(0, certificates.alice.credential(), "Bearer " + token).body())
                .contains("subject=https://wlcg.example.org/,alice");
        assertThat(ask(0, certificates.alice.credential()).body()).contains("subject=/O=Grid/CN=Alice");
    }

    @Test
    void aBadTokenIsNotMadeGoodByACertificate() throws Exception {
        assertThat(ask(0, certificates.alice.credential(), "Bearer x").statusCode())
                .isEqualTo(401);
    }

    @Test
    void severalTokensInOneRequestAreRefused() throws Exception {
        String token = tokens.wlcg.sign(tokens.wlcg.wlcg());
        assertThat(ask(0, null, "Bearer " + token, "Bearer " + token).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aPortThatTakesNoTokensSaysSo() throws Exception {
        HttpResponse<String> answer = ask(1, null, "Bearer " + tokens.wlcg.sign(tokens.wlcg.wlcg()));
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("tokens are not taken here");
    }

    @Test
    void aPortThatAsksForNoCertificateLooksAtNone() throws Exception {
        assertThat(ask(2, certificates.alice.credential()).body()).contains("<who>null</who>");
        assertThat(ask(2, null, "Bearer " + tokens.wlcg.sign(tokens.wlcg.wlcg()))
                        .body())
                .contains("method=token");
    }

    @Test
    void aPortThatNeedsACertificateLetsNobodyInWithout() throws Exception {
        assertThatThrownBy(() -> ask(3, null)).isInstanceOf(IOException.class);
        assertThat(ask(3, certificates.alice.credential()).body()).contains("/O=Grid/CN=Alice");
    }

    @Test
    void theTablesOfThePageAreThese() throws IOException {
        Path page = Path.of(System.getProperty("jobgate.root"), "docs", "operate", "refusals.md");
        String table = CredentialsPage.table(certificates.rows(), tokens.rows());
        String text = Files.readString(page);
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            text = CredentialsPage.with(text, table);
            Files.writeString(page, text);
        }
        assertThat(text)
                .as("stale? rewrite it with -Dtest=NegativeCredentialsTest -Djobgate.docs=write")
                .contains(table);
    }
}
