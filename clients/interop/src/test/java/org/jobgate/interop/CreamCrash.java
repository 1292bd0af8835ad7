// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;

/** Jobs of CREAM2 before a gateway that is killed: each of them tells its id when it runs, so that one too many and one too few are seen. */
final class CreamCrash {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Pattern JOB = Pattern.compile("<(?:\\w+:)?id>(CREAM[0-9]{9})<");

    private final Gateway gateway;
    private final Path directory;
    private final String url;
    private final String delegation;
    private int requests;

    /** @param directory for what the jobs tell */
    CreamCrash(Gateway gateway, Path directory) throws Exception {
        this.gateway = gateway;
        this.directory = directory;
        this.url = "https://localhost:" + gateway.port() + "/ce-cream/services/";
        this.delegation = GridsiteClientsIT.delegated(gateway, url + "gridsite-delegation");
    }

    /** Jobs that are registered, and then started all at once, before and after a kill. */
    void killBetweenRegisterAndStart(int count) throws Exception {
        List<String> jobs = jobs(good(registers("started", count)));
        assertThat(jobs).hasSize(count);
        gateway.kill();
        gateway.startAgain();
        assertThat(states(jobs)).containsOnly("REGISTERED");

        good(named("JobStart", jobs));
        gateway.kill();
        gateway.startAgain();

        awaitEnd(jobs);
        assertThat(told("started")).containsExactlyInAnyOrderElementsOf(jobs);
    }

    /**
     * Registers in one request, in the middle of which the gateway is killed; the client repeats it.
     *
     * @param started how many of them are started then; the others are purged
     */
    void killAmongRegisters(int count, int started) throws Exception {
        String request = registers("bulk", count);
        int before = jobs(good(element("JobList", ""))).size();
        int logged = gateway.log().length();
        CompletableFuture<Programs.Result> first = CompletableFuture.supplyAsync(() -> {
            try {
                return post(request);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        gateway.awaitLog(logged, "action=submit");
        gateway.kill();
        gateway.startAgain();
        Programs.Result cut = first.get(9, TimeUnit.MINUTES);

        List<String> jobs = jobs(good(request));

        assertThat(jobs).hasSize(count).doesNotHaveDuplicates();
        if (cut.status() == 0 && cut.output().contains("JobRegisterResponse")) {
            assertThat(jobs(cut.output())).isEqualTo(jobs);
        }
        assertThat(jobs(good(request))).isEqualTo(jobs);
        assertThat(jobs(good(element("JobList", "")))).hasSize(before + count);
        List<String> some = jobs.subList(0, started);
        good(named("JobStart", some));
        awaitEnd(some);
        assertThat(told("bulk")).containsExactlyInAnyOrderElementsOf(some);
        assertThat(states(jobs.subList(started, count))).containsOnly("REGISTERED");
        assertThat(good(named("JobPurge", jobs))).doesNotContain("Fault");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(jobs(good(element("JobList", "")))).hasSize(before));
    }

    private void awaitEnd(List<String> jobs) throws Exception {
        try {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> new HashSet<>(states(jobs)).equals(new HashSet<>(List.of("DONE-OK"))));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("the jobs are " + states(jobs), e);
        }
    }

    private String registers(String name, int count) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append("<jobDescriptionList jobDescriptionId='")
                    .append(UUID.randomUUID())
                    .append("'><JDL>[Executable=\"/bin/sh\";Arguments=\"-c 'echo $CREAM_JOBID &gt;&gt; ")
                    .append(directory.resolve(name))
                    .append("'\";BatchSystem=\"fork\";QueueName=\"default\"]</JDL><delegationId>")
                    .append(delegation)
                    .append("</delegationId><autoStart>false</autoStart></jobDescriptionList>");
        }
        return element("JobRegister", all.toString());
    }

    private String named(String operation, List<String> jobs) {
        StringBuilder all = new StringBuilder();
        jobs.forEach(job -> all.append("<jobId><id>").append(job).append("</id><creamURL>x</creamURL></jobId>"));
        return element(operation, all.toString());
    }

    private static String element(String operation, String content) {
        return "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><" + operation
                + "Request xmlns='http://glite.org/2007/11/ce/cream/types'>" + content + "</" + operation
                + "Request></e:Body></e:Envelope>";
    }

    private Programs.Result post(String request) throws IOException, InterruptedException {
        Path file;
        synchronized (this) {
            file = Files.writeString(directory.resolve("request-" + requests++), request);
        }
        return gateway.clients()
                .run(List.of(
                        "curl",
                        "--silent",
                        "--show-error",
                        "--header",
                        "Content-Type: text/xml; charset=utf-8",
                        "--cert",
                        gateway.proxy().toString(),
                        "--key",
                        gateway.proxy().toString(),
                        "--capath",
                        gateway.trustDirectory().toString(),
                        "--data-binary",
                        "@" + file,
                        url + "CREAM2"));
    }

    private String good(String request) throws Exception {
        Programs.Result result = post(request);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("Response").doesNotContain("Fault>");
        return result.output();
    }

    private static List<String> jobs(String answer) {
        return JOB.matcher(answer).results().map(found -> found.group(1)).toList();
    }

    private List<String> states(List<String> jobs) throws Exception {
        return Pattern.compile("<(?:\\w+:)?name>([A-Z-]+)<")
                .matcher(good(named("JobStatus", jobs)))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** The ids that the jobs have told, each as often as it was told. */
    private List<String> told(String name) throws IOException {
        List<String> all = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve(name))) {
            all.add(line.substring(line.lastIndexOf('/') + 1));
        }
        return all;
    }
}
