// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.cli.stub.RestStub;
import org.jobgate.cli.stub.RestStub.Answer;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the verbs ask and show; with a real gateway: VerbsIT. */
class VerbsTest {
    private static final String ONE = "01a2135a-7978-7b7e-b09b-04b38dd7aee4";
    private static final String TWO = "01a2135a-7979-7b7e-b09b-04b38dd7b001";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private RestStub stub;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void start() throws Exception {
        stub = new RestStub(certificates.serverContext());
    }

    @AfterEach
    void end() {
        stub.close();
    }

    private record Result(int status, String out, String errors) {}

    private Result run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Map<String, String> environment = Map.of(
                "X509_USER_PROXY", certificates.proxy().toString(),
                "X509_CERT_DIR", certificates.trust().toString(),
                "HOME", folder.toString(),
                "JOBGATE_URL", stub.contact());
        int status = new Verbs(
                        environment,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(words);
        return new Result(status, out.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    private static Answer job(String id, String state, String more) {
        boolean isFinal = List.of("Done", "Failed", "Cancelled").contains(state);
        return Answer.json(
                200,
                "{\"id\":\"" + id + "\",\"version\":4,\"state\":\"" + state + "\",\"holding\":false,\"final\":"
                        + isFinal + more + "}");
    }

    private static String ids(String... ids) {
        List<String> jobs = new ArrayList<>();
        for (String id : ids) {
            jobs.add("{\"id\":\"" + id + "\"}");
        }
        return "{\"jobs\":[" + String.join(",", jobs) + "]}";
    }

    @Test
    void aProgramIsSubmittedWithItsWordsAsTheyAre() {
        stub.answer("POST /api/v1/jobs", Answer.json(201, "{\"id\":\"" + ONE + "\"}"));

        Result result =
                run("submit", "--lrm", "Slurm", "--queue", "long", "-c", "/bin/echo", "-n", "a \"b\"\n", "--wait");

        assertThat(result).isEqualTo(new Result(0, ONE + "\n", ""));
        assertThat(stub.requests())
                .containsExactly("POST /api/v1/jobs application/json {\"lrm\":\"Slurm\",\"executable\":\"/bin/echo\","
                        + "\"arguments\":[\"-n\",\"a \\\"b\\\"\\u000a\",\"--wait\"],\"queue\":\"long\"}");
    }

    @Test
    void aWaitEndsWithTheExitCodeOfTheJob() {
        stub.answer("POST /api/v1/jobs", Answer.json(201, "{\"id\":\"" + ONE + "\"}"))
                .answer("GET /api/v1/jobs/" + ONE, job(ONE, "Active", ""), job(ONE, "Done", ",\"exitCode\":7"));

        Result result = run("submit", "--wait", "-c", "/bin/false");

        assertThat(result.status()).isEqualTo(7);
        assertThat(result.errors()).contains("Done, exit code 7");
        assertThat(stub.requests().getLast()).contains("?wait=30&version=4");
    }

    @Test
    void descriptionsGoAsTheyAreWrittenAndArraysAroundThem() throws Exception {
        stub.answer("POST /api/v1/jobs", Answer.json(201, "{\"id\":\"" + ONE + "\"}"))
                .answer("POST /api/v1/arrays", Answer.json(201, "{\"id\":\"" + TWO + "\"}"));
        Path xml = Files.writeString(folder.resolve("a.xml"), "<job/>");
        Path jdl = Files.writeString(folder.resolve("a.jdl"), "[ Executable = \"x\"; ]");
        Path json = Files.writeString(folder.resolve("a.json"), " {}\n");

        assertThat(run("submit", "--account", "b", xml.toString()).out()).isEqualTo(ONE + "\n");
        run("submit", jdl.toString());
        run("submit", "--lrm", "Slurm", "--array", "1-9:2", "--max-running", "3", json.toString());

        assertThat(stub.requests())
                .containsExactly(
                        "POST /api/v1/jobs?account=b application/xml <job/>",
                        "POST /api/v1/jobs text/plain [ Executable = \"x\"; ]",
                        "POST /api/v1/arrays application/json {\"job\":{\"lrm\":\"Slurm\"},\"indices\":\"1-9:2\",\"maxRunning\":3}");
        assertThat(run("submit", folder + "/none").errors()).contains("cannot be read: it does not exist");
    }

    @Test
    void shortIdsAreThoseOfOneJob() {
        stub.answer("GET /api/v1/jobs", Answer.json(200, ids(ONE, TWO)))
                .answer("GET /api/v1/jobs/" + ONE, job(ONE, "Done", ",\"exitCode\":0"))
                .answer(
                        "GET /api/v1/jobs/" + TWO,
                        job(TWO, "Failed", ",\"fault\":{\"sentence\":\"No \\u001b[1m such.\",\"remedy\":\"Look.\"}"));

        Result result = run("status", "AEE4", "uuid:" + TWO);

        assertThat(result.out()).isEqualTo(ONE + "  Done, exit code 0\n" + TWO + "  Failed: No  [1m such. Look.\n");
        assertThat(run("status", "01a2").errors()).contains("2 of your jobs have ids that begin or end with 01a2");
        assertThat(run("status", "ffff").errors()).contains("None of your 2 newest jobs");
        assertThat(run("status", "xyz").status()).isEqualTo(254);
    }

    @Test
    void anOrderIsOneRequestAndEachJobHasItsAnswer() {
        stub.answer(
                "POST /api/v1/bulk/jobs/hold",
                Answer.json(
                        200,
                        "{\"results\":[{\"status\":200,\"job\":{\"id\":\"" + ONE
                                + "\",\"state\":\"Pending\",\"suspendWish\":\"hold\"}},{\"status\":409,\"problem\":{\"detail\":\"It runs.\",\"remedy\":\"Suspend it.\"}}]}"));

        Result result = run("hold", "--at", "Pending", ONE, TWO);

        assertThat(result.status()).isEqualTo(252);
        assertThat(result.errors())
                .contains(ONE + "  Pending (hold is asked of its batch system)", TWO + ": It runs. Suspend it.");
        assertThat(stub.requests().getFirst())
                .endsWith("{\"ids\":[\"" + ONE + "\",\"" + TWO + "\"],\"at\":\"Pending\"}");
        stub.answer("POST /api/v1/bulk/jobs/resume", Answer.json(200, "{\"results\":[{\"status\":204}]}"));
        assertThat(run("job", "resume", ONE).status()).isZero();
        stub.answer("POST /api/v1/bulk/jobs/delete", Answer.json(200, "{\"results\":[{\"status\":204}]}"));
        assertThat(run("rm", ONE).errors()).contains(ONE + "  gone");
    }

    @Test
    void aListIsATableOrJson() {
        stub.answer(
                "GET /api/v1/jobs",
                Answer.json(
                        200,
                        "{\"jobs\":[{\"id\":\"" + ONE
                                + "\",\"created\":\"2026-11-25T12:00:00.123Z\",\"lrm\":\"Fork\",\"account\":\"a\",\"state\":\"Done\",\"exitCode\":3}],\"next\":\"x\"}"));

        Result result = run("ls", "--live", "--state", "Done", "--limit", "1");

        assertThat(result.out()).isEqualTo(ONE + "  2026-11-25T12:00:00Z  Fork  a  Done 3\n");
        assertThat(result.errors()).contains("There are more");
        assertThat(stub.requests().getFirst()).contains("limit=1", "state=Done", "final=false");
        assertThat(run("ls", "--json").out()).startsWith("{\"jobs\":[");
    }

    @Test
    void theGreatestOfTheExitCodesIsThatOfAWaitForSeveral() {
        stub.answer("GET /api/v1/jobs/" + ONE, job(ONE, "Done", ",\"exitCode\":3"))
                .answer("GET /api/v1/jobs/" + TWO, job(TWO, "Cancelled", ""));

        assertThat(run("wait", ONE, TWO).status()).isEqualTo(251);
        stub.answer("GET /api/v1/jobs/" + TWO, job(TWO, "Active", ""));
        Result late = run("wait", "--for", "1", TWO);
        assertThat(late.status()).isEqualTo(124);
        assertThat(late.errors()).contains("is not over yet: it is Active");
    }

    @Test
    void filesComeAndGoAndOutputIsShown() throws Exception {
        Path local = Files.writeString(folder.resolve("in put"), "hello");
        String there = "/jobs/" + ONE + "/files/in%20put";
        stub.answer("PUT " + there, Answer.json(201, ""))
                .answer(
                        "GET " + there,
                        new Answer(206, "application/octet-stream", "hello", Map.of("Content-Range", "bytes 0-4/5")))
                .answer(
                        "GET /jobs/" + ONE + "/stdout",
                        new Answer(
                                206,
                                "application/octet-stream",
                                "out\n",
                                Map.of("Content-Range", "bytes 0-3/4", "Jobgate-Complete", "true")));

        assertThat(run("put", ONE, local.toString()).errors()).contains("5 bytes");
        assertThat(run("get", ONE, "in put", folder.resolve("out").toString()).status())
                .isZero();
        assertThat(folder.resolve("out")).hasContent("hello");
        assertThat(run("get", ONE, "in put", "-").out()).isEqualTo("hello");
        assertThat(run("logs", "-f", ONE).out()).isEqualTo("out\n");
        Result missing =
                run("get", "--tree", "home", "/none", folder.resolve("none").toString());
        assertThat(missing.status()).isEqualTo(252);
        assertThat(missing.errors()).contains("/api/v1/trees/home/content/none");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    private static Answer part(int from, int bytes, String size, Map<String, String> more) {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("Content-Range", "bytes " + from + "-" + (from + bytes - 1) + "/" + size);
        return new Answer(206, "application/octet-stream", "x".repeat(bytes), headers);
    }

    @Test
    void aFileThatChangesWhileItIsFetchedIsNoFile() throws Exception {
        int piece = 4 << 20;
        String ofJob = "GET /jobs/" + ONE + "/files/a%20b";
        Answer shorter = new Answer(
                416,
                "application/json",
                "{\"error\":{\"sentence\":\"It was cut.\"}}",
                Map.of("Content-Range", "bytes */9"));
        stub.answer(ofJob, part(0, piece, "*", Map.of()), shorter);
        Path there = Files.createDirectory(folder.resolve("there"));

        Result cut = run("get", ONE, "a b", there.toString());

        assertThat(cut.status()).isEqualTo(252);
        assertThat(cut.errors()).contains("It was cut.");
        assertThat(there).isEmptyDirectory();

        stub.answer(
                ofJob,
                part(0, piece, "*", Map.of()),
                new Answer(416, "application/json", "{}", Map.of("Content-Range", "bytes */" + piece)));
        assertThat(run("get", ONE, "a b", there.toString()).status()).isZero();
        assertThat(there.resolve("a b")).hasSize(piece);
        assertThat(there.toFile().list()).containsExactly("a b");

        stub.answer(
                "GET /api/v1/trees/home/content/a",
                part(0, piece, "5000000", Map.of("ETag", "\"1\"")),
                new Answer(200, "application/octet-stream", "another", Map.of("ETag", "\"2\"")));
        Result replaced = run("get", "--tree", "home", "a", there.resolve("a").toString());
        assertThat(replaced.status()).isEqualTo(255);
        assertThat(replaced.errors()).contains("changed while it was fetched");
        assertThat(stub.requests().getLast()).endsWith(" If-Range: \"1\"");
        assertThat(there.resolve("a")).doesNotExist();
    }

    @Test
    void aPipeStaysOneAndALinkThatOthersLaidIsNotFollowed() throws Exception {
        stub.answer("GET /jobs/" + ONE + "/files/a", part(0, 3, "3", Map.of()));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Path mine = Files.writeString(folder.resolve("mine"), "mine");
        Files.createSymbolicLink(folder.resolve(".a.part"), mine);

        assertThat(run("get", ONE, "a", pipe.toString()).status()).isZero();
        assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo("xxx");
        assertThat(run("get", ONE, "a", folder.resolve("a").toString()).status())
                .isZero();
        assertThat(folder.resolve("a")).hasContent("xxx");
        assertThat(mine).hasContent("mine");
    }

    @Test
    void aGatewayThatCannotAnswerNowIsAskedAgain() {
        Answer stops = Answer.problem(503, "The service is stopping.", "Try again.");
        stub.answer("GET /api/v1/jobs/" + ONE, stops, job(ONE, "Done", ",\"exitCode\":0"))
                .answer(
                        "POST /api/v1/jobs",
                        new Answer(RestStub.NONE, "", "", Map.of()),
                        stops,
                        Answer.json(201, "{\"id\":\"" + ONE + "\"}"));

        Result result = run("submit", "--wait", "-c", "/bin/true");

        assertThat(result.status()).isZero();
        assertThat(result.out()).isEqualTo(ONE + "\n");
        assertThat(stub.requests().stream()
                        .filter(asked -> asked.startsWith("POST"))
                        .distinct())
                .hasSize(1);
        stub.answer("POST /api/v1/jobs", stops);
        assertThat(run("submit", "-c", "/bin/true").status())
                .as("nothing was sent before")
                .isEqualTo(252);
        stub.answer("GET /api/v1/jobs/" + ONE, stops);
        assertThat(run("wait", "--for", "1", ONE).status()).isEqualTo(250);
    }

    @Test
    void nothingThatAGatewayTellsOrdersATerminal() {
        stub.answer("POST /api/v1/jobs", Answer.problem(422, "No\\u001b]0;x\\u0007 \\u009b2J.", ""))
                .answer(
                        "GET /api/v1/jobs",
                        Answer.json(
                                200,
                                "{\"jobs\":[{\"id\":\"a\\u001b[2J\",\"lrm\":\"b\\u009b2J\",\"state\":\"c\\u202e\",\"fault\":{\"code\":\"d\\r\"}}]}"));

        assertThat(run("submit", "-c", "/bin/true").errors()).isEqualTo("jobgate: No ]0;x   2J.\n");
        assertThat(run("ls").out()).isEqualTo("a [2J    b 2J    c  d \n");
    }

    @Test
    void arraysAreShownAndGivenOrders() {
        String array = "{\"id\":\"" + TWO
                + "\",\"version\":2,\"size\":3,\"lrm\":\"Fork\",\"final\":true,\"states\":{\"Done\":2,\"Held\":0,\"Failed\":1}}";
        stub.answer("GET /api/v1/arrays", Answer.json(200, "{\"arrays\":[" + array + "]}"))
                .answer("GET /api/v1/arrays/" + TWO, Answer.json(200, array))
                .answer("POST /api/v1/arrays/" + TWO + "/hold", Answer.json(200, array))
                .answer(
                        "GET /api/v1/arrays/" + TWO + "/elements",
                        Answer.json(200, "{\"elements\":[{\"index\":1,\"state\":\"Failed\",\"exitCode\":2}]}"));

        assertThat(run("array", "ls").out()).isEqualTo(TWO + "  3 jobs in Fork: 2 Done, 1 Failed\n");
        assertThat(run("array", "hold", "b001", "--elements", "1-2").status()).isZero();
        assertThat(stub.requests().getLast()).endsWith("{\"elements\":\"1-2\"}");
        assertThat(run("array", "elements", TWO).out()).startsWith("1  Failed, exit code 2");
        assertThat(run("array", "wait", TWO).status()).isEqualTo(251);
    }

    @Test
    void aRefusalIsTheGatewaysOwnSentence() {
        stub.answer("POST /api/v1/jobs", Answer.problem(422, "The LRM cannot do it.", "Use another."));

        assertThat(run("submit", "-c", "/bin/date"))
                .isEqualTo(new Result(252, "", "jobgate: The LRM cannot do it. Use another.\n"));
        stub.answer("GET /api/v1/jobs", new Answer(200, "application/json", "{\"jobs\":[", Map.of()));
        assertThat(run("ls").errors()).contains("is not JSON");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            sing,               There is no such command
            submit,             Name one file
            submit -c,          Name one file
            cancel,             Name one or more jobs
            trace x,            trace takes no names
            ls x,               ls takes no names
            get 1234,           Say: jobgate get
            array sing 1234,    Say: jobgate array ls
            ls --sing,          Option --sing is not known
            ls --url http://x,  is not of the form
            """)
    void whatIsWrongOnTheCommandLineIsSaid(String words, String sentence) {
        Result result = run(words.split(" "));
        assertThat(result.status()).isEqualTo(254);
        assertThat(result.errors()).contains(sentence);
        assertThat(stub.requests()).isEmpty();
    }

    @Test
    void statusIsOfAJobOnlyWhereOneIsNamed() {
        assertThat(Verbs.isVerb("status")).isFalse();
        assertThat(Verbs.isVerb("status", "--config", "/etc/x.yaml", "--json")).isFalse();
        assertThat(Verbs.isVerb("status", "--json", "aee4")).isTrue();
        assertThat(Verbs.isVerb("job", "resume", "aee4")).isTrue();
        assertThat(Verbs.isVerb("job", "list")).isFalse();
        assertThat(Verbs.isVerb("resume")).isFalse();
        assertThat(run("ls", "--help").out()).contains("jobgate ls [OPTION ...]", "--live");
    }
}
