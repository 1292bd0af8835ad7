// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jobgate.access.Access;
import org.jobgate.access.AuditRecords;
import org.jobgate.access.Delegations;
import org.jobgate.access.Jobs;
import org.jobgate.access.Transfers;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.door.RestOfBodies;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.TrialTrees;
import org.jobgate.identity.Identity;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API before a real engine and store, with an LRM that does what the test says, and a client of it. */
abstract class ApiRoom {

    static final String ALICE = "/O=Grid/CN=Alice";
    static final String ADMINISTRATOR = "/O=Grid/CN=Root";
    static final String BOB = "/O=Grid/CN=Bob";
    static final String TRUE = "{\"executable\": \"/bin/true\"}";

    /** What a test waits for comes sooner, also where the machine stands still for some seconds. */
    static final Duration LONG = Duration.ofMinutes(2);

    private static final JsonMapper JSON = new JsonMapper();

    final FakeLrm lrm = new FakeLrm("Fork");
    final FakeLrm other = new FakeLrm("Slurm");
    final Map<String, Decision> decisions = new ConcurrentHashMap<>();

    /** What nobody may do, though the jobs are their own: as with a token that is for starting jobs only. */
    final Set<Action> forbidden = ConcurrentHashMap.newKeySet();

    /** When to come again for what is forbidden; absent where that does not help. */
    volatile @Nullable Later forbiddenUntil;

    final HttpClient client = HttpClient.newHttpClient();
    private Path folder;
    Server server;
    TrialTrees trees;
    JobStore store;
    JobEngine engine;
    ApiServlet servlet;

    /** What a test sets to change the limits. */
    JobLimits limits() {
        return JobLimits.defaults().with(new Limit("limits.maxJobsAtOnce", 100));
    }

    /** What a test sets to have credentials delegated. */
    @Nullable
    Delegations delegations() {
        return null;
    }

    /** What a test sets to have files moved. */
    @Nullable
    Transfers transfers() {
        return null;
    }

    /** What is on record of what administrators did. */
    final Queue<String> acts = new ConcurrentLinkedQueue<>();

    /** What a test sets to have something to administer. */
    Administration administration() {
        return new NothingToAdminister();
    }

    /** What a test sets to have jobs described in other languages. */
    JobLanguages languages() {
        return JobLanguages.NONE;
    }

    /** What a test sets to have files behave otherwise. */
    AccountTrees trees(TrialTrees real) {
        return real;
    }

    /** What a test sets to have the store behave otherwise. */
    JobStore store(JobStore real) {
        return real;
    }

    /** What is on record. */
    AuditRecords records() {
        return AuditRecords.NONE;
    }

    ApiSettings settings() {
        return new ApiSettings(
                "1.2.3",
                limits(),
                new Limit("api.maxListedJobs", 1_000),
                LONG,
                Duration.ofSeconds(1),
                LONG,
                new Limit("api.maxWaiting", 4),
                new Limit("api.maxWaitingPerOwner", 2),
                new Limit("api.maxFollowers", 3),
                new Limit("api.maxFollowersPerOwner", 2),
                new Limit("files.maxReaders", 8),
                new Limit("files.maxReadersPerOwner", 4),
                new Limit("files.maxFileSize", 100_000_000));
    }

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        decisions.put(ALICE, new Decision.Permit(List.of("alice", "project")));
        decisions.put(ADMINISTRATOR, new Decision.Permit(List.of("operator")));
        decisions.put(BOB, new Decision.Permit(List.of("bob")));
        this.folder = folder;
        this.trees = new TrialTrees(folder.resolve("trees"));
        serve();
    }

    /** Ends the engine and the store, and begins anew with what is on disk. */
    void restart() throws Exception {
        engine.endWaits();
        server.stop();
        engine.close();
        store.close();
        serve();
    }

    private void serve() throws Exception {
        store = store(TestStores.sqlite(folder));
        EngineSettings quick = new EngineSettings(
                2,
                2,
                2,
                2,
                2,
                100,
                Duration.ofMillis(100),
                Duration.ofMillis(200),
                Duration.ofDays(1),
                Duration.ofMillis(200));
        engine = new JobEngine(
                store,
                List.of(lrm, other),
                null,
                null,
                limits(),
                quick,
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        Access access = new Access(
                new Authorizer() {
                    @Override
                    public Decision decide(Identity identity) {
                        return decisions.getOrDefault(
                                identity.subject(), new Decision.Deny("nobody knows " + identity.subject()));
                    }

                    @Override
                    public Optional<Decision.Deny> objection(Identity identity, Action action) {
                        return forbidden.contains(action)
                                ? Optional.of(new Decision.Deny("its token is not for that", forbiddenUntil))
                                : Optional.empty();
                    }
                },
                Set.of(ADMINISTRATOR),
                (who, what, job) ->
                        acts.add(who + ": " + what + job.map(id -> " of " + id).orElse("")));
        servlet = new ApiServlet(
                access,
                new Jobs(engine),
                trees(trees),
                delegations(),
                transfers(),
                languages(),
                records(),
                administration(),
                settings(),
                Clock.systemUTC());
        server = opened();
    }

    /** A server as the container has it: requests on virtual threads; it decodes what a door asks it for, and leaves the address as it came. */
    private Server opened() throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool();
        threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        Server made = new Server(threads);
        made.addConnector(new ServerConnector(made));
        ServletContextHandler context = new ServletContextHandler("/");
        Filter identity = (request, response, chain) -> {
            jakarta.servlet.http.HttpServletRequest http = (jakarta.servlet.http.HttpServletRequest) request;
            String subject = http.getHeader("Subject");
            if (subject != null) {
                boolean isLimited = http.getHeader("Limited") != null;
                request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity(subject, "test", isLimited));
            }
            chain.doFilter(request, response);
        };
        context.addFilter(new FilterHolder(identity), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(servlet), ApiServlet.PATH + "/*");
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        ((ServerConnector) made.getConnectors()[0])
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.DEFAULT.with(
                        "NAMES",
                        UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                        UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT,
                        UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                        UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
                        UriCompliance.Violation.BAD_UTF8_ENCODING,
                        UriCompliance.Violation.TRUNCATED_UTF8_ENCODING));
        made.setHandler(new RestOfBodies(context));
        made.start();
        return made;
    }

    @AfterEach
    void stop() throws Exception {
        engine.endWaits();
        server.stop();
        client.close();
        engine.close();
        store.close();
    }

    int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port() + ApiServlet.PATH + path))
                .timeout(LONG);
        return headers.length == 0 ? builder : builder.headers(headers);
    }

    /** An answer, and its content as JSON. */
    record Answer(int status, HttpResponse<byte[]> response) {

        String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return JSON.readTree(response.body());
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        String at(String pointer) {
            return json().at(pointer).asString("");
        }

        /** A problem document of this status and code. */
        Answer isProblem(int expected, String code) {
            assertThat(status).as(this::text).isEqualTo(expected);
            assertThat(header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(at("/code")).isEqualTo(code);
            assertThat(json().at("/status").asInt()).isEqualTo(expected);
            assertThat(at("/detail")).endsWith(".").doesNotContain("Exception", "org.jobgate", "tools.jackson");
            assertThat(at("/title")).isNotEmpty();
            assertThat(at("/type")).startsWith("https://jobgate.org/problems/");
            assertThat(json().has("remedy")).isTrue();
            return this;
        }

        Answer is(int expected) {
            assertThat(status).as(this::text).isEqualTo(expected);
            return this;
        }
    }

    Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        // a connection of its own: the server may end one whose body it left unread, just as the next request is sent
        try (HttpClient own = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> response = own.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response);
        }
    }

    Answer get(String subject, String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).header("Subject", subject));
    }

    Answer post(String subject, String path, String json, String... headers) throws IOException, InterruptedException {
        return post(subject, path, json.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer post(String subject, String path, byte[] json, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers)
                .header("Subject", subject)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json)));
    }

    /** An order without content. */
    Answer order(String subject, String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).header("Subject", subject).POST(BodyPublishers.noBody()));
    }

    Answer delete(String subject, String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).header("Subject", subject).DELETE());
    }

    /** The id of a new job of this subject. */
    String submit(String subject, String json) throws IOException, InterruptedException {
        return post(subject, "/jobs", json).is(201).at("/id");
    }

    void awaitInLrm(String id) {
        await().atMost(Duration.ofMinutes(1)).until(() -> lrm.knows(JobId.parse(id)));
        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        !store.find(JobId.parse(id)).orElseThrow().localIds().isEmpty());
    }

    /** Runs it to its end. */
    void finish(String id, int exitCode) {
        awaitInLrm(id);
        lrm.start(JobId.parse(id));
        lrm.end(JobId.parse(id), exitCode);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> store.find(JobId.parse(id)).orElseThrow().state().isTerminal());
    }
}
