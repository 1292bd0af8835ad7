// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files of the user's own machine, brought and fetched through the gateway alone, over a network that breaks. */
@ExtendWith(OneGateway.class)
class OwnFilesIT {

    private static final String CURL = "/usr/bin/curl";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

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

    private static List<String> submit(Gateway gateway, Path description, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Checkout.directory().resolve("bin/globusrun-ws").toString(),
                "-submit",
                "-F",
                "localhost:" + gateway.port(),
                "-f",
                description.toString()));
        command.addAll(Arrays.asList(more));
        return command;
    }

    /** What the launcher's Java takes for localhost. */
    private Map<String, String> behind(Gateway gateway, String address) throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), address + " localhost\n");
        Map<String, String> environment = new HashMap<>(gateway.clients().environment());
        environment.put("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts);
        return environment;
    }

    @Test
    void threeFilesComeTwoGoThroughAGatewayWhoseConnectionsAreCut(Gateway gateway) throws Exception {
        byte[] large = random(24 * 1024 * 1024);
        Files.write(folder.resolve("large"), large);
        Files.write(folder.resolve("empty"), new byte[0]);
        Path program = Files.writeString(
                folder.resolve("program"),
                "#!/bin/sh\nmkdir -p out; cat 'in/a b+ä' in/empty >out/copy; pwd; id -un; umask; ls -a >list; exit 3\n");
        program.toFile().setExecutable(true);
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>program</executable><stdout>said</stdout><fileStageIn><maxAttempts>2</maxAttempts>"
                        + copy("client://" + folder + "/program", "program")
                        + copy(folder + "/large", "in/a b+ä")
                        + copy("client:" + folder + "/empty", "in/empty")
                        + "</fileStageIn><fileStageOut>"
                        + copy("out/copy", folder + "/back")
                        + copy("said", "client:" + folder + "/said%20here")
                        + copy("list", folder + "/list")
                        + "</fileStageOut></job>");
        try (CuttingRelay relay = CuttingRelay.on(new byte[] {127, 0, 0, 2}, gateway.port(), 7)) {
            Programs.Result run = new Programs(folder, behind(gateway, "127.0.0.2")).run(submit(gateway, description));
            assertThat(run.status()).as(run.output()).isEqualTo(3);
            assertThat(relay.cuts()).isGreaterThan(3);
            assertThat(run.output())
                    .contains("File in/a b+ä sent: 25165824 bytes.")
                    .contains("File out/copy fetched: 25165824 bytes.")
                    .contains("Current job state: CleanUp-Hold", "Current job state: Done");
        }
        assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("back")), large))
                .isEqualTo(-1);
        List<String> said = Files.readAllLines(folder.resolve("said here"));
        assertThat(said.get(1)).isEqualTo(System.getProperty("user.name"));
        assertThat(said.getFirst()).contains("/.globus/scratch/");
        // the job's own directory held nothing that is not the job's, and is gone
        assertThat(Files.readAllLines(folder.resolve("list")))
                .containsExactlyInAnyOrder(".", "..", "in", "list", "out", "program", "said");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(Path.of(said.getFirst())));
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.contains(".part"));
        }
    }

    @Test
    void filesLandInTheDirectoryThatTheDescriptionNamesAndWithLocalFilesUrlsOfFilesAreOurs(Gateway gateway)
            throws Exception {
        Files.writeString(folder.resolve("in"), "brought\n");
        Path work = folder.resolve("work");
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/cp</executable><directory>" + work + "</directory><argument>sub/in</argument>"
                        + "<argument>out</argument><fileStageIn>"
                        + copy("file://" + folder + "/in", "file://" + work + "/sub/in")
                        + "</fileStageIn><fileStageOut>" + copy("file://" + work + "/out", "file://" + folder + "/back")
                        + copy("none", folder + "/none")
                        + "</fileStageOut></job>");
        Programs.Result run = gateway.clients().run(submit(gateway, description, "-local-files"));
        // one of the two that were to be fetched was never written
        assertThat(run.status()).as(run.output()).isEqualTo(252);
        assertThat(run.output()).contains("Error fetching none: There is no file none.");
        assertThat(folder.resolve("back")).hasContent("brought\n");
        assertThat(folder.resolve("none")).doesNotExist();
        assertThat(work.resolve("sub/in")).hasContent("brought\n");
        // without the option file: is what it was in GT, a file there
        Files.delete(folder.resolve("back"));
        Path plain = Files.writeString(
                folder.resolve("plain.xml"),
                "<job><executable>/bin/true</executable><fileStageOut>"
                        + copy("file://" + work + "/out", "file://" + folder + "/back") + "</fileStageOut></job>");
        gateway.clients().runWell(submit(gateway, plain));
        assertThat(folder.resolve("back")).hasContent("brought\n");
    }

    /** Nobody stays to release such a job: it was left at CleanUp-Hold, and with its files its scratch directory. */
    @Test
    void aJobInTheBackgroundGoesToItsEndWhenItsFilesAreThere(Gateway gateway) throws Exception {
        Files.writeString(folder.resolve("in"), "brought\n");
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/cp</executable><argument>in</argument><argument>" + folder
                        + "/out</argument><fileStageIn>" + copy(folder + "/in", "in") + "</fileStageIn></job>");
        String epr = folder.resolve("job.epr").toString();
        gateway.clients().runWell(submit(gateway, description, "-b", "-o", epr));
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(gateway.clients()
                                .runWell(List.of(
                                        Checkout.directory()
                                                .resolve("bin/globusrun-ws")
                                                .toString(),
                                        "-status",
                                        "-j",
                                        epr)))
                        .contains("Current job state: Done"));
        assertThat(folder.resolve("out")).hasContent("brought\n");
        // one whose output is to be shown later waits for that
        gateway.clients().runWell(submit(gateway, description, "-b", "-s", "-o", epr));
        assertThat(gateway.clients()
                        .runWell(List.of(
                                Checkout.directory().resolve("bin/globusrun-ws").toString(),
                                "-monitor",
                                "-s",
                                "-j",
                                epr)))
                .contains("Current job state: CleanUp-Hold", "Current job state: Done");
    }

    /** One rule for names: what a file may be named is brought, read by the job, fetched, and found by another client. */
    @Test
    void namesAreWhateverFilesAreNamed(Gateway gateway) throws Exception {
        String odd = "a:b 100%\t\\ä";
        Files.writeString(folder.resolve(odd), "brought\n");
        Path work = folder.resolve("my work 100%");
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/sh</executable><directory>" + work + "</directory><argument>-c</argument>"
                        + "<argument>cat \"d 1/" + odd
                        + "\" >'out:%2F#' 2>&amp;1; printf x >\"$(printf 'caf\\351')\"</argument>"
                        + "<fileStageIn>" + copy(folder + "//./" + odd, "./d 1//" + odd)
                        + copy(
                                "client:" + folder + "/a:b%20100%25%09%5C%C3%A4",
                                "file://" + folder + "/my%20work%20100%25/second%20one")
                        + "</fileStageIn><fileStageOut>" + copy("out:%2F#", "client:" + folder + "/back%231")
                        + copy("file://" + folder + "/my%20work%20100%25/second%20one", folder + "/back:2")
                        + "</fileStageOut></job>");
        Programs.Result valid = gateway.clients()
                .run(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(),
                        "-validate",
                        "-f",
                        description.toString()));
        assertThat(valid.status()).as(valid.output()).isZero();
        Programs.Result run = gateway.clients().run(submit(gateway, description, "-n"));
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(folder.resolve("back#1")).hasContent("brought\n");
        assertThat(folder.resolve("back:2")).hasContent("brought\n");
        assertThat(work.resolve("d 1").resolve(odd)).hasContent("brought\n");
    }

    /** A command's words are no description: the service replaces nothing in them. */
    @Test
    void theWordsOfACommandReachTheJobToTheLetter(Gateway gateway) throws Exception {
        Path out = folder.resolve("said");
        String said = gateway.clients()
                .runWell(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(),
                        "-submit",
                        "-s",
                        "-so",
                        out.toString(),
                        "-F",
                        "localhost:" + gateway.port(),
                        "-c",
                        "/bin/echo",
                        "${PATH}",
                        "$${GLOBUS_USER_HOME}",
                        "$HOME"));
        assertThat(out).as(said).hasContent("${PATH} $${GLOBUS_USER_HOME} $HOME\n");
    }

    @Test
    void whatCannotBeIsSaidBeforeAnythingIsSubmitted(Gateway gateway) throws Exception {
        for (Map.Entry<String, String> one : Map.of(
                        copy(folder + "/none", "in"), "is not there, or cannot be read",
                        copy("client:/etc/hostname", "../up"), "is no way to a file below the job's directory",
                        copy("client:/etc/hostname", "/etc/up"), "is not below the job's directory",
                        copy("client:/etc/", "up"), "is a directory")
                .entrySet()) {
            Path description = Files.writeString(
                    folder.resolve("job.xml"),
                    "<job><executable>/bin/true</executable><fileStageIn>" + one.getKey() + "</fileStageIn></job>");
            Programs.Result run = gateway.clients().run(submit(gateway, description));
            assertThat(run.status()).as(run.output()).isEqualTo(254);
            assertThat(run.output()).contains(one.getValue()).doesNotContain("Submitting");
        }
    }

    private List<String> curl(Gateway gateway, String... words) {
        List<String> command = new ArrayList<>(List.of(
                CURL,
                "-sS",
                "--capath",
                gateway.trustDirectory().toString(),
                "--cert",
                gateway.proxy().toString(),
                "--key",
                gateway.proxy().toString()));
        command.addAll(Arrays.asList(words));
        return command;
    }

    /** Another client than ours, with a file that no message could be as large as. */
    @Test
    void curlPutsGoesOnListsReadsAndRemoves(Gateway gateway) throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(Path.of(CURL)), "SKIPPED: curl is not installed");
        Programs clients = gateway.clients();
        byte[] content = random(20_000_000);
        Path file = Files.write(folder.resolve("file"), content);
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/true</executable><directory>" + folder.resolve("job")
                        + "</directory><holdState>StageIn</holdState></job>");
        String epr = folder.resolve("job.epr").toString();
        String said = clients.runWell(submit(gateway, description, "-b", "-o", epr));
        String id = said.lines()
                .filter(line -> line.startsWith("Job resource: "))
                .findFirst()
                .orElseThrow()
                .substring("Job resource: ".length());
        String url = "https://localhost:" + gateway.port() + "/jobs/" + id + "/files/";
        String code = "%{http_code}";
        assertThat(clients.runWell(curl(gateway, "-T", file.toString(), "-w", code, url + "dir/file")))
                .isEqualTo("201");
        assertThat(Files.mismatch(folder.resolve("job/dir/file"), file)).isEqualTo(-1);
        assertThat(clients.runWell(curl(
                        gateway,
                        "-T",
                        file.toString(),
                        "-H",
                        "If-None-Match: *",
                        "-o",
                        "/dev/null",
                        "-w",
                        code,
                        url + "dir/file")))
                .isEqualTo("412");
        // a body that says it is a form, in chunks, without a length
        assertThat(clients.runWell(List.of(
                        "/bin/sh",
                        "-c",
                        "head -c 15000000 \"$0\" | \"$@\"",
                        file.toString(),
                        CURL,
                        "-sS",
                        "--capath",
                        gateway.trustDirectory().toString(),
                        "--cert",
                        gateway.proxy().toString(),
                        "-T",
                        "-",
                        "-H",
                        "Content-Type: application/x-www-form-urlencoded",
                        "-w",
                        code,
                        url + "piped")))
                .isEqualTo("201");
        assertThat(Files.size(folder.resolve("job/piped"))).isEqualTo(15_000_000);
        // goes on in the middle
        Path part = Files.write(folder.resolve("half"), Arrays.copyOf(content, 7_000_000));
        assertThat(clients.runWell(curl(
                        gateway,
                        "-T",
                        part.toString(),
                        "-H",
                        "Content-Range: bytes 0-6999999/20000000",
                        "-w",
                        code,
                        url + "again")))
                .isEqualTo("202");
        assertThat(folder.resolve("job/again")).doesNotExist();
        assertThat(clients.runWell(curl(gateway, "-D", "-", url + "again?upload")))
                .containsIgnoringCase("Upload-Offset: 7000000");
        assertThat(clients.runWell(curl(gateway, "-C", "7000000", "-T", file.toString(), "-w", code, url + "again")))
                .isEqualTo("201");
        assertThat(Files.mismatch(folder.resolve("job/again"), file)).isEqualTo(-1);

        assertThat(clients.runWell(curl(gateway, "-H", "Accept: text/plain", url))
                        .lines())
                .hasSize(3)
                .anyMatch(line -> line.matches("- 20000000 [0-9TZ:-]+ again"))
                .anyMatch(line -> line.matches("d [0-9]+ [0-9TZ:-]+ dir"));
        assertThat(clients.runWell(curl(gateway, url + "dir/")))
                .contains("\"name\":\"file\",\"encodedName\":\"file\",\"kind\":\"file\"");
        Path back = folder.resolve("back");
        clients.runWell(curl(gateway, "-o", back.toString(), url + "again"));
        assertThat(Files.mismatch(back, file)).isEqualTo(-1);
        for (String hostile : List.of("../file", "%2e%2e/file", "a%2f..%2f..%2ffile", "a%00b", "..%2ffile")) {
            String answer = clients.runWell(
                    curl(gateway, "--path-as-is", "-T", part.toString(), "-o", "/dev/null", "-w", code, url + hostile));
            assertThat(answer).as(hostile).isIn("400", "404");
        }
        assertThat(Files.mismatch(folder.resolve("file"), file)).isEqualTo(-1);
        assertThat(clients.runWell(curl(gateway, "-X", "DELETE", "-w", code, url + "again")))
                .isEqualTo("204");
        assertThat(folder.resolve("job/again")).doesNotExist();
        clients.runWell(List.of(Checkout.directory().resolve("bin/globusrun-ws").toString(), "-kill", "-j", epr));
        assertThat(clients.runWell(curl(gateway, "-T", part.toString(), "-o", "/dev/null", "-w", code, url + "late")))
                .isIn("404", "409");
        assertThat(new String(Files.readAllBytes(part), StandardCharsets.ISO_8859_1))
                .hasSize(7_000_000);
    }

    private static byte[] log(int size) {
        StringBuilder text = new StringBuilder(size + 100);
        Random random = new Random(size);
        while (text.length() < size) {
            text.append("2026-11-22T20:22:14Z event ")
                    .append(random.nextInt(1_000_000))
                    .append(" of job ");
            text.append(random.nextInt(100))
                    .append(" on node")
                    .append(random.nextInt(32))
                    .append(" was seen\n");
        }
        return text.substring(0, size).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * A log there and back over a slow network, as it is and packed: the bytes on the network are compared, which are the same on each machine.
     * The figures, with the seconds, go to {@code target/packing.txt}; {@code -Djobgate.it.megabits=1,5,100} takes them at other speeds.
     */
    @Test
    void packingPaysWhereTheNetworkIsSlow(Gateway gateway) throws Exception {
        byte[] log = log(8_000_000);
        Files.write(folder.resolve("log"), log);
        Path description = Files.writeString(
                folder.resolve("log.xml"),
                "<job><executable>/bin/cp</executable><argument>in</argument><argument>out</argument><fileStageIn>"
                        + copy("client://" + folder + "/log", "in") + "</fileStageIn><fileStageOut>"
                        + copy("out", folder + "/log.back") + "</fileStageOut></job>");
        StringBuilder figures = new StringBuilder();
        for (String speed : System.getProperty("jobgate.it.megabits", "20").split(",", -1)) {
            try (SlowRelay relay =
                    new SlowRelay(new byte[] {127, 0, 0, 3}, gateway.port(), Double.parseDouble(speed))) {
                Moved never = moved(gateway, relay, description, "never");
                Moved always = moved(gateway, relay, description, "always");
                Moved auto = moved(gateway, relay, description, "auto");
                String told = "%s Mbit/s, 8 MB of a log there and back: never %s, always %s, auto %s%n"
                        .formatted(speed, never, always, auto);
                figures.append(told);
                assertThat(never.bytes()).as(told).isGreaterThan(2L * log.length);
                assertThat(always.bytes()).as(told).isLessThan(never.bytes() / 2);
                if (Double.parseDouble(speed) <= 20) {
                    assertThat(auto.bytes()).as(told).isLessThan(never.bytes() * 4 / 5);
                }
            }
        }
        Files.writeString(Path.of("target/packing.txt"), figures);
    }

    /** What a file there and back took: seconds with the job around it, and bytes on the network in both directions. */
    private record Moved(double seconds, long bytes) {
        @Override
        public String toString() {
            return "%.1f s, %d bytes".formatted(seconds, bytes);
        }
    }

    private Moved moved(Gateway gateway, SlowRelay relay, Path description, String when) throws Exception {
        Files.deleteIfExists(folder.resolve("log.back"));
        long before = relay.sent() + relay.received();
        long begin = System.nanoTime();
        new Programs(folder, behind(gateway, "127.0.0.3")).runWell(submit(gateway, description, "-compress", when));
        double taken = (System.nanoTime() - begin) / 1e9;
        assertThat(folder.resolve("log.back")).hasBinaryContent(Files.readAllBytes(folder.resolve("log")));
        return new Moved(taken, relay.sent() + relay.received() - before);
    }
}
