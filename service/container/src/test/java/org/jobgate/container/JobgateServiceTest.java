// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole service with its real store, as the administrator meets it over the socket. No job reaches an LRM: the account does not
 * exist, so its worker cannot start and the health is rightly unwell as soon as that is noticed.
 */
class JobgateServiceTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");

    @TempDir
    Path folder;

    private JobgateConfig config;
    private StateDirectory state;
    private JobgateService service;
    private final Job held = heldJob(1, "first");

    /** Held before its files are fetched, so that it stays, and no LRM is asked about it. */
    private static Job heldJob(int random, String clientId) {
        return Job.create(
                        JobId.create(Clock.systemUTC(), new Random(random)),
                        new SubmissionKey("/O=Grid/CN=Alice", "test", clientId),
                        "trial",
                        new Owner("/O=Grid/CN=Alice", "alice"),
                        "Fork",
                        JobState.STAGE_IN,
                        Instant.now(),
                        null)
                .withState(JobState.STAGE_IN)
                .withHolding(true);
    }

    @BeforeEach
    void start() throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 10s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        config = ConfigurationFile.read(file, Map.of());
        state = StateDirectory.take(config.state().directory());
        startWith(held);
    }

    private void startWith(Job job) throws IOException {
        try (JobStore store = JobStores.open(Stores.settings(config.store(), state.path()), Clock.systemUTC())) {
            store.create(new NewJob(job, JobDescription.of("/bin/true"), List.of()))
                    .join();
        }
        service = new JobgateService(config, state, Instant.now());
        service.start(folder);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private record Answer(int status, JsonNode body) {}

    private Answer ask(String method, String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(state.adminSocket()));
            channel.write(ByteBuffer.wrap(
                    (method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII)));
            String text = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            int body = text.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(text.substring(9, 12)), new JsonMapper().readTree(text.substring(body)));
        }
    }

    private Answer explain(String query, String body) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(state.adminSocket()));
            channel.write(ByteBuffer.wrap(("POST /authz/explain?" + query
                            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + body.length()
                            + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII)));
            String text = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(
                    Integer.parseInt(text.substring(9, 12)),
                    new JsonMapper().readTree(text.substring(text.indexOf("\r\n\r\n"))));
        }
    }

    @Test
    void theAuthorizationOfOneWhoMayIsExplained() throws IOException {
        TestPki.write(folder.resolve("alice.pem"), (Object[])
                PKI.issue("CN=Alice,O=Grid").chain());

        Answer alice = explain("action=submit", Files.readString(folder.resolve("alice.pem")));
        assertThat(text(alice, "decision")).isEqualTo("permit");
        assertThat(text(alice, "by")).isEqualTo("grid-mapfile");
        assertThat(alice.body().path("accounts").get(0).asString("")).isEqualTo("alice");
    }

    @Test
    void theNearestRuleOfOneWhoMayNotIsTold() throws IOException {
        Answer alicia = explain("action=submit&subject=%2FO%3DGrid%2FCN%3DAlicia", "");
        assertThat(text(alicia, "decision")).isEqualTo("deny");
        assertThat(alicia.body().path("points").toString()).contains("the nearest line is of", "/O=Grid/CN=Alice");
        assertThat(text(explain("action=query&subject=%2FO%3DGrid%2FCN%3DAlicia", ""), "by"))
                .isEqualTo("owner");
    }

    @Test
    void aCredentialThatWouldBeRefusedIsExplainedToo() throws IOException {
        TestPki other = new TestPki("CN=Other CA,O=Grid");
        TestPki.write(folder.resolve("eve.pem"), (Object[])
                other.issue("CN=Alice,O=Grid").chain());

        Answer eve = explain("action=submit", Files.readString(folder.resolve("eve.pem")));
        assertThat(text(eve, "decision")).isEqualTo("refused");
        assertThat(text(eve, "reason")).startsWith("The credential is not accepted: ");
        assertThat(explain("action=fly", "").status()).isEqualTo(400);
        assertThat(explain("action=submit", "").status()).isEqualTo(400);
    }

    private String text(Answer answer, String... path) {
        JsonNode node = answer.body();
        for (String name : path) {
            node = node.path(name);
        }
        return node.asString("");
    }

    @Test
    void theSocketIsTheServicesOwn() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.adminSocket())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void theStatusTellsTheChosenPort() throws IOException {
        Answer status = ask("GET", "/status");
        assertThat(text(status, "state")).isEqualTo("running");
        assertThat(text(status, "url")).matches("https://localhost:[1-9][0-9]+/wsrf/services");
        assertThat(status.body().path("liveJobs").asInt()).isEqualTo(1);
        assertThat(status.body().path("pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void jobsAreListedByWhatIsAskedFor() throws IOException {
        assertThat(ask("GET", "/jobs").body().path("jobs")).hasSize(1);
        assertThat(ask("GET", "/jobs?state=StageIn&account=alice").body().path("jobs"))
                .hasSize(1);
        assertThat(ask("GET", "/jobs?subject=%2FO%3DGrid%2FCN%3DAlice").body().path("jobs"))
                .hasSize(1);
        assertThat(ask("GET", "/jobs?state=Pending").body().path("jobs")).isEmpty();
        assertThat(ask("GET", "/jobs?account=bob").body().path("jobs")).isEmpty();
        assertThat(ask("GET", "/jobs?after=" + held.id()).body().path("jobs")).isEmpty();
    }

    @Test
    void aJobIsShownWithItsDescriptionAndItsChanges() throws IOException {
        Answer job = ask("GET", "/jobs/" + held.id());
        assertThat(text(job, "state")).isEqualTo("StageIn");
        assertThat(text(job, "clientId")).isEqualTo("first");
        assertThat(text(job, "description", "executable")).isEqualTo("/bin/true");
        assertThat(job.body().path("changes")).isNotEmpty();
    }

    @Test
    void aPartOfAnIdIsEnoughWhereItFitsOneJobOnly() throws IOException {
        String id = held.id().toString();
        for (String part : List.of(
                id.substring(0, 8), id.substring(28), id.substring(30).toUpperCase(Locale.ROOT), id.substring(22))) {
            assertThat(text(ask("GET", "/jobs/" + part), "id")).as(part).isEqualTo(id);
        }
        assertThat(ask("GET", "/jobs?after=" + id.substring(28)).body().path("jobs"))
                .isEmpty();
        assertThat(ask("GET", "/jobs/" + id.substring(33)).status()).isEqualTo(400);
        assertThat(text(ask("GET", "/jobs/" + id.substring(33)), "error", "sentence"))
                .contains("at least four digits");
        assertThat(ask("GET", "/jobs/ffffffff").status()).isEqualTo(404);

        Job later = heldJob(2, "second");
        JobId other = later.id();
        service.close();
        state = StateDirectory.take(config.state().directory());
        startWith(later);
        Answer both = ask("GET", "/jobs/" + id.substring(0, 6));
        assertThat(both.status()).isEqualTo(409);
        assertThat(text(both, "error", "sentence")).contains("2 jobs", other.toString() + ", " + id);
        assertThat(ask("GET", "/jobs")
                        .body()
                        .path("jobs")
                        .valueStream()
                        .map(job -> job.path("id").asString()))
                .containsExactly(other.toString(), id);
        assertThat(ask("POST", "/jobs/" + id.substring(28) + "/cancel").status())
                .isEqualTo(200);
        assertThat(text(ask("GET", "/jobs/" + id), "fault", "code")).isEqualTo("CANCELLED_BY_ADMINISTRATOR");
    }

    @Test
    void theAdministratorCancelsAnyJobAndTheReasonIsKept() throws IOException {
        assertThat(ask("POST", "/jobs/" + held.id() + "/cancel?reason=maintenance")
                        .status())
                .isEqualTo(200);
        Answer job = ask("GET", "/jobs/" + held.id());
        assertThat(text(job, "fault", "code")).isEqualTo("CANCELLED_BY_ADMINISTRATOR");
        assertThat(text(job, "fault", "sentence")).contains("maintenance");
    }

    @Test
    void theThrottlesOfAnLrmAreShownAndChangedAtOnce() throws IOException {
        Answer lrms = ask("GET", "/lrms");
        assertThat(lrms.body().path("lrms").path(0).path("name").asString()).isEqualTo("Fork");
        assertThat(lrms.body()
                        .path("lrms")
                        .path(0)
                        .path("throttle")
                        .path("pollInterval")
                        .asString())
                .isEqualTo("5s");
        Answer changed = ask("POST", "/lrms/Fork?maxJobs=7&maxJobsPerOwner=3&pollInterval=2s");
        assertThat(changed.status()).isEqualTo(200);
        Answer shown = ask("GET", "/lrms/Fork");
        assertThat(shown.body().path("throttle").path("maxJobs").asInt()).isEqualTo(7);
        assertThat(shown.body().path("throttle").path("maxJobsPerOwner").asInt())
                .isEqualTo(3);
        assertThat(shown.body().path("throttle").path("batchLimit").asInt()).isEqualTo(100);
        assertThat(text(shown, "throttle", "pollInterval")).isEqualTo("2s");
        assertThat(shown.body().path("jobs").asInt(-1)).isZero();
    }

    @Test
    void whatNoThrottleCanBeIsRefusedAndChangesNothing() throws IOException {
        for (String wrong :
                List.of("batchLimit=0", "maxJobs=-1", "maxJobs=many", "pollInterval=5", "pollInterval=1ms", "")) {
            Answer answer = ask("POST", "/lrms/Fork?" + wrong);
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(text(answer, "error", "sentence")).as(wrong).isNotEmpty();
        }
        assertThat(text(ask("GET", "/lrms/Fork"), "throttle", "pollInterval")).isEqualTo("5s");
        assertThat(text(ask("GET", "/lrms/None"), "error", "remedy")).contains("Fork");
    }

    @Test
    void whatCannotBeDoneIsSaidWithItsRemedy() throws IOException {
        JobId other = JobId.create(Clock.systemUTC(), new Random(2));
        assertThat(ask("GET", "/jobs/" + other).status()).isEqualTo(404);
        assertThat(text(ask("GET", "/jobs/" + other), "error", "sentence")).contains(other.toString());
        assertThat(ask("GET", "/jobs/nonsense").status()).isEqualTo(400);
        assertThat(ask("GET", "/jobs?limit=0").status()).isEqualTo(400);
        assertThat(text(ask("GET", "/jobs?state=Happy"), "error", "remedy")).contains("StageIn");
        assertThat(ask("GET", "/nowhere").status()).isEqualTo(404);
        assertThat(ask("GET", "/drain").status()).isEqualTo(404);
        assertThat(text(ask("POST", "/pools/none?workers=3"), "error", "remedy"))
                .contains("submit");
        assertThat(ask("POST", "/pools/submit?workers=0").status()).isEqualTo(400);
        assertThat(ask("POST", "/pools/submit").status()).isEqualTo(400);
    }

    @Test
    void poolsAreResizedWhileTheServiceRuns() throws IOException {
        assertThat(ask("POST", "/pools/submit?workers=7").body().path("workers").asInt())
                .isEqualTo(7);
        assertThat(ask("GET", "/pools").body().path("pools")).anySatisfy(pool -> {
            assertThat(pool.path("name").asString("")).isEqualTo("submit");
            assertThat(pool.path("workers").asInt()).isEqualTo(7);
            assertThat(pool.path("waiting").isNumber()).isTrue();
        });
    }

    @Test
    void aDrainIsShownAndTakenBack() throws IOException {
        assertThat(text(ask("POST", "/drain"), "state")).isEqualTo("draining");
        assertThat(text(ask("GET", "/status"), "state")).isEqualTo("draining");
        assertThat(text(ask("POST", "/resume"), "state")).isEqualTo("running");
    }

    @Test
    void anOrderedStopEndsEverythingAndLetsTheNextOneStart() throws Exception {
        assertThat(ask("POST", "/stop").status()).isEqualTo(200);
        service.awaitStopped();
        assertThat(state.adminSocket()).doesNotExist();
        assertThat(state.path().resolve("jobgate.pid")).isEmptyFile();
        state = StateDirectory.take(config.state().directory());
        service = new JobgateService(config, state, Instant.now());
        service.start(folder);
        assertThat(text(ask("GET", "/jobs/" + held.id()), "state")).isEqualTo("StageIn");
    }

    /** jobgate stop once got the end of the stream instead of an answer: the socket was closed while it was being written. */
    @Test
    void theOrderToStopIsAnsweredBeforeTheSocketIsClosed() throws Exception {
        for (int i = 0; i < 10; i++) {
            Answer answer = ask("POST", "/stop");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(text(answer, "state")).isIn("running", "stopping");
            service.awaitStopped();
            state = StateDirectory.take(config.state().directory());
            service = new JobgateService(config, state, Instant.now());
            service.start(folder);
        }
    }

    @Test
    void aStartThatFailsLeavesNothingBehind() throws IOException {
        service.close();
        Path key = folder.resolve("key.pem");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        state = StateDirectory.take(config.state().directory());
        JobgateService failing = new JobgateService(config, state, Instant.now());
        assertThatThrownBy(() -> failing.start(folder))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("chmod 600");
        assertThat(state.path().resolve("jobgate.pid")).isEmptyFile();
        assertThat(state.adminSocket()).doesNotExist();
    }

    @Test
    void whoWaitsForAChangeIsAnsweredByTheStop() throws Exception {
        Generation generation = Generation.GT42;
        String message = """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>
                <w:Wait xmlns:w="https://jobgate.org/ns/2026/wait" timeoutMs="120000" state="StageIn"/>
                <r:ResourceID xmlns:r="%s">%s</r:ResourceID></s:Header><s:Body>
                <GetResourceProperty xmlns="%s" xmlns:t="%s/types">t:state</GetResourceProperty></s:Body></s:Envelope>
                """.formatted(generation.gram(), held.id(), generation.wsrp(), generation.gram());
        try (HttpClient alice = HttpClient.newBuilder()
                .sslContext(TestPki.client(PKI.issue("CN=Alice,O=Grid")))
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            CompletableFuture<HttpResponse<String>> answer = alice.sendAsync(
                    HttpRequest.newBuilder(URI.create(service.url() + "/ManagedExecutableJobService"))
                            .header("Content-Type", "text/xml")
                            .header("SOAPAction", "\"\"")
                            .POST(HttpRequest.BodyPublishers.ofString(message))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            HttpRequest load = HttpRequest.newBuilder(URI.create(service.url()).resolve("/metrics"))
                    .build();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> alice.send(load, HttpResponse.BodyHandlers.ofString())
                            .body()
                            .contains("jobgate_http_active 2.0")); // this one too

            service.close();

            assertThat(answer.get(1, TimeUnit.MINUTES).body()).contains("StageIn");
        }
    }

    @Test
    void jobsAreRecordedForTheAuditAndTheRecordsAreProven() throws Exception {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> ask("GET", "/audit/jobs/" + held.id()).status() == 200);
        JsonNode job = ask("GET", "/audit/jobs/" + held.id()).body();
        assertThat(job.path("subject").asString()).isEqualTo("/O=Grid/CN=Alice");
        assertThat(job.path("grid_id").asString())
                .startsWith("https://")
                .contains("/wsrf/services/ManagedExecutableJobService?");
        assertThat(job.path("description").asString()).contains("<desc:executable", "/bin/true");
        assertThat(ask("GET", "/audit/jobs?since=2026-01-01T00:00:00Z&subject=%2FO%3DGrid%2FCN%3DAlice")
                        .body()
                        .path("jobs")
                        .size())
                .isOne();
        assertThat(ask("GET", "/audit/jobs?since=yesterday").status()).isEqualTo(400);
        assertThat(ask("GET", "/audit/jobs/00000000-0000-0000-0000-000000000000")
                        .status())
                .isEqualTo(404);
        JsonNode finding = ask("GET", "/audit/verify").body();
        assertThat(finding.has("fault")).isFalse();
        assertThat(finding.path("jobs").intValue()).isOne();
    }
}
