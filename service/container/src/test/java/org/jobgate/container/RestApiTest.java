// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

/** The REST API of the whole service over TLS, with Java's own client. Jobs are held: there is no LRM that works. */
class RestApiTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final TestPki.Credential BOB = PKI.issue("CN=Bob,O=Grid");
    private static final String HELD = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}";

    @TempDir
    Path folder;

    private JobgateConfig config;
    private StateDirectory state;
    private JobgateService service;

    @BeforeEach
    void start() throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, publicName: localhost, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                limits: { maxBodyBytes: 64KiB }
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(
                folder.resolve("map"), "\"%s\" alice\n\"%s\" bob\n".formatted("/O=Grid/CN=Alice", "/O=Grid/CN=Bob"));
        config = ConfigurationFile.read(file, Map.of());
        state = StateDirectory.take(config.state().directory());
        open();
    }

    private void open() {
        service = new JobgateService(config, state, Instant.now());
        service.start(folder);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> ask(
            TestPki.@Nullable Credential who, String method, String path, @Nullable String json, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + service.port("rest") + "/api/v1" + path))
                .timeout(Duration.ofMinutes(2))
                .method(
                        method,
                        json == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json));
        if (json != null && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestPki.client(who)).build()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static JsonNode json(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return new JsonMapper().readTree(response.body());
    }

    @Test
    void aJobIsSubmittedSeenListedAndEndedByItsOwnerAndBelongsToNobodyElse() throws Exception {
        JsonNode who = json(ask(ALICE, "GET", "/whoami", null), 200);
        assertThat(who.at("/subject").asString()).isEqualTo("/O=Grid/CN=Alice");
        assertThat(who.at("/accounts/0").asString()).isEqualTo("alice");
        JsonNode job = json(ask(ALICE, "POST", "/jobs", HELD, "Idempotency-Key", "one"), 201);
        String id = job.get("id").asString();
        assertThat(json(ask(ALICE, "POST", "/jobs", HELD, "Idempotency-Key", "one"), 200)
                        .get("id")
                        .asString())
                .isEqualTo(id);
        assertThat(job.get("owner").asString()).isEqualTo("/O=Grid/CN=Alice");
        assertThat(json(ask(ALICE, "GET", "/jobs", null), 200).at("/jobs/0/id").asString())
                .isEqualTo(id);
        json(ask(BOB, "GET", "/jobs/" + id, null), 404);
        assertThat(json(ask(BOB, "GET", "/jobs", null), 200).get("jobs").isEmpty())
                .isTrue();
        json(ask(null, "GET", "/jobs", null), 401);
        json(ask(null, "GET", "/openapi.json", null), 200);
        json(ask(ALICE, "POST", "/jobs/" + id + "/cancel", null), 200);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> json(ask(ALICE, "GET", "/jobs/" + id + "?wait=5", null), 200)
                        .get("state")
                        .asString()
                        .equals("Cancelled"));
        assertThat(ask(ALICE, "DELETE", "/jobs/" + id, null).statusCode()).isEqualTo(204);
        json(ask(ALICE, "GET", "/jobs/" + id, null), 404);
    }

    @Test
    void aJobIsTakenAndWrittenInTheLanguageOfGram() throws Exception {
        String jdd = "<job><executable>/bin/echo</executable><argument>${GLOBUS_USER_NAME}</argument>"
                + "<holdState>Pending</holdState></job>";
        JsonNode job = json(ask(ALICE, "POST", "/jobs", jdd, "Content-Type", "application/jdd+xml"), 201);
        String path = "/jobs/" + job.get("id").asString() + "/description";
        assertThat(json(ask(ALICE, "GET", path, null), 200).at("/arguments/0").asString())
                .isEqualTo("alice");
        assertThat(ask(ALICE, "GET", path, null, "Accept", "application/jdd+xml")
                        .body())
                .contains(">/bin/echo</desc:executable>", ">Pending</types:holdState>");
        JsonNode wrong = json(ask(ALICE, "POST", "/jobs", "<job/>", "Content-Type", "text/xml"), 400);
        assertThat(wrong.at("/attribute").asString()).isEqualTo("executable");
    }

    @Test
    void aJobIsTakenInTheLanguagesOfArc() throws Exception {
        String adl = "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'><Application><Executable>"
                + "<Path>/bin/echo</Path><Argument>a b</Argument></Executable></Application></ActivityDescription>";
        JsonNode first = json(ask(ALICE, "POST", "/jobs", adl, "Content-Type", "text/xml"), 201);
        JsonNode second = json(
                ask(
                        ALICE,
                        "POST",
                        "/jobs",
                        "&(executable=/bin/echo)(arguments='a b')",
                        "Content-Type",
                        "application/xrsl"),
                201);
        for (JsonNode job : List.of(first, second)) {
            String path = "/jobs/" + job.get("id").asString() + "/description";
            assertThat(json(ask(ALICE, "GET", path, null), 200)
                            .at("/arguments/0")
                            .asString())
                    .isEqualTo("a b");
            assertThat(ask(ALICE, "GET", path, null, "Accept", "application/adl+xml")
                            .body())
                    .contains("<Argument>a b</Argument>");
        }
    }

    @Test
    void aJobIsTakenAndWrittenInJsdl() throws Exception {
        String jsdl = "<JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/11/jsdl'"
                + " xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix' xmlns:jg='https://jobgate.org/ns/2026/jsdl'>"
                + "<JobDescription><Application><p:POSIXApplication><p:Executable>/bin/echo</p:Executable>%s"
                + "</p:POSIXApplication></Application><jg:Job><jg:HoldAt>PENDING</jg:HoldAt></jg:Job></JobDescription></JobDefinition>";
        String hello = jsdl.formatted("<p:Argument>hello</p:Argument>");
        for (String type : List.of("application/jsdl+xml", "application/xml")) {
            JsonNode job = json(ask(ALICE, "POST", "/jobs", hello, "Content-Type", type), 201);
            String path = "/jobs/" + job.get("id").asString() + "/description";
            assertThat(json(ask(ALICE, "GET", path, null), 200)
                            .at("/arguments/0")
                            .asString())
                    .isEqualTo("hello");
            assertThat(ask(ALICE, "GET", path, null, "Accept", "application/jsdl+xml")
                            .body())
                    .contains("<jsdl-posix:Argument>hello</jsdl-posix:Argument>");
        }
        String group = jsdl.formatted("<p:GroupName>wheel</p:GroupName>");
        JsonNode refused = json(ask(ALICE, "POST", "/jobs", group, "Content-Type", "application/jsdl+xml"), 422);
        assertThat(refused.at("/attribute").asString()).endsWith("/jsdl-posix:GroupName");
    }

    @Test
    void whatWasAcceptedIsThereAfterARestart() throws Exception {
        String id = json(ask(ALICE, "POST", "/jobs", HELD), 201).get("id").asString();
        service.close();
        state = StateDirectory.take(config.state().directory());
        open();
        assertThat(json(ask(ALICE, "GET", "/jobs/" + id, null), 200).get("lrm").asString())
                .isEqualTo("Fork");
    }

    @Test
    void aBodyOverTheLimitIsRefusedAsAProblem() throws Exception {
        HttpResponse<String> refused = ask(ALICE, "POST", "/jobs", "{\"executable\":\"" + "x".repeat(70_000) + "\"}");
        assertThat(json(refused, 413).get("detail").asString()).contains("limits.maxBodyBytes");
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    }
}
