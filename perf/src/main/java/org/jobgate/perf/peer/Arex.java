// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.Tls;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * ARC's A-REX ({@code docker/lab/arex}) by its REST interface on one keep-alive connection: it is spared the start of a client and, as the
 * state that the interface tells can be a minute old, its end is read from the job's own status file. There is the one that its packages set
 * up, and one whose fork back end waits nowhere for long, which no setting of A-REX does.
 */
public final class Arex implements Peer {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ASKED =
            "A-REX is asked by REST on one connection, without the start of a client, and its end is read from the job's status file: both in "
                    + "its favour. ";
    private static final String REST = "/arex/rest/1.1/";
    private static final int DEFAULT_PORT = 4437;
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration JOB_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration DELEGATED = Duration.ofHours(12);
    private static final long POLL_MS = 50;
    private static final Set<String> ENDS = Set.of("FINISHED", "FAILED", "KILLED", "WIPED", "DELETED");

    private final Kind kind;
    private final LabGrid grid;
    private final Path files;
    private @Nullable HttpsConnection connection;
    private @Nullable String shared;
    private @Nullable ProxySigner signer;

    /** How its back end is. */
    public enum Kind {
        /** As its packages set it up. */
        STOCK(
                "A-REX",
                "root",
                0,
                "docker/lab/arex up",
                "A-REX's stock fork back end looks for ended jobs every 10 to 20 s."),
        /** With the lab's changes of its scripts. */
        TUNED(
                "A-REX tuned",
                "tuned",
                1,
                "JOBGATE_LAB_AREX_TUNED=1 docker/lab/arex up",
                "A-REX tuned is the same with its fork back end's scripts changed, which no setting does: they look for ended jobs five times "
                        + "a second.");

        private final String name;
        private final String place;
        private final int portOffset;
        private final String bringUp;
        private final String backEnd;

        Kind(String name, String place, int portOffset, String bringUp, String backEnd) {
            this.name = name;
            this.place = place;
            this.portOffset = portOffset;
            this.bringUp = bringUp;
            this.backEnd = backEnd;
        }

        /** What its figures owe to its back end, in a sentence. */
        public String backEnd() {
            return backEnd;
        }
    }

    /**
     * One of the lab's.
     *
     * @param files a directory of the lab's user that has a file {@code 10k}
     */
    public Arex(Kind kind, LabGrid grid, Path files) {
        this.kind = requireNonNull(kind, "kind is null");
        this.grid = requireNonNull(grid, "grid is null");
        this.files = requireNonNull(files, "files is null");
    }

    @Override
    public String name() {
        return kind.name;
    }

    /** What its option is called. */
    public String optionName() {
        return kind.name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** Where it listens, on the loopback interface. */
    public int port() {
        String stock = System.getenv("JOBGATE_LAB_AREX_PORT");
        return (stock == null ? DEFAULT_PORT : Integer.parseInt(stock)) + kind.portOffset;
    }

    private HttpsConnection connection() throws IOException, GeneralSecurityException {
        if (connection == null) {
            connection = new HttpsConnection(
                    Tls.context(Credential.read(grid.proxy()), grid.trustDirectory()),
                    "localhost",
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port()),
                    REQUEST_TIMEOUT);
        }
        return connection;
    }

    @Override
    public Optional<String> absence() {
        try {
            HttpReply reply = connection().get("/arex/rest");
            return reply.status() / 100 == 2
                    ? Optional.empty()
                    : Optional.of("it answered with HTTP status " + reply.status() + "; as root: " + kind.bringUp);
        } catch (IOException | GeneralSecurityException e) {
            return Optional.of(
                    "it does not answer on port " + port() + " (" + e.getMessage() + "); as root: " + kind.bringUp);
        }
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return "nordugrid-arc-arex " + Programs.packageVersion(directory(Kind.STOCK), "nordugrid-arc-arex");
    }

    private static Path directory(Kind kind) {
        return Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"))
                .resolve("arex")
                .resolve(kind.place);
    }

    /** The system of its own in which it runs. */
    public Path root() {
        return directory(Kind.STOCK);
    }

    /** Where it keeps what it knows of its jobs, which only root may read. */
    public Path controlDirectory() {
        return directory(kind).resolve("var/spool/arc/jobstatus");
    }

    @Override
    public boolean does(Work work) {
        return true;
    }

    @Override
    public void run(Work work, int number) throws IOException, InterruptedException, GeneralSecurityException {
        awaitEnd(submit(work, number));
    }

    /**
     * Reads all that it needs before the first job; it does not connect yet.
     *
     * @param shared id of the credential that jobs with a shared one use; null for one of its own
     */
    public void prepare(@Nullable String shared) throws IOException, GeneralSecurityException {
        this.shared = shared;
        connection();
        signer();
    }

    /**
     * Submits a job, with a delegation before it where it needs one of its own.
     *
     * @return its id
     * @throws IOException if it is refused
     */
    public String submit(Work work, int number) throws IOException, GeneralSecurityException {
        String credential = switch (work.delegation()) {
            case NONE -> "";
            case PER_JOB -> delegate();
            case SHARED -> shared();
        };
        String query = "jobs?action=new" + (credential.isEmpty() ? "" : "&delegation_id=" + credential);
        return created(expect("POST", query, "application/xml", description(work, number, credential), 201));
    }

    /**
     * The description of one job in the EMI activity description language: there each file can name its credential. Where an output file names
     * none, as in an xRSL with the credential in the query, A-REX 7.0.0 puts down the job's own without its kind, and then sends the
     * file without any.
     *
     * @param credential id of the delegation that moves the files; empty where there are none
     */
    String description(Work work, int number, String credential) {
        StringBuilder staging = new StringBuilder();
        if (work.in()) {
            staging.append("<InputFile><Name>in</Name>")
                    .append(place("Source", LabGrid.near(files.resolve("10k")), credential))
                    .append("</InputFile>");
        }
        if (work.out()) {
            staging.append("<OutputFile><Name>in</Name>")
                    .append(place("Target", LabGrid.far(files.resolve(kind + "-out." + number)), credential))
                    .append("</OutputFile>");
        }
        return "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">"
                + "<ActivityIdentification><Name>perf</Name></ActivityIdentification>"
                + "<Application><Executable><Path>/bin/true</Path></Executable></Application>"
                + (staging.isEmpty() ? "" : "<DataStaging>" + staging + "</DataStaging>")
                + "</ActivityDescription>";
    }

    private static String place(String element, String url, String credential) {
        return "<" + element + "><URI>" + url + "</URI><DelegationID>" + credential + "</DelegationID></" + element
                + ">";
    }

    private String shared() throws IOException, GeneralSecurityException {
        if (shared == null) {
            shared = delegate();
        }
        return shared;
    }

    private ProxySigner signer() throws IOException, GeneralSecurityException {
        if (signer == null) {
            signer = new ProxySigner(Credential.read(grid.proxy()), Clock.systemUTC());
        }
        return signer;
    }

    /**
     * Delegates a credential.
     *
     * @return its id
     */
    public String delegate() throws IOException, GeneralSecurityException {
        HttpReply asked = expect("POST", "delegations?action=new", "application/json", "", 201);
        String location = asked.headers().getOrDefault("location", "");
        String id = location.substring(location.lastIndexOf('/') + 1);
        if (id.isEmpty()) {
            throw new IOException("A-REX answered a delegation without its location");
        }
        String chain = ProxySigner.pem(signer().sign(ProxySigner.keyOf(asked.body()), DELEGATED));
        expect("PUT", "delegations/" + id, "application/x-pem-file", chain, 200);
        return id;
    }

    private HttpReply expect(String method, String path, String type, String body, int status)
            throws IOException, GeneralSecurityException {
        HttpReply reply = connection().send(method, REST + path, type, body);
        if (reply.status() != status) {
            throw new IOException("A-REX answered " + method + " " + path + " with HTTP status " + reply.status() + ": "
                    + reply.body());
        }
        return reply;
    }

    /** The id in the reply to a submission; a refusal comes as a status code in it. */
    static String created(HttpReply reply) throws IOException {
        try {
            JsonNode job = JSON.readTree(reply.body()).path("job");
            JsonNode first = job.isArray() ? job.path(0) : job;
            if (first.path("status-code").asString("").equals("201")) {
                return first.path("id").asString();
            }
        } catch (JacksonException e) {
            throw new IOException("A-REX answered a submission without JSON: " + reply.body(), e);
        }
        throw new IOException("A-REX refused a job: " + reply.body());
    }

    private void awaitEnd(String id) throws IOException, InterruptedException, GeneralSecurityException {
        long begin = System.nanoTime();
        while (true) {
            HttpReply reply = connection().get(REST + "jobs/" + id + "/diagnose/status");
            String state = reply.status() == 200 ? reply.body().strip() : "";
            if (ENDS.contains(state)) {
                if (!state.equals("FINISHED")) {
                    throw new IOException("A-REX's job " + id + " ended as " + state);
                }
                failIfFailed(id);
                return;
            }
            if (System.nanoTime() - begin > JOB_TIMEOUT.toNanos()) {
                throw new IOException(
                        "A-REX's job " + id + " was not over within " + JOB_TIMEOUT + "; it is '" + state + "'");
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** A job that failed is FINISHED in its status file too; what went wrong is in another one. */
    private void failIfFailed(String id) throws IOException, GeneralSecurityException {
        HttpReply failure = connection().get(REST + "jobs/" + id + "/diagnose/failed");
        if (failure.status() == 200 && !failure.body().isBlank()) {
            throw new IOException(
                    "A-REX's job " + id + " failed: " + failure.body().strip());
        }
    }

    @Override
    public String remark() {
        return kind == Kind.STOCK ? ASKED + kind.backEnd : kind.backEnd;
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
        }
    }
}
