// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
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
import java.util.stream.StreamSupport;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.tls.TestPki;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What administrators see and change of the whole service, over TLS. Jobs are held: there is no LRM that works. */
class RestAdministrationTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final TestPki.Credential ROOT = PKI.issue("CN=Root,O=Grid");
    private static final String ROOT_NAME = "/O=Grid/CN=Root";
    private static final String HELD = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}";

    @TempDir
    Path folder;

    private JobgateService service;

    @BeforeEach
    void start() throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, publicName: localhost, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { gridMapfile: map, administrators: [ "%s" ] }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                """.formatted(ROOT_NAME, folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        service = new JobgateService(
                ConfigurationFile.read(file, Map.of()), StateDirectory.take(folder.resolve("state")), Instant.now());
        service.start(folder);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private JsonNode ask(TestPki.Credential who, int status, String method, String path, @Nullable String json)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + service.port("rest") + "/api/v1" + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestPki.client(who)).build()) {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(status);
            return new JsonMapper().readTree(response.body());
        }
    }

    private JsonNode look(String path) throws Exception {
        return ask(ROOT, 200, "GET", "/admin" + path, null);
    }

    private static JsonNode named(JsonNode list, String name) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(one -> one.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAdministratorSeesTheGatewayAndChangesItAndWhatWasDoneIsOnRecord() throws Exception {
        String id = ask(ALICE, 201, "POST", "/jobs", HELD).get("id").asString();
        JsonNode status = look("/status");
        assertThat(status.propertyNames())
                .as("all that is told")
                .containsExactlyInAnyOrder(
                        "state", "version", "pid", "startedAt", "url", "liveJobs", "health", "jobs", "storeBytes");
        assertThat(status.get("state").asString()).isEqualTo("running");
        assertThat(status.get("storeBytes").asLong()).isPositive();
        assertThat(StreamSupport.stream(status.get("jobs").spliterator(), false)
                        .mapToLong(JsonNode::asLong)
                        .sum())
                .isOne();
        assertThat(look("/figures").get("everySeconds").asInt()).isEqualTo(10);
        JsonNode owners = look("/owners");
        assertThat(owners.get("jobs").asLong()).isOne();
        assertThat(owners.get("maxJobsPerOwner").asLong()).isGreaterThan(1);
        assertThat(owners.at("/owners/0").toString())
                .isEqualTo("{\"subject\":\"/O=Grid/CN=Alice\",\"jobs\":1,\"active\":0,\"arrays\":0}");
        ask(ROOT, 400, "GET", "/admin/owners?limit=1001", null);
        ask(ALICE, 403, "GET", "/admin/owners", null);
        assertThat(look("/jobs?limit=1").at("/jobs/0/id").asString()).isEqualTo(id);
        assertThat(look("/jobs/" + id).at("/subject").asString()).isEqualTo("/O=Grid/CN=Alice");
        ask(ROOT, 400, "GET", "/admin/jobs?limit=1001", null);

        int workers =
                named(look("/pools").get("pools"), "submit").get("workers").asInt() + 1;
        ask(ROOT, 200, "POST", "/admin/pools/submit", "{\"workers\": " + workers + "}");
        assertThat(named(look("/pools").get("pools"), "submit").get("workers").asInt())
                .isEqualTo(workers);
        ask(ROOT, 200, "POST", "/admin/lrms/Fork", "{\"maxJobs\": 7, \"pollInterval\": \"9s\"}");
        JsonNode throttle = named(look("/lrms").get("lrms"), "Fork").get("throttle");
        assertThat(throttle.get("maxJobs").asInt()).isEqualTo(7);
        assertThat(throttle.get("pollInterval").asString()).isEqualTo("9s");
        ask(ROOT, 400, "POST", "/admin/lrms/Fork", "{\"batchLimit\": 0}");
        ask(ROOT, 404, "POST", "/admin/pools/nothing", "{\"workers\": 1}");

        assertThat(ask(ROOT, 200, "POST", "/admin/drain", null).get("state").asString())
                .isEqualTo("draining");
        ask(ALICE, 503, "POST", "/jobs", HELD);
        assertThat(ask(ROOT, 200, "POST", "/admin/resume", null).get("state").asString())
                .isEqualTo("running");
        ask(ROOT, 200, "POST", "/admin/jobs/" + id + "/cancel", "{\"reason\": \"the <b>disk</b> is full\"}");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ask(ALICE, 200, "GET", "/jobs/" + id + "?wait=5", null)
                        .get("state")
                        .asString()
                        .equals("Cancelled"));
        assertThat(ask(ALICE, 200, "GET", "/jobs/" + id, null)
                        .at("/fault/sentence")
                        .asString())
                .contains("the <b>disk</b> is full");

        List<String> acts = StreamSupport.stream(
                        ask(ROOT, 200, "GET", "/audit/acts", null).get("acts").spliterator(), false)
                .map(act -> act.get("who").asString() + ": " + act.get("what").asString() + " "
                        + act.path("job").asString(""))
                .toList();
        assertThat(acts)
                .as("newest first")
                .containsExactly(
                        ROOT_NAME + ": REST /jobs/" + id + "/cancel {reason=the <b>disk</b> is full} " + id,
                        ROOT_NAME + ": REST /resume ",
                        ROOT_NAME + ": REST /drain ",
                        ROOT_NAME + ": REST /pools/nothing {workers=1}: refused, NOT_FOUND ",
                        ROOT_NAME + ": REST /pools/nothing {workers=1} ",
                        ROOT_NAME + ": REST /lrms/Fork {batchLimit=0}: refused, BAD_REQUEST ",
                        ROOT_NAME + ": REST /lrms/Fork {batchLimit=0} ",
                        ROOT_NAME + ": REST /lrms/Fork {maxJobs=7, pollInterval=9s} ",
                        ROOT_NAME + ": REST /pools/submit {workers=" + workers + "} ");
    }

    @Test
    void othersSeeAndChangeNothing() throws Exception {
        for (String path : List.of("status", "figures", "pools", "lrms", "jobs", "jobs/0123abcd")) {
            ask(ALICE, 403, "GET", "/admin/" + path, null);
        }
        for (String path : List.of("pools/submit", "lrms/Fork", "drain", "resume", "jobs/0123abcd/cancel")) {
            ask(ALICE, 403, "POST", "/admin/" + path, "{}");
        }
        for (String path : List.of("stop", "backup", "authz/explain", "restore")) {
            ask(ROOT, 404, "POST", "/admin/" + path, null);
        }
        assertThat(ask(ROOT, 200, "GET", "/audit/acts", null).get("acts")).isEmpty();
    }
}
