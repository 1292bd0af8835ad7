// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.container.OfferedOperations.Request;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of every door of a whole gateway, asked by those who may not: nobody, a banned user, a limited proxy, and the user who asks
 * for a job that is another's, that is destroyed, or that never was. Jobs are held, so that none needs an LRM.
 */
class AccessWalkTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final String UNKNOWN = "01234567-89ab-7def-8123-456789abcdef";
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final String CREAM = "http://glite.org/2007/11/ce/cream/types";
    private static final String GT40 = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String GT42 = "http://www.globus.org/namespaces/2008/03/gram/job";
    private static final String XML = "text/xml; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String HELD = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}";
    private static final String FACTORY = "/wsrf/services/ManagedJobFactoryService";

    /** What anybody may ask, without a credential. */
    private static final Set<String> PUBLIC = Set.of("rest GET /info", "rest GET /openapi.json");

    @TempDir
    static Path folder;

    private static JobgateService service;
    private static HttpClient alice;
    private static HttpClient bob;
    private static HttpClient mallory;
    private static HttpClient limited;
    private static HttpClient nobody;
    private static List<Request> offered;

    @BeforeAll
    static void start() throws Exception {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { decisionPoints: [ { kind: ban-list, file: banned }, { kind: grid-mapfile, file: map } ] }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                fileTrees: [ { name: work, path: /work } ]
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(
                folder.resolve("map"),
                "\"/O=Grid/CN=Alice\" alice\n\"/O=Grid/CN=Bob\" bob\n\"/O=Grid/CN=Mallory\" mallory\n");
        Files.writeString(folder.resolve("banned"), "\"/O=Grid/CN=Mallory\" # the key was stolen\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        service = new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        service.start(folder);
        alice = client(ALICE);
        bob = client(PKI.issue("CN=Bob,O=Grid"));
        mallory = client(PKI.issue("CN=Mallory,O=Grid"));
        limited = client(TestPki.proxy(ALICE, options -> options.setLimited(true)));
        nobody = client(null);
        offered = OfferedOperations.of((door, path) -> {
            Said said = ask(alice, new Request(path, door, "GET", path, "", ""));
            assertThat(said.status()).as(path + ": " + said.body()).isEqualTo(200);
            return said.body();
        });
    }

    @AfterAll
    static void stop() {
        Stream.of(alice, bob, mallory, limited, nobody).forEach(HttpClient::close);
        service.close();
    }

    private static HttpClient client(TestPki.@Nullable Credential credential) {
        return HttpClient.newBuilder()
                .sslContext(TestPki.client(credential))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** An answer. */
    private record Said(int status, String body) {

        /** A refusal: by the status, or in an answer that has one for each job. */
        boolean isRefusal() {
            return status >= 400
                    || Pattern.compile(
                                    "Fault\\b|SRM_(?!SUCCESS)[A-Z_]+|\"status-code\": ?\"?[45]|\"status\": ?[45][0-9][0-9]")
                            .matcher(body)
                            .find();
        }

        /** Without the id, and without times and ids that are new in each answer. */
        String without(String id) {
            return status + " "
                    + body.replace(id, "ID")
                            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                            .replaceAll("\"requestId\": ?\"[^\"]*\"", "REQUEST")
                            .replaceAll("(urn:)?uuid:[0-9a-f-]{36}", "UUID");
        }
    }

    private static Said ask(HttpClient client, Request request) throws IOException, InterruptedException {
        String body = request.type().startsWith("text/xml") && !request.body().contains("Envelope")
                ? envelope("", request.body())
                : request.body();
        HttpRequest.Builder made = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + service.port(request.door()) + request.path()))
                .timeout(Duration.ofSeconds(30))
                .header("Accept", "application/json")
                .method(request.method(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!request.type().isEmpty()) {
            made.header("Content-Type", request.type());
        }
        if (request.type().startsWith("text/xml")) {
            made.header("SOAPAction", "\"\"");
        }
        HttpResponse<String> response = client.send(made.build(), BodyHandlers.ofString());
        return new Said(response.statusCode(), response.body());
    }

    private static String envelope(String header, String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header>" + header
                + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    @Test
    void everyDoorIsWalked() {
        assertThat(offered.stream().map(Request::door).distinct())
                .containsExactlyInAnyOrderElementsOf(service.doors().stream()
                        .filter(door -> !door.equals(DoorAddresses.CONSOLE)) // pages, the same for everybody
                        .toList());
        assertThat(offered.stream().map(Request::name)).hasSizeGreaterThan(150).containsAll(PUBLIC);
    }

    @TestFactory
    Stream<DynamicTest> nobodyIsToldToShowACredential() {
        return offered.stream()
                .map(request -> DynamicTest.dynamicTest(request.name(), () -> {
                    Said said = ask(nobody, request);
                    if (PUBLIC.contains(request.name())) {
                        assertThat(said.status()).as(said.body()).isEqualTo(200);
                    } else {
                        assertThat(said.isRefusal()).as(said.body()).isTrue();
                        assertThat(said.body()).contains("without a credential");
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aBannedUserIsRefusedEverywhere() {
        return offered.stream()
                .filter(request -> !PUBLIC.contains(request.name()))
                .map(request -> DynamicTest.dynamicTest(request.name(), () -> {
                    Said said = ask(mallory, request);
                    assertThat(said.isRefusal()).as(said.body()).isTrue();
                }));
    }

    private static String jsdl() {
        return "<b:CreateActivity xmlns:b=\"http://schemas.ggf.org/bes/2006/08/bes-factory\"><b:ActivityDocument>"
                + "<JobDefinition xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl\"><JobDescription><Application>"
                + "<POSIXApplication xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl-posix\"><Executable>/bin/true</Executable>"
                + "</POSIXApplication></Application></JobDescription></JobDefinition></b:ActivityDocument></b:CreateActivity>";
    }

    private static String gram(String namespace) {
        return envelope(
                "<g:ResourceID xmlns:g=\"" + namespace + "\">Fork</g:ResourceID>",
                "<createManagedJob xmlns=\"" + namespace + "\" xmlns:d=\"" + namespace
                        + "/description\"><d:job><d:executable>/bin/true</d:executable><d:holdState>Pending</d:holdState></d:job></createManagedJob>");
    }

    private static String cream(String operation, String content) {
        return "<c:" + operation + "Request xmlns:c=\"" + CREAM + "\">" + content + "</c:" + operation + "Request>";
    }

    /** Each way to start a job, as a whole request. */
    private static List<Request> submissions() {
        return List.of(
                new Request("jobs", DoorAddresses.REST, "POST", "/api/v1/jobs", JSON, HELD),
                new Request(
                        "bulk", DoorAddresses.REST, "POST", "/api/v1/bulk/jobs", JSON, "{\"jobs\": [" + HELD + "]}"),
                new Request(
                        "arrays",
                        DoorAddresses.REST,
                        "POST",
                        "/api/v1/arrays",
                        JSON,
                        "{\"job\": " + HELD + ", \"indices\": \"1-2\"}"),
                new Request(
                        "arc",
                        DoorAddresses.ARC,
                        "POST",
                        "/arex/rest/1.1/jobs?action=new",
                        "application/rsl",
                        "&(executable=/bin/true)"),
                new Request("gram 4.0", DoorAddresses.GRAM, "POST", FACTORY, XML, gram(GT40)),
                new Request("gram 4.2", DoorAddresses.GRAM, "POST", FACTORY, XML, gram(GT42)),
                new Request("bes", DoorAddresses.BES, "POST", "/bes/BESFactory", XML, jsdl()),
                new Request(
                        "cream",
                        DoorAddresses.CREAM,
                        "POST",
                        "/ce-cream/services/CREAM2",
                        XML,
                        cream(
                                "JobRegister",
                                "<c:jobDescriptionList><c:JDL>[Executable=\"/bin/true\";BatchSystem=\"fork\";QueueName=\"any\"]</c:JDL></c:jobDescriptionList>")));
    }

    @TestFactory
    Stream<DynamicTest> aLimitedProxyStartsNoJobByAnyDoorAndItsFullProxyDoes() {
        return submissions().stream()
                .map(request -> DynamicTest.dynamicTest(request.name(), () -> {
                    Said refused = ask(limited, request);
                    assertThat(refused.isRefusal()).as(refused.body()).isTrue();
                    assertThat(refused.body()).contains("a limited proxy may not start jobs");
                    Said taken = ask(alice, request);
                    assertThat(taken.isRefusal()).as(taken.body()).isFalse();
                    Said banned = ask(mallory, request);
                    assertThat(banned.body()).contains("Mallory is banned");
                }));
    }

    /**
     * An operation on one job.
     *
     * @param maker makes a job for it, which answers the name that this door calls the job by
     * @param never a name that no job has
     */
    private record OnJob(String name, Function<HttpClient, String> maker, String never, Function<String, Request> of) {}

    private static String made(HttpClient owner, Request submission, Pattern id) {
        try {
            Said said = ask(owner, submission);
            Matcher found = id.matcher(said.body());
            assertThat(found.find()).as(said.body()).isTrue();
            return found.group();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Request submission(String name) {
        return submissions().stream()
                .filter(request -> request.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static OnJob onUuid(String name, String submission, Function<String, Request> of) {
        return new OnJob(name, owner -> made(owner, submission(submission), UUID_TEXT), UNKNOWN, of);
    }

    /** Every operation that names a job, from the same descriptions. */
    private static List<OnJob> onJobs() {
        List<OnJob> all = new ArrayList<>();
        for (Request request : offered) {
            String name = request.name();
            if (request.door().equals(DoorAddresses.GRAM) && name.matches(".*Managed(Executable|Multi)JobService.*")) {
                String space = name.contains("gt42") ? GT42 : GT40;
                all.add(onUuid(
                        name,
                        space.equals(GT42) ? "gram 4.2" : "gram 4.0",
                        id -> withBody(
                                request,
                                envelope(
                                        "<g:ResourceID xmlns:g=\"" + space + "\">" + id + "</g:ResourceID>",
                                        request.body()))));
            } else if (request.path().contains("/jobs/" + UNKNOWN) && !name.contains("/audit/")) {
                String door = request.door().equals(DoorAddresses.ARC) ? "arc" : "jobs";
                all.add(onUuid(
                        name,
                        door,
                        id -> new Request(
                                name,
                                request.door(),
                                request.method(),
                                request.path().replace(UNKNOWN, id),
                                request.type(),
                                name.endsWith("/extend")
                                        ? "{\"terminationTime\": \"2037-01-01T00:00:00Z\"}"
                                        : request.body())));
            } else if (name.startsWith("arc POST /jobs?action=") && !name.endsWith("new")) {
                all.add(onUuid(
                        name, "arc", id -> withBody(request, request.body().replace(UNKNOWN, id))));
            } else if (request.door().equals(DoorAddresses.BES)
                    && name.matches(
                            "bes (GetActivityStatuses|TerminateActivities|GetActivityDocuments|DestroyActivities) .*")) {
                all.add(onUuid(name, "bes", id -> withBody(request, filled(request.body(), activity(id)))));
            } else if (request.door().equals(DoorAddresses.CREAM)
                    && name.matches("cream Job(Cancel|Info|Purge|Resume|SetLeaseId|Start|Status|Suspend) .*")) {
                all.add(new OnJob(
                        name,
                        owner -> made(owner, submission("cream"), Pattern.compile("CREAM[0-9]{9}")),
                        "CREAM000000000",
                        id -> withBody(
                                request,
                                filled(
                                        request.body(),
                                        "<c:jobId xmlns:c=\"" + CREAM + "\"><c:id>" + id
                                                + "</c:id><c:creamURL>x</c:creamURL></c:jobId>"))));
            }
        }
        return all;
    }

    private static Request withBody(Request request, String body) {
        return new Request(request.name(), request.door(), request.method(), request.path(), request.type(), body);
    }

    private static String filled(String empty, String content) {
        String name = empty.substring(1, empty.indexOf(' '));
        return empty.replace("/>", ">") + content + "</" + name + ">";
    }

    private static String activity(String id) {
        return "<b:ActivityIdentifier xmlns:b=\"http://schemas.ggf.org/bes/2006/08/bes-factory\""
                + " xmlns:w=\"http://www.w3.org/2005/08/addressing\"><w:Address>https://any.example.org/bes?activity="
                + id + "</w:Address></b:ActivityIdentifier>";
    }

    /** Removes a job by the REST API, which knows those of all doors by their ids. */
    private static void destroy(HttpClient owner, String door, String id) throws Exception {
        Request request = door.equals(DoorAddresses.CREAM)
                ? new Request(
                        "purge",
                        DoorAddresses.CREAM,
                        "POST",
                        "/ce-cream/services/CREAM2",
                        XML,
                        cream("JobCancel", "<c:jobId><c:id>" + id + "</c:id><c:creamURL>x</c:creamURL></c:jobId>"))
                : new Request("destroy", DoorAddresses.REST, "DELETE", "/api/v1/jobs/" + id, "", "");
        Said said = ask(owner, request);
        assertThat(said.status()).as(said.body()).isBetween(200, 299);
        if (door.equals(DoorAddresses.CREAM)) {
            Said purged = ask(
                    owner,
                    withBody(
                            request,
                            cream("JobPurge", "<c:jobId><c:id>" + id + "</c:id><c:creamURL>x</c:creamURL></c:jobId>")));
            assertThat(purged.status()).as(purged.body()).isBetween(200, 299);
        }
    }

    @TestFactory
    Stream<DynamicTest> aJobOfAnotherADestroyedOneAndOneThatNeverWasAnswerAlike() {
        Map<String, Long> counts = onJobs().stream()
                .collect(Collectors.groupingBy(
                        one -> one.name().substring(0, one.name().indexOf(' ')), HashMap::new, Collectors.counting()));
        assertThat(counts.keySet())
                .contains(
                        DoorAddresses.REST,
                        DoorAddresses.ARC,
                        DoorAddresses.FILES,
                        DoorAddresses.GRAM,
                        DoorAddresses.BES,
                        DoorAddresses.CREAM);
        return onJobs().stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    String foreign = one.maker().apply(bob);
                    String destroyed = one.maker().apply(alice);
                    destroy(alice, one.of().apply(destroyed).door(), destroyed);
                    String expected = ask(alice, one.of().apply(one.never())).without(one.never());

                    assertThat(ask(alice, one.of().apply(foreign)).without(foreign))
                            .as("another's")
                            .isEqualTo(expected);
                    assertThat(ask(alice, one.of().apply(destroyed)).without(destroyed))
                            .as("destroyed")
                            .isEqualTo(expected);
                    if (!one.name().contains("/admin/")) {
                        String own = one.maker().apply(alice);
                        assertThat(ask(alice, one.of().apply(own)).without(own))
                                .as("her own")
                                .isNotEqualTo(expected);
                    }
                }));
    }
}
