// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files of jobs with {@code globusrun-ws -S}, a real gateway and a web server that wants to see the delegated credential. */
@ExtendWith(OneGateway.class)
class StagingIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path folder;

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    private String here(String name) {
        return "file://" + folder + "/" + name;
    }

    private String description(String name, String job) throws Exception {
        return Files.writeString(folder.resolve(name), "<job>" + job + "</job>").toString();
    }

    private static List<String> submit(Gateway gateway, String description, String... more) {
        List<String> command = new java.util.ArrayList<>(List.of(
                Checkout.directory().resolve("bin/globusrun-ws").toString(),
                "-submit",
                "-S",
                "-F",
                "localhost:" + gateway.port(),
                "-f",
                description));
        command.addAll(List.of(more));
        return command;
    }

    /** The changes of a job, as the REST API has them. */
    private static String history(Gateway gateway, Path epr) throws Exception {
        String id = Files.readString(epr).replaceFirst("(?s)^.*ResourceID[^>]*>([0-9a-f-]{36})<.*$", "$1");
        return gateway.clients()
                .runWell(new SrmPrograms(gateway)
                        .curl("https://localhost:" + gateway.port() + "/api/v1/jobs/" + id + "/history"));
    }

    private static String monitor(Gateway gateway, Path epr) throws Exception {
        return gateway.clients()
                .run(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(), "-monitor", "-j", epr.toString()))
                .output();
    }

    @Test
    void filesComeGoAndAreCleanedUp(Gateway gateway) throws Exception {
        try (FileServer server = new FileServer(gateway)) {
            server.put("/in", random(10_240));
            server.put("/stdin", random(5_000));
            server.put(
                    "/program",
                    "#!/bin/sh\ncat \"$@\"; cat; test -d \"$SCRATCH_DIRECTORY\"\n"
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            Files.write(folder.resolve("local"), random(10_241));
            String job = description(
                    "job.xml",
                    "<executable>" + folder.resolve("new/program") + "</executable>"
                            + "<argument>" + folder.resolve("new/in") + "</argument>"
                            + "<argument>" + folder.resolve("new/copy") + "</argument>"
                            + "<stdin>" + server.url("/stdin") + "</stdin>"
                            + "<stdout>" + server.url("/stdout") + "</stdout>"
                            + "<fileStageIn><maxAttempts>3</maxAttempts>"
                            + copy(server.url("/program"), here("new/program"))
                            + copy(server.url("/in"), here("new/in"))
                            + copy(here("local"), here("new/copy")) + "</fileStageIn>"
                            + "<fileStageOut>" + copy(here("new/copy"), server.url("/out")) + "</fileStageOut>"
                            + "<fileCleanUp><deletion><file>" + here("new/") + "</file></deletion><deletion><file>"
                            + here("missing") + "</file></deletion></fileCleanUp>");
            Path epr = folder.resolve("job.epr");
            gateway.clients().runWell(submit(gateway, job, "-b", "-o", epr.toString()));

            // who looks now and then may miss a state; the job's history has them all
            Awaitility.await().atMost(PATIENCE).until(() -> status(gateway, epr).contains("Done"));
            assertThat(history(gateway, epr))
                    .containsSubsequence("\"StageIn\"", "\"StageOut\"", "\"CleanUp\"", "\"Done\"");
            byte[] expected = new byte[10_240 + 10_241 + 5_000];
            System.arraycopy(random(10_240), 0, expected, 0, 10_240);
            System.arraycopy(random(10_241), 0, expected, 10_240, 10_241);
            System.arraycopy(random(5_000), 0, expected, 10_240 + 10_241, 5_000);
            assertThat(server.get("/stdout")).isEqualTo(expected);
            assertThat(server.get("/out")).isEqualTo(random(10_241));
            assertThat(folder.resolve("new")).doesNotExist();
            assertThat(server.callers()).isNotEmpty().allMatch(subject -> subject.contains("CN=interop"));

            String failing = description(
                    "failing.xml",
                    "<executable>/bin/true</executable><fileStageIn>" + copy(server.url("/missing"), here("x"))
                            + "</fileStageIn>");
            Programs.Result result = gateway.clients().run(submit(gateway, failing));
            assertThat(result.status()).isNotZero();
            assertThat(result.output())
                    .contains("Staging error for RSL element fileStageIn, from " + server.url("/missing"))
                    .contains("after 1 attempt", "no such file", "Correct the URL");
        }
    }

    @Test
    void filesComeFromAndGoToGridFtpServers() throws Exception {
        try (GridFtpServers servers = GridFtpServers.need(folder);
                Gateway gateway = Gateway.startBeside(servers)) {
            servers.put("in", random(10_240));
            servers.put("far", random(3_000_001));
            String job = description(
                    "job.xml",
                    "<executable>/bin/cp</executable><argument>" + folder.resolve("in") + "</argument><argument>"
                            + folder.resolve("out") + "</argument><fileStageIn>"
                            + copy(servers.first("in"), here("in"))
                            + copy(servers.first("far"), servers.second("third-party"))
                            + "</fileStageIn><fileStageOut>" + copy(here("out"), servers.second("new/out"))
                            + "</fileStageOut><fileCleanUp><deletion><file>" + servers.first("in")
                            + "</file></deletion></fileCleanUp>");

            String said = gateway.clients().runWell(submit(gateway, job));

            assertThat(said).contains("Done"); // a state between two looks is not told
            assertThat(servers.get("new/out")).isEqualTo(random(10_240));
            assertThat(servers.get("third-party")).isEqualTo(random(3_000_001));
            assertThat(servers.has("in")).isFalse();

            assertFilesOfAnActivityMove(gateway, servers);

            String failing = description(
                    "failing.xml",
                    "<executable>/bin/true</executable><fileStageIn>" + copy(servers.first("missing"), here("x"))
                            + "</fileStageIn>");
            Programs.Result result = gateway.clients().run(submit(gateway, failing));
            assertThat(result.status()).isNotZero();
            assertThat(result.output()).contains(servers.first("missing"), "at the GridFTP server");
        }
    }

    /** With a credential that the document names: one file comes from one server, and goes to both of them. */
    private void assertFilesOfAnActivityMove(Gateway gateway, GridFtpServers servers) throws Exception {
        servers.put("for-activity", random(20_480));
        Path credential = folder.resolve("of-activity.epr");
        bin(gateway, "globus-credential-delegate", "-p", Integer.toString(gateway.port()), credential.toString());
        Matcher key = Pattern.compile("<[^<>]*DelegationKey[^<>]*>([^<]+)<").matcher(Files.readString(credential));
        assertThat(key.find()).as(Files.readString(credential)).isTrue();
        Path document = Files.writeString(
                folder.resolve("job.jsdl"),
                "<JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/11/jsdl'><JobDescription><Application>"
                        + "<p:POSIXApplication xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'><p:Executable>/bin/cp</p:Executable>"
                        + "<p:Argument>a</p:Argument><p:Argument>b</p:Argument><p:WorkingDirectory>"
                        + folder.resolve("activity") + "</p:WorkingDirectory></p:POSIXApplication></Application>"
                        + staged("a", "<Source><URI>" + servers.first("for-activity") + "</URI></Source>")
                        + staged("b", "<Target><URI>" + servers.first("of-activity-1") + "</URI></Target>")
                        + staged("b", "<Target><URI>" + servers.second("of-activity-2") + "</URI></Target>")
                        + "<jg:Job xmlns:jg='https://jobgate.org/ns/2026/jsdl'><jg:Credentials><jg:Credential use='FILES'>"
                        + key.group(1) + "</jg:Credential></jg:Credentials></jg:Job></JobDescription></JobDefinition>");

        bin(gateway, "bes", "create", "-F", gateway.bes(), "-w", document.toString());

        assertThat(folder.resolve("activity/b")).hasBinaryContent(random(20_480));
        assertThat(servers.get("of-activity-1")).isEqualTo(random(20_480));
        assertThat(servers.get("of-activity-2")).isEqualTo(random(20_480));
    }

    private static String staged(String name, String where) {
        return "<DataStaging><FileName>" + name + "</FileName><CreationFlag>overwrite</CreationFlag>" + where
                + "</DataStaging>";
    }

    /** They would be kept for the next file for two minutes. */
    @Test
    void sessionsAreClosedWhenTheirCredentialIsDestroyed() throws Exception {
        try (GridFtpServers lab = GridFtpServers.need(folder);
                OwnGridFtpServer server = OwnGridFtpServer.start(lab, folder);
                Gateway gateway = Gateway.startBeside(lab)) {
            lab.put("in", random(10_240));
            Path credential = folder.resolve("credential.epr");
            bin(gateway, "globus-credential-delegate", "-p", Integer.toString(gateway.port()), credential.toString());
            String job = description(
                    "job.xml",
                    "<executable>/bin/true</executable><fileStageIn>" + copy(server.url("in"), here("in"))
                            + "</fileStageIn>");
            bin(
                    gateway,
                    "globusrun-ws",
                    "-submit",
                    "-F",
                    "localhost:" + gateway.port(),
                    "-Sf",
                    credential.toString(),
                    "-f",
                    job);
            assertThat(folder.resolve("in")).hasBinaryContent(random(10_240));
            assertThat(server.sessions()).isPositive();

            bin(gateway, "wsrf-destroy", "-e", credential.toString());

            Awaitility.await().atMost(PATIENCE).until(() -> server.sessions() == 0);
        }
    }

    private static void bin(Gateway gateway, String command, String... words) throws Exception {
        List<String> all = new java.util.ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + command).toString()));
        all.addAll(List.of(words));
        gateway.clients().runWell(all);
    }

    @Test
    void aGatewayKilledInTheMiddleGoesOnFromTheMarkerAndTheJobRunsOnce(Gateway gateway) throws Exception {
        byte[] content = random(24 * 1024 * 1024);
        try (FileServer server = new FileServer(gateway)) {
            server.put("/big", content);
            server.slowDown(15); // about 4 MiB/s
            // however long it takes until the kill, the job does not get the whole file before
            server.sendAtMost(16 * MIB);
            Path epr = folder.resolve("job.epr");
            String job = description(
                    "job.xml",
                    "<executable>/bin/sh</executable><argument>-c</argument><argument>echo ran >> "
                            + folder.resolve("runs") + "</argument><fileStageIn>"
                            + copy(server.url("/big"), here("big")) + "</fileStageIn>");
            gateway.clients().runWell(submit(gateway, job, "-b", "-o", epr.toString()));
            // what was sent may be on its way for long on a slow machine: what counts is what has come
            Awaitility.await().atMost(PATIENCE).until(() -> onItsWay() > 12 * MIB);
            gateway.kill();
            assertThat(folder.resolve("runs")).doesNotExist();
            assertThat(folder.resolve("big")).doesNotExist();
            server.slowDown(0);
            server.sendTheRest();
            gateway.startAgain();

            assertThat(monitor(gateway, epr)).contains("Done");
            assertThat(Files.readAllBytes(folder.resolve("big"))).isEqualTo(content);
            assertThat(Files.readAllLines(folder.resolve("runs"))).containsExactly("ran");
            assertThat(server.offsets()).hasSize(2).first().isEqualTo(0L);
            assertThat(server.offsets().getLast()).isGreaterThan(4L * MIB);
        }
    }

    /** How large the parts of files are that come to the test's directory. */
    private long onItsWay() {
        File[] parts = folder.toFile().listFiles((directory, name) -> name.endsWith(".part"));
        return parts == null ? 0 : Arrays.stream(parts).mapToLong(File::length).sum();
    }

    @Test
    void aCancelEndsATransfer(Gateway gateway) throws Exception {
        try (FileServer server = new FileServer(gateway)) {
            server.put("/big", random(24 * 1024 * 1024));
            server.slowDown(1000);
            Path epr = folder.resolve("job.epr");
            String job = description(
                    "job.xml",
                    "<executable>/bin/true</executable><fileStageIn>" + copy(server.url("/big"), here("big"))
                            + "</fileStageIn>");
            gateway.clients().runWell(submit(gateway, job, "-b", "-o", epr.toString()));
            Awaitility.await().atMost(PATIENCE).until(() -> server.sent() > 0);
            gateway.clients()
                    .runWell(List.of(
                            Checkout.directory().resolve("bin/globusrun-ws").toString(),
                            "-kill",
                            "-j",
                            epr.toString()));
            Awaitility.await().atMost(PATIENCE).until(() -> {
                String[] left = folder.toFile().list((directory, name) -> name.endsWith(".part"));
                return left != null && left.length == 0;
            });
            assertThat(folder.resolve("big")).doesNotExist();
        }
    }

    /** In each phase: nothing is left on its way, and the job is over. */
    @Test
    void aJobIsCancelledWhileItsFilesAreSentAndBeforeItsCleanUp(Gateway gateway) throws Exception {
        try (FileServer server = new FileServer(gateway)) {
            Files.write(folder.resolve("out"), random(48 * 1024 * 1024));
            server.slowDown(200);
            Path epr = folder.resolve("job.epr");
            String job = description(
                    "out.xml",
                    "<executable>/bin/true</executable><fileStageOut>" + copy(here("out"), server.url("/out"))
                            + "</fileStageOut><fileCleanUp><deletion><file>" + here("left")
                            + "</file></deletion></fileCleanUp>");
            Files.createFile(folder.resolve("left"));
            gateway.clients().runWell(submit(gateway, job, "-b", "-o", epr.toString()));
            Awaitility.await().atMost(PATIENCE).until(() -> server.received() > 0);
            kill(gateway, epr);
            // what it asked to have deleted is deleted all the same
            Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(folder.resolve("left")));
            assertThat(server.get("/out")).isEmpty();

            Files.createFile(folder.resolve("left"));
            String held = description(
                    "held.xml",
                    "<executable>/bin/true</executable><holdState>CleanUp</holdState><fileCleanUp><deletion><file>"
                            + here("left") + "</file></deletion></fileCleanUp>");
            gateway.clients().runWell(submit(gateway, held, "-b", "-o", epr.toString()));
            Awaitility.await().atMost(PATIENCE).until(() -> status(gateway, epr).contains("CleanUp-Hold"));
            assertThat(folder.resolve("left")).exists();
            kill(gateway, epr);
            Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(folder.resolve("left")));
        }
    }

    private static void kill(Gateway gateway, Path epr) throws Exception {
        gateway.clients()
                .runWell(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(), "-kill", "-j", epr.toString()));
    }

    private static String status(Gateway gateway, Path epr) throws Exception {
        return gateway.clients()
                .run(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(), "-status", "-j", epr.toString()))
                .output();
    }
}
