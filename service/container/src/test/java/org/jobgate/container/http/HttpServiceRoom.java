// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.apache.cxf.Bus;
import org.apache.cxf.resource.DefaultResourceManager;
import org.apache.cxf.resource.ResourceManager;
import org.apache.cxf.resource.ResourceResolver;
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
import org.jobgate.soap.MessageGuards;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** An HTTP service over TLS with one SOAP service, which says who the caller is, and clients of it. */
abstract class HttpServiceRoom {

    static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");

    @TempDir
    Path folder;

    final CountDownLatch mayAnswer = new CountDownLatch(1);
    final AtomicBoolean well = new AtomicBoolean(true);
    final AtomicBoolean draining = new AtomicBoolean();
    final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    final InstantSource now = () -> Instant.now().plus(later.get());
    final Metrics metrics = new Metrics();
    final List<AutoCloseable> open = new ArrayList<>();

    /** What CXF looked for among the resources. */
    final List<String> searched = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        mayAnswer.countDown();
        for (AutoCloseable part : open.reversed()) {
            part.close();
        }
        metrics.close();
    }

    HttpService start(String limits) throws IOException {
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

    HttpService start(JobgateConfig config) {
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
                        null,
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

    static HttpClient client(TestPki.@Nullable Credential credential) {
        return HttpClient.newBuilder()
                .sslContext(TestPki.client(credential))
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
    }

    static HttpRequest.Builder request(HttpService service, String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + service.port() + path))
                .timeout(Duration.ofMinutes(1));
    }

    static HttpRequest.Builder soap(HttpService service, String path, HttpRequest.BodyPublisher body) {
        return request(service, path).header("Content-Type", "text/xml").POST(body);
    }

    static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    static HttpResponse<String> ask(HttpService service, TestPki.@Nullable Credential credential)
            throws IOException, InterruptedException {
        try (HttpClient client = client(credential)) {
            return client.send(
                    soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    static HttpResponse<String> get(HttpService service, String path) throws IOException, InterruptedException {
        return get(service, path, ALICE);
    }

    static HttpResponse<String> get(HttpService service, String path, TestPki.@Nullable Credential credential)
            throws IOException, InterruptedException {
        try (HttpClient client = client(credential)) {
            return client.send(request(service, path).build(), BodyHandlers.ofString());
        }
    }
}
