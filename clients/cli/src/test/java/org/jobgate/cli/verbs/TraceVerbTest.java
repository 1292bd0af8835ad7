// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.stub.RestStub;
import org.jobgate.cli.stub.RestStub.Answer;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each step of a trace is made to fail, and says so with what to run next. */
class TraceVerbTest {
    private static final String ID = "01a2135a-7978-7b7e-b09b-04b38dd7aee4";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private Clock clock = Clock.systemUTC();
    private RestStub stub;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void start() throws Exception {
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
        environment.put("HOME", folder.toString());
        well(new RestStub(certificates.serverContext()));
    }

    private void well(RestStub made) {
        stub = made;
        stub.answer("GET /api/v1/info", Answer.json(200, "{\"service\":\"Jobgate\",\"api\":\"v1\"}"))
                .answer(
                        "GET /api/v1/whoami",
                        Answer.json(200, "{\"subject\":\"/CN=a\",\"maySubmit\":true,\"accounts\":[\"a\"]}"))
                .answer(
                        "GET /api/v1/lrms",
                        Answer.json(
                                200,
                                "{\"lrms\":[{\"name\":\"Fork\",\"default\":true,\"queues\":[]},"
                                        + "{\"name\":\"Slurm\",\"default\":false,\"freshUntil\":\"2026-01-01T00:00:00Z\"}]}"))
                .answer("POST /api/v1/jobs", Answer.json(201, "{\"id\":\"" + ID + "\"}"))
                .answer(
                        "GET /api/v1/jobs/" + ID,
                        Answer.json(200, "{\"id\":\"" + ID + "\",\"version\":1,\"state\":\"Pending\",\"final\":false}"),
                        Answer.json(
                                200,
                                "{\"id\":\"" + ID
                                        + "\",\"version\":2,\"state\":\"Done\",\"final\":true,\"exitCode\":0}"))
                .answer(
                        "GET /jobs/" + ID + "/stdout",
                        new Answer(206, "application/octet-stream", "hello from jobgate trace\n", Map.of()))
                .answer("DELETE /jobs/" + ID + "/stdout", Answer.json(204, ""))
                .answer("DELETE /api/v1/jobs/" + ID, Answer.json(204, ""));
    }

    @AfterEach
    void end() {
        stub.close();
    }

    private record Result(int status, List<String> lines) {

        /** The step that failed, and what to run next. */
        void fails(String step, String why, String next) {
            assertThat(status).as(lines.toString()).isEqualTo(252);
            assertThat(lines.get(lines.size() - 2))
                    .startsWith("FAILED " + step + " ")
                    .contains(why);
            assertThat(lines.getLast()).startsWith("       next: ").contains(next);
        }
    }

    private Result trace(String... words) throws Exception {
        return traceOf("https://" + stub.contact(), words);
    }

    private Result traceOf(String root, String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
        Words sorted = Words.sort(Verb.TRACE.options(), given -> Integer.MAX_VALUE, words);
        int status = new TraceVerb(environment, sorted, root, to, to, clock).run();
        return new Result(status, out.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void aWholeWayIsTenStepsAndMore() throws Exception {
        Result result = trace();
        assertThat(result.status()).as(result.lines().toString()).isZero();
        assertThat(result.lines()).hasSize(12).last().asString().startsWith("All is well");
        assertThat(stub.requests()).anyMatch(request -> request.startsWith("DELETE /api/v1/jobs/" + ID));
        Result json = trace("--json");
        assertThat(json.lines())
                .singleElement()
                .asString()
                .startsWith("{\"steps\":[{\"step\":\"resolve\",\"ok\":true,");
    }

    @Test
    void aNameWithoutAnAddress() throws Exception {
        traceOf("https://no-such-host.invalid:8443").fails("resolve", "no-such-host.invalid", "getent hosts");
    }

    @Test
    void aPortWhereNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        traceOf("https://localhost:" + port).fails("connect", "Nobody answers at port " + port, "jobgate status");
    }

    @Test
    void noAuthorities() throws Exception {
        environment.put("X509_CERT_DIR", folder.resolve("none").toString());
        trace().fails("authorities", "none", "X509_CERT_DIR");
    }

    @Test
    void noCredentialAndOneThatHasExpired() throws Exception {
        environment.put("X509_USER_PROXY", folder.resolve("none").toString());
        trace().fails("credential", "none", "jobgate proxy init");
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        clock = Clock.offset(Clock.systemUTC(), Duration.ofDays(4_000));
        trace().fails("credential", "expired at", "jobgate proxy init");
    }

    @Test
    void aServerThatIsNotBelieved() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other"));
        environment.put(
                "X509_CERT_DIR", TrialCertificates.make(other, "rsa").trust().toString());
        trace().fails("server", "", "openssl s_client -connect " + stub.contact());
    }

    @Test
    void aServerWithAnotherName() throws Exception {
        trace("--server-subject", "/O=Else/CN=host").fails("server", "/O=Else/CN=host", "openssl s_client");
    }

    @Test
    void aServerThatDoesNotBelieveUs() throws Exception {
        stub.close();
        well(new RestStub(certificates.refusingContext(new CertificateException("not you"))));
        trace().fails("server", "certificate", "openssl s_client");
    }

    @Test
    void nobodyWhoMaySubmitAndALimitedProxy() throws Exception {
        stub.answer(
                "GET /api/v1/whoami",
                Answer.json(200, "{\"subject\":\"/CN=a\",\"maySubmit\":false,\"reason\":\"Nobody knows you\"}"));
        trace().fails("mapping", "Nobody knows you.", "jobgate authz explain --subject '/CN=a'");
        stub.answer("GET /api/v1/whoami", Answer.json(200, "{\"subject\":\"/CN=a'; date\\u001b[1m\"}"));
        trace().fails("mapping", "may not submit", "jobgate authz explain --subject '/CN=a'\\''; date [1m' --action");
        stub.answer(
                "GET /api/v1/whoami", Answer.json(200, "{\"subject\":\"/CN=a\",\"limited\":true,\"maySubmit\":false}"));
        trace().fails("mapping", "limited proxy", "jobgate proxy init");
    }

    @Test
    void aBatchSystemThatIsNotThereOrSilent() throws Exception {
        trace("--lrm", "PBS").fails("lrm", "There is no batch system PBS", "jobgate trace --lrm Fork");
        trace("--lrm", "Slurm").fails("lrm", "nothing since 2026-01-01", "jobgate lrm show Slurm");
    }

    @Test
    void aSubmissionThatIsRefused() throws Exception {
        stub.answer("POST /api/v1/jobs", Answer.problem(503, "The server is draining.", "Come back later."));
        trace().fails("submit", "The server is draining. Come back later.", "jobgate submit --debug");
    }

    @Test
    void aJobThatWaitsForeverAndOneThatFails() throws Exception {
        stub.answer(
                "GET /api/v1/jobs/" + ID,
                Answer.json(
                        200,
                        "{\"id\":\"" + ID
                                + "\",\"version\":1,\"state\":\"Pending\",\"final\":false,\"waiting\":{\"because\":\"Resources\"}}"));
        trace("--for", "1")
                .fails("watch", "it is Pending. Resources", "jobgate explain --url " + stub.contact() + " " + ID);
        stub.answer(
                "GET /api/v1/jobs/" + ID,
                Answer.json(
                        200,
                        "{\"id\":\"" + ID
                                + "\",\"state\":\"Failed\",\"final\":true,\"fault\":{\"sentence\":\"No disk.\",\"remedy\":\"\"}}"));
        trace().fails("watch", "No disk.", "jobgate explain");
    }

    @Test
    void outputThatIsNotThereOrAnother() throws Exception {
        stub.answer("GET /jobs/" + ID + "/stdout", new Answer(206, "application/octet-stream", "else", Map.of()));
        trace().fails("fetch", "else", "jobgate logs");
        stub.answer(
                "GET /jobs/" + ID + "/stdout",
                Answer.json(404, "{\"error\":{\"sentence\":\"There is no such file.\",\"remedy\":\"\"}}"));
        trace().fails("fetch", "There is no such file.", "jobgate explain");
    }

    @Test
    void aJobThatCannotBeRemoved() throws Exception {
        stub.answer("DELETE /api/v1/jobs/" + ID, Answer.problem(503, "The store is full.", ""));
        trace().fails("remove", "The store is full.", "jobgate explain");
    }
}
