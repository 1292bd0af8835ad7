// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
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
import java.util.Map;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service with doors that are turned off, on ports of their own, and with limits of their own. */
class FrontDoorsTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final String FILE = "/jobs/01234567-89ab-7def-8123-456789abcdef/stdout";
    private static final String FACTORY = "/wsrf/services/ManagedJobFactoryService";
    private static final String GRIDSITE = "/wsrf/services/gridsite-delegation";
    private static final String RFT = "/wsrf/services/ReliableFileTransferFactoryService";
    private static final String SCHEMAS = "http://www.globus.org/namespaces/2004/10/gram/job";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newBuilder()
            .sslContext(TestPki.client(ALICE))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private @Nullable JobgateConfig config;
    private @Nullable JobgateService service;

    /** Starts a service whose LRM has no sudo, so that nothing is run. */
    private void start(String doors) throws IOException {
        start(doors, "");
    }

    private void start(String doors, String more) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                callbacks: { allowLoopbackAddresses: true }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                fileTrees: [ { name: work, path: /work } ]
                doors: { %s }
                %s
                """.formatted(folder.resolve("spool"), doors, more));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        config = ConfigurationFile.read(file, Map.of());
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
        client.close();
    }

    private int port(String door) {
        return requireNonNull(service).port(door);
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return send(request(port, path));
    }

    private HttpResponse<String> post(int port, String path, String body) throws Exception {
        return send(request(port, path)
                .header("Content-Type", "text/xml; charset=utf-8")
                .POST(BodyPublishers.ofString(body)));
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .timeout(Duration.ofMinutes(2));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void aDoorThatIsTurnedOffAnswersAsAPathAtWhichNothingIs() throws Exception {
        start("files: { enabled: false }, gridsite: { enabled: false }");
        int port = port(DoorAddresses.GRAM);

        HttpResponse<String> files = get(port, FILE);
        HttpResponse<String> nothing = get(port, "/nothing");
        assertThat(files.statusCode()).isEqualTo(404);
        assertThat(files.body()).isEqualTo(nothing.body().replace("/nothing", FILE));
        HttpResponse<String> gridsite = post(port, GRIDSITE, "<x/>");
        assertThat(gridsite.statusCode()).isEqualTo(404);
        assertThat(gridsite.body())
                .isEqualTo(post(port, "/wsrf/services/Nothing", "<x/>")
                        .body()
                        .replace("/wsrf/services/Nothing", GRIDSITE));
        assertThat(gridsite.body()).doesNotContain("/jobs");
        assertThat(get(port, FACTORY + "?wsdl").statusCode()).isEqualTo(200);
        assertThat(get(port, "/wsrf/services/DelegationFactoryService?wsdl").statusCode())
                .isEqualTo(200);
    }

    @Test
    void everyDoorThatTheConfigurationNamesIsThere() throws Exception {
        start("");

        assertThat(requireNonNull(service).doors())
                .containsExactlyInAnyOrderElementsOf(
                        requireNonNull(config).doors().keySet());
        assertThat(get(port(DoorAddresses.FILES), "/metrics").body())
                .contains("jobgate_door_readers{door=\"files\"} 0");
    }

    @Test
    void aServiceWithoutAnySoapDoorHasNoSoap() throws Exception {
        start(
                "gram: { enabled: false }, delegation: { enabled: false }, gridsite: { enabled: false }, rft: { enabled: false }");

        HttpResponse<String> factory = post(port(DoorAddresses.FILES), FACTORY, "<x/>");
        assertThat(factory.statusCode()).isEqualTo(404);
        assertThat(factory.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(get(port(DoorAddresses.FILES), FILE).body()).contains("JOB_UNKNOWN");
    }

    @Test
    void aDoorWithAPortOfItsOwnIsServedThereAndNowhereElse() throws Exception {
        start("files: { port: 0 }, gram: { port: 0 }");
        int first = port(DoorAddresses.RFT);
        int files = port(DoorAddresses.FILES);
        int gram = port(DoorAddresses.GRAM);
        assertThat(first).isNotEqualTo(files).isNotEqualTo(gram);

        assertThat(get(files, FILE).body()).contains("JOB_UNKNOWN");
        assertThat(get(first, FILE).statusCode()).isEqualTo(404);
        assertThat(get(first, FILE).body()).contains("The door files is served on a port of its own.");
        assertThat(get(files, FACTORY + "?wsdl").body()).contains("On this port only the door files is served.");
        assertThat(get(files, "/health").statusCode()).isEqualTo(404);
        assertThat(get(first, RFT + "?wsdl").statusCode()).isEqualTo(200);
        assertThat(get(gram, FACTORY + "?wsdl").body())
                .contains("https://localhost:" + gram + FACTORY)
                .doesNotContain(":" + first + "/");
    }

    @Test
    void everyDoorMayHaveAPortOfItsOwn() throws Exception {
        start(
                "gram: { port: 0 }, delegation: { port: 0 }, gridsite: { port: 0 }, rft: { port: 0 }, files: { port: 0 }, rest: { port: 0 }, cream: { port: 0 }, arc: { port: 0 }, bes: { port: 0 }, srm: { port: 0 }");

        for (String door : requireNonNull(service).doors()) {
            assertThat(get(port(door), "/health").body()).contains("only the door " + door);
        }
        assertThat(requireNonNull(service).doors().stream().map(this::port)).doesNotHaveDuplicates();
    }

    @Test
    void addressesOfOtherDoorsHaveThePortsOfTheseDoors() throws Exception {
        start("files: { port: 0 }, delegation: { port: 0 }");
        int gram = port(DoorAddresses.GRAM);

        HttpResponse<String> factory = post(gram, FACTORY, envelope("""
                <p:GetResourceProperty xmlns:p="http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd"
                  xmlns:g="%s">g:delegationFactoryEndpoint</p:GetResourceProperty>""".formatted(SCHEMAS)));
        assertThat(factory.body())
                .contains("https://localhost:" + port(DoorAddresses.DELEGATION)
                        + "/wsrf/services/DelegationFactoryService");
    }

    @Test
    void thePortOfADoorIsTheGatewaysOwn() throws Exception {
        start("files: { port: 0 }");
        int files = port(DoorAddresses.FILES);

        HttpResponse<String> created = post(port(DoorAddresses.GRAM), FACTORY, envelope("""
                <createManagedJob xmlns="%1$s" xmlns:d="%1$s/description">
                  <n:Subscribe xmlns:n="http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd"
                      xmlns:a="http://schemas.xmlsoap.org/ws/2004/03/addressing">
                    <n:ConsumerReference><a:Address>https://127.0.0.1:%2$d/x</a:Address></n:ConsumerReference>
                    <n:TopicExpression xmlns:t="%1$s/types"
                      Dialect="http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple">t:state</n:TopicExpression>
                  </n:Subscribe>
                  <d:job><d:executable>/bin/true</d:executable></d:job>
                </createManagedJob>""".formatted(SCHEMAS, files)));

        assertThat(created.statusCode()).as(created.body()).isEqualTo(500);
        assertThat(created.body()).contains("port " + files + " is this gateway itself");
    }

    private static String envelope(String body) {
        return """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>
                <g:ResourceID xmlns:g="%s">Fork</g:ResourceID></s:Header><s:Body>%s</s:Body></s:Envelope>""".formatted(SCHEMAS, body);
    }

    @Test
    void aBodyOverTheLimitOfItsDoorIsRefusedBeforeItIsRead() throws Exception {
        start("gram: { maxBodyBytes: 1KiB }");
        int port = port(DoorAddresses.GRAM);

        assertThat(announced(port, FACTORY, 2000))
                .startsWith("HTTP/1.1 413")
                .contains("the limit is doors.gram.maxBodyBytes = 1024");
        HttpResponse<String> ofAnother = post(port, RFT, envelope("<x/>") + " ".repeat(2000));
        assertThat(ofAnother.statusCode()).isNotEqualTo(413);
        HttpResponse<String> chunked = send(request(port, FACTORY)
                .header("Content-Type", "text/xml")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("<x>" + "y".repeat(5000) + "</x>"))));
        assertThat(chunked.statusCode()).isEqualTo(413);
        assertThat(chunked.body()).contains("doors.gram.maxBodyBytes = 1024");
    }

    /** What is answered to the head of a request whose body never comes. */
    private static String announced(int port, String path, int length) throws IOException {
        try (Socket socket = TestPki.client(ALICE).getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + path
                                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: "
                                    + length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            byte[] piece = new byte[4096];
            while (!answer.toString().contains("</soap:Envelope>")) {
                int read = socket.getInputStream().read(piece);
                if (read < 0) {
                    break;
                }
                answer.append(new String(piece, 0, read, StandardCharsets.UTF_8));
            }
            return answer.toString();
        }
    }

    /** A load balancer that took the gateway out for it would take questions and cancels away as well. */
    @Test
    void aServiceThatRefusesOnlyNewJobsForItsLoadIsWell() throws Exception {
        start("", "selfLimiter: { memory: 1 }");

        HttpResponse<String> health = get(port(DoorAddresses.REST), "/health");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"well\"", "New jobs are refused: ", "selfLimiter.memory = 1");
    }
}
