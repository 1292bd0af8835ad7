// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is logged and traced of one submission to a running gateway can be found by its ids. */
class LinesAndTracesTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JOB = "{\"executable\": \"/bin/true\"}";
    private static final String HELD = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}";

    @TempDir
    Path folder;

    /** One line of the log, with what stands beside its message. */
    private record Line(
            String logger,
            String text,
            @Nullable String request,
            @Nullable String job) {}

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LogManager.getRootLogger();
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(new Line(
                    event.getLoggerName(),
                    event.getMessage().getFormattedMessage(),
                    event.getContextData().getValue("request"),
                    event.getContextData().getValue("job")));
        }
    };
    private @Nullable HttpServer collector;
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private @Nullable JobgateService service;

    @BeforeEach
    void listen() {
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.INFO);
    }

    private int collector() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/v1/traces", exchange -> {
            // names and ids stand in a message of protocol buffers as they are
            sent.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        made.start();
        collector = made;
        return made.getAddress().getPort();
    }

    private void start(int collectorPort) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, publicName: localhost, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                tracing: { endpoint: "http://127.0.0.1:%d/v1/traces", maxQueued: 512 }
                """.formatted(folder.resolve("spool"), collectorPort));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        JobgateService made =
                new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        service = made;
        made.start(folder);
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
        }
        root.removeAppender(appender);
        appender.stop();
        if (collector != null) {
            collector.stop(0);
        }
    }

    private HttpResponse<String> ask(String method, String path, @Nullable String json) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "https://localhost:" + requireNonNull(service).port("rest") + "/api/v1" + path))
                .timeout(PATIENCE)
                .header("traceparent", "00-" + "ab".repeat(16) + "-" + "cd".repeat(8) + "-01")
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestPki.client(ALICE)).build()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static JsonNode json(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return new JsonMapper().readTree(response.body());
    }

    private static String requestId(HttpResponse<String> response) {
        return response.headers().firstValue("Jobgate-Request").orElseThrow();
    }

    private boolean isSent(String part) {
        return sent.stream().anyMatch(message -> message.contains(part));
    }

    private static String bytes(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    }

    @Test
    void allLinesOfOneSubmissionCarryItsIdAndItsTraceHasTheIdOfTheJob() throws Exception {
        start(collector());
        HttpResponse<String> answer = ask("POST", "/jobs", JOB);
        String job = json(answer, 201).get("id").asString();
        String request = requestId(answer);

        // the LRM cannot be reached: the engine says so of this job
        await().atMost(PATIENCE)
                .until(() -> lines.stream().anyMatch(line -> line.text().contains("no clear answer")));
        await().atMost(PATIENCE)
                .until(() -> lines.stream()
                        .anyMatch(line -> line.logger().equals("org.jobgate.access")
                                && line.text().startsWith(request)));
        assertThat(lines)
                .filteredOn(line -> line.logger().startsWith("org.jobgate.engine")
                        && line.text().contains("no clear answer"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.job()).isEqualTo(job));
        assertThat(lines)
                .filteredOn(line -> line.text().contains(request))
                .singleElement()
                .satisfies(line -> assertThat(line.text()).endsWith("ms job=" + job));
        assertThat(lines)
                .filteredOn(line -> line.text().contains(job) && !line.logger().equals("org.jobgate.access"))
                .allSatisfy(line -> assertThat(line.job()).isEqualTo(job));

        String trace = bytes(job.replace("-", ""));
        await().atMost(PATIENCE).until(() -> isSent("lrm submit"));
        assertThat(sent).anySatisfy(message -> assertThat(message).contains(trace));
        await().atMost(PATIENCE).until(() -> isSent("POST api/v1") && isSent(bytes("ab".repeat(16))));
    }

    @Test
    void theTraceOfAJobIsWholeWhenItIsOver() throws Exception {
        start(collector());
        String job = json(ask("POST", "/jobs", HELD), 201).get("id").asString();
        ask("POST", "/jobs/" + job + "/cancel", null);
        await().atMost(PATIENCE).until(() -> isSent("state "));
        await().atMost(PATIENCE)
                .until(() -> sent.stream()
                        .anyMatch(message -> message.contains("jobgate.state") && message.contains("cancelled")));
    }

    @Test
    void aRefusalTellsTheIdOfItsRequest() throws Exception {
        start(collector());
        HttpResponse<String> answer = ask("POST", "/jobs", "{\"executable\": 7}");
        assertThat(json(answer, 400).get("request").asString()).isEqualTo(requestId(answer));
    }

    @Test
    void nothingWaitsForACollectorThatIsAway() throws Exception {
        int port = collector();
        requireNonNull(collector).stop(0);
        start(port);
        for (int i = 0; i < 100; i++) {
            json(ask("GET", "/whoami", null), 200);
        }
        String job = json(ask("POST", "/jobs", HELD), 201).get("id").asString();
        ask("POST", "/jobs/" + job + "/cancel", null);
        await().atMost(PATIENCE)
                .until(() -> json(ask("GET", "/jobs/" + job, null), 200)
                        .get("state")
                        .asString()
                        .equals("Cancelled"));
    }
}
