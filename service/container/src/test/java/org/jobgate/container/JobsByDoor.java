// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.AccessWalkRoom.Said;
import org.jobgate.container.OfferedOperations.Request;
import org.jobgate.door.DoorAddresses;

/** How a job is submitted by each door that takes some, and what the offered operations are with a job's name in them. */
final class JobsByDoor {

    private static final String UNKNOWN = OfferedOperations.NOTHING;
    private static final String UNKNOWN_TO_CREAM = "CREAM000000000";
    private static final Pattern UUID = Pattern.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    private static final String CREAM = "http://glite.org/2007/11/ce/cream/types";
    private static final String GT40 = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String GT42 = "http://www.globus.org/namespaces/2008/03/gram/job";
    private static final String BES = "http://schemas.ggf.org/bes/2006/08/bes-factory";
    private static final String XML = "text/xml; charset=utf-8";
    private static final String JSON = "application/json";

    private final AccessWalkRoom room;
    private final Path home;
    private final Map<String, Submission> submissions;

    /**
     * One way to start jobs: what it asks for is held before the LRM, or waits for files.
     *
     * @param id where the answer has the job's name, in its first group
     * @param unknown a name that no job has
     */
    record Submission(Request request, Pattern id, String unknown) {

        /** Submits, and answers the name of the job. */
        String submit(AccessWalkRoom room, HttpClient owner) throws IOException, InterruptedException {
            Said said = room.ask(owner, request);
            Matcher found = id.matcher(said.body());
            assertThat(found.find()).as(request.name() + ": " + said.body()).isTrue();
            return found.group(1);
        }
    }

    /**
     * An offered operation on one job.
     *
     * @param submission makes jobs for it
     * @param on the request, of the name of a job
     */
    record OnJob(String name, Submission submission, Function<String, Request> on) {}

    /** @param home a directory in which the account's jobs may write */
    JobsByDoor(AccessWalkRoom room, Path home) {
        this.room = room;
        this.home = home;
        String held = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\", \"directory\": \"" + home + "\"}";
        this.submissions = Map.ofEntries(
                entry("jobs", DoorAddresses.REST, "/api/v1/jobs", JSON, held),
                entry("bulk", DoorAddresses.REST, "/api/v1/bulk/jobs", JSON, "{\"jobs\": [" + held + "]}"),
                entry(
                        "arrays",
                        DoorAddresses.REST,
                        "/api/v1/arrays",
                        JSON,
                        "{\"job\": " + held + ", \"indices\": \"1-2\"}"),
                // waits for a file of its client's
                entry(
                        "arc",
                        DoorAddresses.ARC,
                        "/arex/rest/1.1/jobs?action=new",
                        "application/rsl",
                        "&(executable=/bin/true)(inputfiles=(\"in\" \"\"))"),
                ofGram("gram 4.0", GT40, "job"),
                ofGram("gram 4.2", GT42, "job"),
                ofGram("gram 4.0 multi", GT40, "multiJob"),
                ofGram("gram 4.2 multi", GT42, "multiJob"),
                entry("bes", DoorAddresses.BES, "/bes/BESFactory", XML, jsdl()),
                // waits to be started
                Map.entry(
                        "cream",
                        new Submission(
                                request(
                                        "cream",
                                        DoorAddresses.CREAM,
                                        "/ce-cream/services/CREAM2",
                                        XML,
                                        cream(
                                                "JobRegister",
                                                "<c:jobDescriptionList><c:JDL>[Executable=\"/bin/true\";BatchSystem=\"fork\";"
                                                        + "QueueName=\"any\"]</c:JDL><c:autoStart>false</c:autoStart></c:jobDescriptionList>")),
                                Pattern.compile("(CREAM[0-9]{9})"),
                                UNKNOWN_TO_CREAM)));
    }

    private static Map.Entry<String, Submission> entry(
            String name, String door, String path, String type, String body) {
        return Map.entry(name, new Submission(request(name, door, path, type, body), UUID, UNKNOWN));
    }

    private static Request request(String name, String door, String path, String type, String body) {
        return new Request(name, door, "POST", path, type, body, "");
    }

    private Map.Entry<String, Submission> ofGram(String name, String namespace, String element) {
        String job = "<d:executable>/bin/true</d:executable><d:directory>" + home
                + "</d:directory><d:holdState>Pending</d:holdState>";
        boolean isMulti = element.equals("multiJob");
        String content =
                "<d:" + element + ">" + (isMulti ? "<d:job>" + job + "</d:job>" : job) + "</d:" + element + ">";
        return Map.entry(
                name,
                new Submission(
                        request(
                                name,
                                DoorAddresses.GRAM,
                                "/wsrf/services/ManagedJobFactoryService",
                                XML,
                                AccessWalkRoom.envelope(
                                        resource(namespace, isMulti ? "Multi" : "Fork"),
                                        "<createManagedJob xmlns=\"" + namespace + "\" xmlns:d=\"" + namespace
                                                + "/description\">" + content + "</createManagedJob>")),
                        Pattern.compile("ResourceID[^>]*>" + UUID),
                        UNKNOWN));
    }

    private static String resource(String namespace, String id) {
        return "<g:ResourceID xmlns:g=\"" + namespace + "\">" + id + "</g:ResourceID>";
    }

    private static String jsdl() {
        return "<b:CreateActivity xmlns:b=\"" + BES + "\"><b:ActivityDocument>"
                + "<JobDefinition xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl\"><JobDescription><Application>"
                + "<POSIXApplication xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl-posix\"><Executable>/bin/true</Executable>"
                + "</POSIXApplication></Application><j:Job xmlns:j=\"https://jobgate.org/ns/2026/jsdl\">"
                + "<j:HoldAt>PENDING</j:HoldAt></j:Job></JobDescription></JobDefinition></b:ActivityDocument></b:CreateActivity>";
    }

    private static String cream(String operation, String content) {
        return "<c:" + operation + "Request xmlns:c=\"" + CREAM + "\">" + content + "</c:" + operation + "Request>";
    }

    private static String creamId(String id) {
        return "<c:jobId xmlns:c=\"" + CREAM + "\"><c:id>" + id + "</c:id><c:creamURL>x</c:creamURL></c:jobId>";
    }

    /** What names the job in an order: its id, which one of the orders wants in a filter. */
    private static String creamJob(Request request, String id) {
        return request.name().startsWith("cream JobSetLeaseId ")
                ? "<c:jobFilter xmlns:c=\"" + CREAM + "\">" + creamId(id) + "</c:jobFilter>"
                : creamId(id);
    }

    /** Every way to start a job. */
    List<Submission> submissions() {
        return submissions.values().stream().toList();
    }

    private Submission submission(String name) {
        Submission found = submissions.get(name);
        if (found == null) {
            throw new IllegalArgumentException(name);
        }
        return found;
    }

    /** Every offered operation that names a job. */
    List<OnJob> onJobs() {
        return room.offered.stream().flatMap(request -> onJob(request).stream()).toList();
    }

    private Optional<OnJob> onJob(Request request) {
        return switch (request.door()) {
            case DoorAddresses.GRAM -> onGramJob(request);
            case DoorAddresses.BES ->
                request.name().matches("bes (GetActivityStatuses|TerminateActivities|GetActivityDocuments) .*")
                        ? on(
                                request,
                                "bes",
                                id -> request.withBody(request.body().replace(UNKNOWN, id)))
                        : Optional.empty();
            case DoorAddresses.CREAM ->
                request.name().matches("cream Job(?!Register|List).*")
                        ? on(request, "cream", id -> request.withBody(filled(request, creamJob(request, id))))
                        : Optional.empty();
            case DoorAddresses.ARC ->
                request.body().contains(UNKNOWN)
                        ? on(
                                request,
                                "arc",
                                id -> request.withBody(request.body().replace(UNKNOWN, id)))
                        : onPath(request, "arc");
            default -> onPath(request, "jobs");
        };
    }

    private Optional<OnJob> on(Request request, String submission, Function<String, Request> on) {
        return Optional.of(new OnJob(request.name(), submission(submission), on));
    }

    private Optional<OnJob> onGramJob(Request request) {
        Matcher service = Pattern.compile("Managed(Executable|Multi)JobService").matcher(request.path());
        if (!service.find()) {
            return Optional.empty();
        }
        boolean is42 = request.name().contains("gt42");
        String submission = (is42 ? "gram 4.2" : "gram 4.0") + (service.group(1).equals("Multi") ? " multi" : "");
        return on(request, submission, id -> request.withBody(request.body().replace(UNKNOWN, id)));
    }

    /** Records of jobs that are over are another matter: they outlive the job. */
    private Optional<OnJob> onPath(Request request, String submission) {
        if (!request.path().contains("/jobs/" + UNKNOWN) || request.path().contains("/audit/")) {
            return Optional.empty();
        }
        return on(request, submission, id -> request.withPath(request.path().replace(UNKNOWN, id)));
    }

    private static String filled(Request request, String content) {
        return OfferedOperations.filled(request.body(), content);
    }

    /** Begins to remove a job of this door's. */
    void destroy(HttpClient owner, String door, String id) throws IOException, InterruptedException {
        Said said = room.ask(
                owner,
                door.equals(DoorAddresses.CREAM)
                        ? submission("cream").request().withBody(cream("JobCancel", creamId(id)))
                        : byRest("DELETE", id));
        assertThat(said.isRefusal()).as(said.body()).isFalse();
    }

    /** Waits until a job is gone that is being removed. */
    void awaitGone(HttpClient owner, String door, String id) {
        // a job of CREAM's is gone when it was purged after its end
        Request look = door.equals(DoorAddresses.CREAM)
                ? submission("cream").request().withBody(cream("JobPurge", creamId(id)))
                : byRest("GET", id);
        await().atMost(AccessWalkRoom.PATIENCE)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    Said said = room.ask(owner, look);
                    return said.status() == 404 || said.body().contains("JobUnknownFault");
                });
    }

    /** The REST API knows the jobs of all doors by their ids. */
    private static Request byRest(String method, String id) {
        return new Request("job", DoorAddresses.REST, method, "/api/v1/jobs/" + id, "", "", "");
    }
}
