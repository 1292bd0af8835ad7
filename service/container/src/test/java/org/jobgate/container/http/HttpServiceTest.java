// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.cxf.Bus;
import org.apache.cxf.resource.DefaultResourceManager;
import org.apache.cxf.resource.ResourceManager;
import org.apache.cxf.resource.ResourceResolver;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TestPki;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuards;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connector as a client meets it: over TLS, with real certificates. */
class HttpServiceTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");

    @TempDir
    Path folder;

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final AtomicBoolean well = new AtomicBoolean(true);
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final InstantSource now = () -> Instant.now().plus(later.get());
    private final Metrics metrics = new Metrics();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** What CXF looked for among the resources. */
    private final List<String> searched = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        mayAnswer.countDown();
        for (AutoCloseable part : open.reversed()) {
            part.close();
        }
        metrics.close();
    }

    private HttpService start(String limits) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 2s }
                limits: { %s }
                """.formatted(limits));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        return start(ConfigurationFile.read(file, Map.of()));
    }

    private HttpService start(JobgateConfig config) {
        RefusalLog refusals = new RefusalLog(System::nanoTime);
        ChainValidator validator =
                new ChainValidator(config.server(), config.credentials(), refusals, Clock.systemUTC());
        HostCredential host = HostCredential.load(
                config.server().hostCertificate(),
                config.server().hostKey(),
                config.credentials().minRsaBits());
        SSLContext tls = new TlsContexts(host, validator, refusals)
                .forServer(config.server().sessionLifetime());
        SoapServlets soap = new SoapServlets(this::bus, MessageGuards.NONE);
        Health health = new Health(
                Map.of(
                        "store",
                        () -> well.get()
                                ? HealthCheck.Finding.well(Map.of("probeMs", 1))
                                : HealthCheck.Finding.unwell("The disk is full.")),
                draining::get,
                Executors.newVirtualThreadPerTaskExecutor(),
                System::nanoTime);
        HttpService service = new HttpService(
                config,
                new HttpService.Parts(
                        tls,
                        validator,
                        TestTokens.none(),
                        refusals,
                        health,
                        metrics,
                        now.withZone(ZoneOffset.UTC),
                        new SecureRandom()));
        open.add(validator);
        open.add(soap);
        open.add(service);
        service.open();
        service.mount(List.of(new WhoDoor(config, mayAnswer)), soap);
        service.start();
        return service;
    }

    private Bus bus(long maxTextBytes) {
        Bus bus = SoapBus.create(maxTextBytes);
        ResourceManager resources = new DefaultResourceManager();
        resources.addResourceResolver(new ResourceResolver() {
            @Override
            public <T> @Nullable T resolve(String name, Class<T> type) {
                searched.add(name);
                return null;
            }

            @Override
            public @Nullable InputStream getAsStream(String name) {
                searched.add(name);
                return null;
            }
        });
        bus.setExtension(resources, ResourceManager.class);
        return bus;
    }

    private static HttpClient client(TestPki.@Nullable Credential credential) {
        return HttpClient.newBuilder()
                .sslContext(TestPki.client(credential))
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
    }

    private static HttpRequest.Builder request(HttpService service, String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + service.port() + path))
                .timeout(Duration.ofMinutes(1));
    }

    private static HttpRequest.Builder soap(HttpService service, String path, HttpRequest.BodyPublisher body) {
        return request(service, path).header("Content-Type", "text/xml").POST(body);
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    private static HttpResponse<String> ask(HttpService service, TestPki.@Nullable Credential credential)
            throws IOException, InterruptedException {
        try (HttpClient client = client(credential)) {
            return client.send(
                    soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static String identity(String subject, boolean limited) {
        return "<who>" + new Identity(subject, "tls", limited) + "</who>";
    }

    @Test
    void aCertificateIsItsSubject() throws Exception {
        assertThat(ask(start(""), ALICE).body()).contains(identity("/O=Grid/CN=Alice", false));
    }

    @Test
    void aCallerWithoutACertificateIsAnonymous() throws Exception {
        assertThat(ask(start(""), null).body()).contains("<who>null</who>");
    }

    @Test
    void proxiesOfEveryKindAreTheirEndEntity() throws Exception {
        HttpService service = start("");
        for (ProxyType type : ProxyType.values()) {
            TestPki.Credential full = TestPki.proxy(ALICE, options -> options.setType(type));
            assertThat(ask(service, full).body()).as("%s", type).contains(identity("/O=Grid/CN=Alice", false));
            TestPki.Credential second = TestPki.proxy(full, options -> {});
            assertThat(ask(service, second).body()).as("second %s", type).contains(identity("/O=Grid/CN=Alice", false));
        }
    }

    @Test
    void limitedProxiesOfEveryKindAreRecognisedAndStayLimited() throws Exception {
        HttpService service = start("");
        for (ProxyType type : ProxyType.values()) {
            TestPki.Credential limited = TestPki.proxy(ALICE, options -> {
                options.setType(type);
                options.setLimited(true);
            });
            assertThat(ask(service, limited).body()).as("%s", type).contains(identity("/O=Grid/CN=Alice", true));
        }
    }

    @Test
    void whatIsNotGoodIsRefusedInTheHandshake() throws Exception {
        HttpService service = start("");
        TestPki.Credential independent =
                TestPki.proxy(ALICE, options -> options.setPolicy(new ProxyPolicy(ProxyPolicy.INDEPENDENT_POLICY_OID)));
        TestPki.Credential oldProxy = TestPki.proxy(
                ALICE,
                options -> options.setValidityBounds(
                        java.util.Date.from(Instant.now().minusSeconds(7200)),
                        java.util.Date.from(Instant.now().minusSeconds(3600))));
        TestPki.Credential limited = TestPki.proxy(ALICE, options -> options.setLimited(true));
        TestPki.Credential fullOfLimited = TestPki.proxy(
                limited, options -> options.setPolicy(new ProxyPolicy(ProxyPolicy.INHERITALL_POLICY_OID)));
        List<TestPki.Credential> bad = List.of(
                fullOfLimited,
                PKI.issueExpired("CN=Alice,O=Grid"),
                new TestPki("CN=CA,O=Grid").issue("CN=Alice,O=Grid"),
                new TestPki("CN=Other CA,O=Evil").issue("CN=Alice,O=Grid"),
                PKI.issue("CN=Eve/CN\\=Alice,O=Grid"),
                independent,
                oldProxy);
        for (TestPki.Credential credential : bad) {
            assertThatThrownBy(() -> ask(service, credential))
                    .as("%s", credential.chain()[0].getSubjectX500Principal())
                    .isInstanceOf(IOException.class);
        }
        assertThat(metrics.scrape())
                .containsPattern("jobgate_tls_handshakes_failed_total\\{reason=\"expired\"} 2")
                .containsPattern("jobgate_tls_handshakes_failed_total\\{reason=\"certificate\"} 5");
        assertThat(ask(service, ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void aCertificateThatExpiresOnAnOpenConnectionIsNoticed() throws Exception {
        HttpService service = start("");
        TestPki.Credential brief = PKI.issueShort("CN=Brief,O=Grid", Duration.ofHours(1));
        try (HttpClient client = client(brief)) {
            HttpRequest request = soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("/O=Grid/CN=Brief");
            later.set(Duration.ofHours(2));
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("expired at", "faultstring");
        }
    }

    @Test
    void onlyTls12And13AreSpoken() throws Exception {
        HttpService service = start("");
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            assertThat(handshake(service, version)).isEqualTo(version);
        }
        assertThatThrownBy(() -> handshake(service, "TLSv1.1")).isInstanceOf(SSLException.class);
    }

    private static String handshake(HttpService service, String version) throws IOException {
        try (javax.net.ssl.SSLSocket socket = (javax.net.ssl.SSLSocket)
                TestPki.client(ALICE).getSocketFactory().createSocket("localhost", service.port())) {
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }

    private static HttpResponse<String> post(HttpService service, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        try (HttpClient client = client(ALICE)) {
            return client.send(soap(service, "/wsrf/services/WhoAmI", body).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void aDocumentTypeAndAnEntityBombAreRefused() throws Exception {
        HttpService service = start("");
        String bomb = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY x SYSTEM \"file:///etc/passwd\">]>" + envelope("<ask>&b;&x;</ask>");
        HttpResponse<String> answer = post(service, BodyPublishers.ofString(bomb));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("Fault").doesNotContain("root:", "at org.");
    }

    @Test
    void requestsOverTheLimitAreToldTheLimitAndTheCount() throws Exception {
        HttpService service = start("maxConcurrentRequests: 1");
        try (HttpClient client = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> first = client.sendAsync(slow, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            HttpResponse<String> second = ask(service, ALICE);
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).contains("2");
            assertThat(second.body())
                    .contains("There are 2 requests at once; the limit is limits.maxConcurrentRequests = 1.");
            mayAnswer.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        }
        assertThat(ask(service, ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void requestsThatOnlyWaitLetOthersOfTheSameOwnerWork() throws Exception {
        HttpService service = start("maxWorking: 1");
        try (HttpClient crowd = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(crowd.sendAsync(slow, BodyHandlers.ofString()));
            }
            assertThat(ask(service, ALICE).statusCode()).isEqualTo(200);
            mayAnswer.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void connectionsOverTheLimitAreToldTheLimitAndClosed() throws Exception {
        HttpService service = start("maxConnections: 1");
        try (HttpClient holder = client(ALICE)) {
            HttpRequest request = soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            assertThat(holder.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> second = ask(service, ALICE);
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.body()).contains("There are 2 open connections; the limit is limits.maxConnections = 1.");
            assertThat(second.headers().firstValue("Connection")).contains("close");
            assertThat(holder.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void healthSaysWhatIsWrong() throws Exception {
        HttpService service = start("");
        HttpResponse<String> answer = get(service, "/health");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"status\":\"well\"", "\"probeMs\":1");
        draining.set(true);
        assertThat(get(service, "/health").body()).contains("\"status\":\"draining\"");
        well.set(false);
        org.awaitility.Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            HttpResponse<String> unwell = get(service, "/health");
            assertThat(unwell.statusCode()).isEqualTo(503);
            assertThat(unwell.body()).contains("\"status\":\"unwell\"", "The disk is full.");
        });
    }

    /** The gateway can be made to fetch from itself, and then comes from this machine. */
    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/health"})
    void comingFromThisMachineIsNoReasonToBeToldHowTheServiceIs(String path) throws Exception {
        HttpService service = start("");
        assertThat(get(service, path, null).statusCode()).isEqualTo(403);
        assertThat(get(service, path, ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void monitoringThatIsOpenAnswersEverybody() throws Exception {
        HttpService service = start("} \nmonitoring: { access: open");
        assertThat(get(service, "/metrics", null).statusCode()).isEqualTo(200);
    }

    @Test
    void metricsCountRequestsByServiceAndStatus() throws Exception {
        HttpService service = start("");
        ask(service, ALICE);
        get(service, "/nowhere");
        assertThat(get(service, "/metrics").body())
                .containsPattern("jobgate_http_requests_seconds_count\\{door=\"WhoAmI\",status=\"200\"} 1")
                .containsPattern("jobgate_http_requests_seconds_count\\{door=\"other\",status=\"404\"} 1")
                .contains("jvm_memory_used_bytes", "process_resident_memory_bytes");
    }

    private static HttpResponse<String> get(HttpService service, String path) throws IOException, InterruptedException {
        return get(service, path, ALICE);
    }

    private static HttpResponse<String> get(HttpService service, String path, TestPki.@Nullable Credential credential)
            throws IOException, InterruptedException {
        try (HttpClient client = client(credential)) {
            return client.send(request(service, path).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void aRequestSearchesNoArchives() throws Exception {
        HttpService service = start("");
        ask(service, ALICE);
        searched.clear();
        ask(service, ALICE);
        assertThat(searched).isEmpty();
    }

    @Test
    void theServerDoesNotSayWhatItIs() throws Exception {
        HttpResponse<String> answer = get(start(""), "/nowhere");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("Server")).isEmpty();
        assertThat(answer.headers().firstValue("Jobgate-Request").orElseThrow()).hasSize(16);
        assertThat(answer.body()).doesNotContainIgnoringCase("jetty");
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        HttpService service = start("");
        String yaml = Files.readString(folder.resolve("gate.yaml")).replace("port: 0", "port: " + service.port());
        Path file = Files.writeString(folder.resolve("second.yaml"), yaml);
        assertThatThrownBy(() -> start(ConfigurationFile.read(file, Map.of())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("server.port = " + service.port());
    }

    @Test
    void aStopLetsRunningRequestsFinish() throws Exception {
        HttpService service = start("");
        try (HttpClient client = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> running = client.sendAsync(slow, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> service.stop(Duration.ofMinutes(1)));
            Thread.sleep(300);
            assertThat(stopped).isNotDone();
            mayAnswer.countDown();
            assertThat(running.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
            stopped.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aRequestThatDoesNotEndIsWaitedForOnce() throws Exception {
        HttpService service = start("");
        try (HttpClient client = client(ALICE)) {
            HttpRequest stuck = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> running = client.sendAsync(stuck, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            int port = service.port();
            long begin = System.nanoTime();
            assertThatThrownBy(() -> service.stop(Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not stop cleanly");
            long stopped = System.nanoTime();
            service.close();
            assertThat(System.nanoTime() - stopped).isLessThan((stopped - begin) / 2);
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> running.get(1, TimeUnit.MINUTES)).isInstanceOf(ExecutionException.class);
        } finally {
            mayAnswer.countDown();
        }
    }
}
