// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.container.OfferedOperations.Request;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;

/**
 * A whole gateway with all doors open, the operations that it offers, and a client for each kind of sender. All are mapped to the account of the test:
 * what keeps them apart is the gateway alone. The one who is banned is an administrator of the gateway and of each door. What the account's jobs and
 * files need is below the given folder.
 */
final class AccessWalkRoom implements AutoCloseable {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final String OWN = System.getProperty("user.name");
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A word of the refusal that each operation answers to Mallory. */
    static final String BANNED = "the key was stolen";

    final HttpClient nobody = client(null);
    final HttpClient alice;
    final HttpClient bob = client(PKI.issue("CN=Bob,O=Grid"));
    /** Banned. */
    final HttpClient mallory = client(PKI.issue("CN=Mallory,O=Grid"));
    /** Alice's limited proxy. */
    final HttpClient limited;

    final JobgateService service;
    final JobsByDoor jobs;
    final List<Request> offered;

    AccessWalkRoom(Path folder) throws Exception {
        TestPki.Credential credential = PKI.issue("CN=Alice,O=Grid");
        alice = client(credential);
        limited = client(TestPki.proxy(credential, options -> options.setLimited(true)));
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, publicName: localhost, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { administrators: [ /O=Grid/CN=Mallory ], deniedAccounts: [ daemon ] }
                decisionPoints: [ { kind: ban-list, file: banned }, { kind: grid-mapfile, file: map } ]
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                bes: { administrators: [ /O=Grid/CN=Mallory ] }
                fileTrees: [ { name: work, path: /work } ]
                cream: { requireDelegation: false, administrators: [ /O=Grid/CN=Mallory ] }
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(
                folder.resolve("map"),
                Stream.of("Alice", "Bob", "Mallory")
                        .map(name -> "\"/O=Grid/CN=" + name + "\" " + OWN + "\n")
                        .collect(Collectors.joining()));
        Files.createSymbolicLink(
                folder.resolve("perl"), Path.of(System.getProperty("jobgate.root"), "lrm-adapters/src/main/perl"));
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.writeString(folder.resolve("banned"), "\"/O=Grid/CN=Mallory\" # " + BANNED + "\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        service = new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        service.start(folder, account -> Optional.of(home.toString()));
        jobs = new JobsByDoor(this, home);
        offered = OfferedOperations.of((door, path) -> {
            Said said = ask(alice, new Request(path, door, "GET", path, "", "", ""));
            assertThat(said.status()).as(path + ": " + said.body()).isEqualTo(200);
            return said.body();
        });
    }

    private static HttpClient client(TestPki.@Nullable Credential credential) {
        return HttpClient.newBuilder()
                .sslContext(TestPki.client(credential))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    @Override
    public void close() {
        Stream.of(nobody, alice, bob, mallory, limited).forEach(HttpClient::close);
        service.close();
    }

    /** The doors that have operations: of the console there are pages only, the same for everybody. */
    List<String> doors() {
        return service.doors().stream()
                .filter(door -> !door.equals(DoorAddresses.CONSOLE))
                .toList();
    }

    /** An answer. */
    record Said(int status, String body) {

        private static final Pattern REFUSALS = Pattern.compile(
                "Fault\\b|SRM_(?!SUCCESS)[A-Z_]+|\"status-code\": ?\"?[45]|\"status\": ?[45][0-9][0-9]");

        /** A refusal: by the status, or in an answer that has one for each job. */
        boolean isRefusal() {
            return status >= 400 || REFUSALS.matcher(body).find();
        }

        /** Without the id of the job, and without the times and ids that are new in each answer. */
        String without(String id) {
            return status + " "
                    + body.replace(id, "ID")
                            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                            .replaceAll("\"request\": ?\"[0-9a-f]+\"", "REQUEST")
                            .replaceAll("uuid:[0-9a-f-]{36}", "UUID");
        }
    }

    Said ask(HttpClient client, Request request) throws IOException, InterruptedException {
        boolean isSoap = request.type().startsWith("text/xml");
        String body = isSoap && !request.body().contains("Envelope") ? envelope("", request.body()) : request.body();
        HttpRequest.Builder made = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + service.port(request.door()) + request.path()))
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .method(request.method(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!request.type().isEmpty()) {
            made.header("Content-Type", request.type());
        }
        if (isSoap) {
            made.header("SOAPAction", '"' + request.action() + '"');
        }
        HttpResponse<InputStream> response = client.send(made.build(), BodyHandlers.ofInputStream());
        boolean isStream =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        try (InputStream answer = response.body()) {
            return new Said(
                    response.statusCode(), isStream ? firstEvent(answer) : new String(answer.readAllBytes(), UTF_8));
        }
    }

    /** A stream of events goes on as long as its job does. */
    private static String firstEvent(InputStream stream) throws IOException {
        StringBuilder event = new StringBuilder();
        while (event.indexOf("\n\n") < 0) {
            int next = stream.read();
            if (next < 0) {
                break;
            }
            event.append((char) next);
        }
        return event.toString();
    }

    static String envelope(String header, String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header>" + header
                + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }
}
