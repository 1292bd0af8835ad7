// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.adl.ActivityRules;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContexts;
import org.jobgate.door.DoorHost;
import org.jobgate.door.ServletMount;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.identity.Identity;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.rest.files.FileDoorSettings;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The door before a real engine and store, with an LRM that does what the test says, files on the disk, and a client. */
abstract class ArcRoom {

    static final String ALICE = "/O=Grid/CN=Alice";
    static final String BOB = "/O=Grid/CN=Bob";
    static final String SLEEP = adl("<Executable><Path>/bin/sleep</Path><Argument>1</Argument></Executable>", "");

    private static final JsonMapper JSON = new JsonMapper();

    final FakeLrm lrm = new FakeLrm("Fork");

    /** What nobody may do, though the jobs are their own: as with a token that is for starting jobs only. */
    final Set<Action> forbidden = ConcurrentHashMap.newKeySet();

    private final HttpClient client = HttpClient.newHttpClient();
    private Path folder;
    private DoorHost host;
    private ArcDoor door;
    JobStore store;
    JobEngine engine;

    /** A description with these elements of Application and DataStaging. */
    static String adl(String application, String staging) {
        return "<?xml version=\"1.0\"?><ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application>"
                + application + "</Application><DataStaging>" + staging + "</DataStaging></ActivityDescription>";
    }

    static ArcSettings settings(Duration inputWait) {
        return settings(inputWait, Duration.ofMinutes(15), 1_000_000);
    }

    private static ArcSettings settings(Duration inputWait, Duration keepCleaned, long idListBytes) {
        return new ArcSettings(
                "1.2.3",
                "sessions",
                inputWait,
                keepCleaned,
                new Limit("arc.maxIdList", idListBytes),
                10,
                new FileDoorSettings(
                        new Limit("files.maxReaders", 8),
                        new Limit("files.maxReadersPerOwner", 8),
                        Duration.ofSeconds(1),
                        new FileDoorSettings.Uploads(
                                new Limit("files.maxFileSize", 1_000_000),
                                new Limit("files.maxUploadBytesPerJob", 2_000_000),
                                new Limit("files.maxUploadsPerJob", 10))));
    }

    /** What a test sets to have files come late. */
    Duration inputWait() {
        return Duration.ofHours(1);
    }

    /** What a test sets to have cleaned jobs go earlier. */
    Duration keepCleaned() {
        return Duration.ofMinutes(15);
    }

    /** What a test sets to send longer lists of jobs. */
    long idListBytes() {
        return 1_000_000;
    }

    /** What a test sets to have runtime environments at the site. */
    RuntimeEnvironments environments() {
        return RuntimeEnvironments.NONE;
    }

    /** What a test sets to have credentials delegated. */
    @Nullable
    Delegations delegations() {
        return null;
    }

    /** What a test sets to have something happen between a question to the engine and its answer. */
    JobsBySubject jobs(JobEngine real) {
        return real;
    }

    /** What a test sets to have files behave otherwise. */
    DiskFiles files() {
        return new DiskFiles();
    }

    @BeforeEach
    void open(@TempDir Path temporary) throws Exception {
        folder = temporary;
        begin();
    }

    private void begin() throws Exception {
        store = TestStores.sqlite(folder);
        engine = new JobEngine(
                store,
                List.of(lrm, new FakeLrm("Slurm")),
                null,
                null,
                JobLimits.defaults(),
                EngineSettings.defaults(),
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        host = new DoorHost();
        DiskFiles files = files();
        DoorContexts contexts = DoorContexts.at(host.url());
        Delegations delegations = delegations();
        if (delegations != null) {
            contexts.delegations(delegations);
        }
        door = new ArcDoor(
                settings(inputWait(), keepCleaned(), idListBytes()),
                new ActivityRules(
                        JobLimits.defaults(),
                        ActivityRules.MEMORY_FLOOR_MIB,
                        false,
                        true,
                        environments(),
                        Clock.systemUTC()),
                account -> folder + "/" + account,
                contexts.access(new Access(new Authorizer() {
                            @Override
                            public Decision decide(Identity identity) {
                                return new Decision.Permit(
                                        List.of(identity.subject().substring(11)));
                            }

                            @Override
                            public Optional<Decision.Deny> objection(Identity identity, Action action) {
                                return forbidden.contains(action)
                                        ? Optional.of(new Decision.Deny("it needs one of [compute.modify]"))
                                        : Optional.empty();
                            }
                        }))
                        .jobs(jobs(engine))
                        .store(store)
                        .files(files)
                        .make());
        host.start(door, mount -> ((ServletMount) mount).servlet());
        door.start();
    }

    /** Ends the service without a word, and begins anew with what is on disk. */
    void restart() throws Exception {
        end();
        begin();
    }

    /** From now on no new job can be written; all that is there can be read. */
    void refuseNewJobs() throws Exception {
        inDatabase("CREATE TRIGGER no_jobs BEFORE INSERT ON job_description BEGIN SELECT RAISE(ABORT, 'no room'); END");
    }

    /** From now on no session that is there can be written anew, until {@link #letSessionsChange}. */
    void refuseChangesOfSessions() throws Exception {
        inDatabase("CREATE TRIGGER no_sessions BEFORE UPDATE ON door_record WHEN NEW.kind = '" + SessionRecords.OF_JOB
                + "' BEGIN SELECT RAISE(ABORT, 'no room'); END");
    }

    void letSessionsChange() throws Exception {
        inDatabase("DROP TRIGGER no_sessions");
    }

    private void inDatabase(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("jobgate.db"));
                Statement all = connection.createStatement()) {
            all.execute(statement);
        }
    }

    private void end() throws Exception {
        engine.endWaits();
        host.close();
        door.close();
        engine.stop(Duration.ofSeconds(5));
        store.close();
    }

    @AfterEach
    void close() throws Exception {
        end();
        client.close();
    }

    HttpResponse<String> askAs(String subject, String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(host.url() + "/arex/rest" + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, BodyPublishers.ofString(body));
        if (!subject.isEmpty()) {
            request.header(DoorHost.SUBJECT, subject);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Alice's request, whose answer is read while it comes. */
    HttpResponse<InputStream> follow(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(host.url() + "/arex/rest/1.1" + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, BodyPublishers.noBody())
                .header(DoorHost.SUBJECT, ALICE)
                .headers(headers)
                .build();
        return client.send(request, BodyHandlers.ofInputStream());
    }

    /** Alice asks for the states of jobs by a list of unknown length, of which this is the beginning; what follows is the caller's. */
    Socket askInPieces(String beginning) throws IOException {
        URI url = URI.create(host.url());
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(60_000);
        String head =
                "POST /arex/rest/1.1/jobs?action=status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + DoorHost.SUBJECT
                        + ": " + ALICE + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        socket.getOutputStream().write((head + chunk(beginning)).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    /** Ends the list and answers the status line. */
    static String ended(Socket socket, String end) throws IOException {
        socket.getOutputStream().write((chunk(end) + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    HttpResponse<String> ask(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        return askAs(ALICE, method, "/1.1" + path, body, headers);
    }

    JsonNode json(String method, String path, String body) throws IOException, InterruptedException {
        String type = body.startsWith("{") ? "application/json" : "application/xml";
        return JSON.readTree(ask(method, path, body, "Accept", "application/json", "Content-Type", type)
                .body());
    }

    JobId submit(String description) throws IOException, InterruptedException {
        JsonNode job = json("POST", "/jobs?action=new", description).get("job").get(0);
        return JobId.parse(requireNonNull(job.get("id"), job.toString()).asString());
    }

    static String ids(Object... ids) {
        return JSON.writeValueAsString(Map.of(
                "job",
                java.util.Arrays.stream(ids)
                        .map(id -> Map.of("id", id.toString()))
                        .toList()));
    }

    /** The one answer for one job. */
    JsonNode act(String action, Object id) throws IOException, InterruptedException {
        return json("POST", "/jobs?action=" + action, ids(id)).get("job").get(0);
    }

    String state(JobId id) throws IOException, InterruptedException {
        return act("status", id).get("state").asString();
    }

    Path sessions() {
        return folder.resolve("Alice/sessions");
    }
}
