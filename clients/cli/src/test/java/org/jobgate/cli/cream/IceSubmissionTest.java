// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jobgate.cli.ice.IceCommands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ice does where a computing element answers in part only, or does not take the files of one job. */
@Timeout(300)
class IceSubmissionTest extends CreamCommandRoom {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void delegation() throws Exception {
        environment.put("ICE_QUEUE", folder.resolve("queue").toString());
        stub.answer(
                "getProxyReq",
                "<d:getProxyReqResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><getProxyReqReturn>"
                        + Requests.pem() + "</getProxyReqReturn></d:getProxyReqResponse>");
        stub.answer("putProxy", "<d:putProxyResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"/>");
        stub.answer(
                "ServiceInfo",
                element(
                        "ServiceInfoResponse",
                        "<property><name>REPEATABLE_REGISTRATION</name><value>true</value></property>"));
        stub.answer("QueryEvent", element("QueryEventResponse", "<dbId>7</dbId>"));
    }

    private String ice(String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int status = new IceCommands(
                        environment,
                        Clock.systemUTC(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(said, true, StandardCharsets.UTF_8))
                .call(words);
        assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private CompletableFuture<String> run() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ice("run", "--until-done", "--threads", "1", "--poll", "1", "--lease", "0");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void submit(String... texts) throws Exception {
        for (String text : texts) {
            ice("submit", "-r", stub.contact() + "/cream-pbs-long", jdl(text).toString());
        }
    }

    private static void await(CompletableFuture<String> running, BooleanSupplier condition)
            throws InterruptedException {
        while (!condition.getAsBoolean() && !running.isDone()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private long count(String operation) {
        return stub.operations().stream().filter(operation::equals).count();
    }

    private List<String> keys() {
        return stub.requests("JobRegisterRequest").stream()
                .flatMap(request -> request.children().stream())
                .filter(child -> child.name().equals("jobDescriptionList"))
                .map(child -> String.valueOf(child.attribute("", "jobDescriptionId")))
                .distinct()
                .toList();
    }

    private String status(String number, String state) {
        return "<result><jobStatus>" + jobId(number) + "<name>" + state
                + "</name><timestamp>2026-11-25T15:56:08Z</timestamp><exitCode>0</exitCode></jobStatus></result>";
    }

    private String file(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), name);
        return "Executable = \"/bin/cat\"; InputSandbox = \"" + file + "\";";
    }

    @Test
    void aJobWithoutAResultIsAskedForAgainAndNotTakenForRefused() throws Exception {
        stub.answer("JobRegister", element("JobRegisterResponse", ""));
        submit("Executable = \"/bin/true\";");
        CompletableFuture<String> running = run();
        await(running, () -> count("JobRegisterRequest") > 1);
        assertThat(running).isNotDone();
        String key = keys().getFirst();

        stub.answer("JobStatus", element("JobStatusResponse", status("1", "DONE-OK")));
        stub.answer(
                "JobRegister",
                element("JobRegisterResponse", "<result jobDescriptionId=\"" + key + "\">" + jobId("1") + "</result>"));
        running.get(1, TimeUnit.MINUTES);

        assertThat(keys()).containsExactly(key);
        assertThat(ice("status", "-a")).contains("DONE-OK");
    }

    @Test
    void aJobWhoseFilesAreNotTakenKeepsNoOthersFromStarting() throws Exception {
        stub.answer("JobRegister", element("JobRegisterResponse", ""));
        stub.answer("JobStart", element("JobStartResponse", ""));
        submit(file("one"), file("two"));
        CompletableFuture<String> running = run();
        await(running, () -> count("JobRegisterRequest") > 1 && keys().size() == 2);
        List<String> keys = keys();
        String good = "https://" + stub.contact() + "/good";

        stub.answer(
                "JobRegister",
                element(
                        "JobRegisterResponse",
                        registered(keys.getFirst(), "1", "https://elsewhere:1/x")
                                + registered(keys.get(1), "2", good)));
        stub.answer("JobStatus", element("JobStatusResponse", status("1", "REGISTERED") + status("2", "REGISTERED")));
        await(running, () -> stub.paths().contains("PUT /good/two") && count("JobStartRequest") > 0);
        stub.answer("JobStatus", element("JobStatusResponse", status("1", "ABORTED") + status("2", "DONE-OK")));
        running.get(1, TimeUnit.MINUTES);

        assertThat(ice("status", "-a")).contains("DONE-OK", "ABORTED");
    }

    private String registered(String key, String number, String sandbox) {
        return "<result jobDescriptionId=\"" + key + "\">"
                + jobId(number)
                        .replace(
                                "</jobId>",
                                "<property><name>CREAMInputSandboxURI</name><value>" + sandbox
                                        + "</value></property></jobId>")
                + "</result>";
    }
}
