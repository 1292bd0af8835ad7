// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with tickets to Chirp's own server: made, used, renewed and withdrawn. */
class ChirpIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path CURL = Path.of("/usr/bin/curl");
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    @TempDir
    private static Path area;

    private static ChirpServer server;
    private static Gateway gateway;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                ChirpServer.isInstalled() && Files.exists(CURL),
                "SKIPPED: chirp_server, chirp or curl is not there; on Debian: apt-get install coop-computing-tools curl");
        server = ChirpServer.in(area);
        Files.writeString(server.export().resolve("in/a"), "what is in a\n");
        gateway = Gateway.startWith("""
                chirp: { longestTicket: 45s, margin: 20s, answerTimeout: 10s }
                chirpServers: [ { name: data, address: "%s", directories: [ /in, /gone ], writable: [ /out ] } ]
                """.formatted(server.address()));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private String api(String path, String... words) throws Exception {
        return gateway.clients().run(command(path, words)).output();
    }

    private static List<String> command(String path, String... words) {
        List<String> command = new ArrayList<>(List.of(
                CURL.toString(),
                "-sS",
                "--capath",
                gateway.trustDirectory().toString(),
                "--cert",
                gateway.proxy().toString(),
                "--key",
                gateway.proxy().toString()));
        command.addAll(Arrays.asList(words));
        command.add("https://localhost:" + gateway.port() + "/api/v1" + path);
        return command;
    }

    private String asked(String description) throws Exception {
        Path request = Files.writeString(folder.resolve("job.json"), description);
        return api("/jobs", "-H", "Content-Type: application/json", "-d", "@" + request);
    }

    private String submit(String script, String more) throws Exception {
        Path file = Files.createTempFile(folder, "script", ".sh");
        Files.writeString(file, script);
        String answer = asked("{\"executable\": \"/bin/sh\", \"arguments\": [\"" + file + "\"], \"directory\": \""
                + folder + "\", \"stdout\": \"" + file + ".out\", \"stderr\": \"" + file + ".err\"" + more + "}");
        Matcher id = ID.matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    private static final String CHIRP = ", \"chirp\": {\"read\": [\"/in\"], \"write\": [\"/out\"]}";

    private void awaitState(String id, String state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api("/jobs/" + id)).contains("\"state\":\"" + state + "\""));
    }

    private static void awaitNoTickets() {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(server.tickets()).isEmpty());
    }

    @Test
    void aJobReadsAndWritesByATicketThatEndsWithIt() throws Exception {
        Path said = folder.resolve("said");
        String job = submit("""
                exec >%1$s 2>&1
                echo "$CHIRP_CLIENT_TICKETS"
                stat -c %%a "$CHIRP_CLIENT_TICKETS"
                chirp -a ticket -t 60 "$JOBGATE_CHIRP_SERVER" cat /in/a
                echo written >w; chirp -a ticket -t 60 "$JOBGATE_CHIRP_SERVER" put w /out/w
                chirp -a ticket -t 60 "$JOBGATE_CHIRP_SERVER" put w /in/w || echo not written
                chirp -a ticket -t 60 "$JOBGATE_CHIRP_SERVER" ls /closed || echo not listed
                cp "$CHIRP_CLIENT_TICKETS" kept
                """.formatted(said), CHIRP);
        awaitState(job, "Done");
        assertThat(said).content().contains("\n600\n", "what is in a\n", "not written\n", "not listed\n");
        assertThat(server.export().resolve("out/w")).hasContent("written");
        assertThat(server.export().resolve("in/w")).doesNotExist();
        awaitNoTickets();
        Path ticket = Path.of(Files.readAllLines(said).getFirst());
        Awaitility.await().atMost(PATIENCE).until(() -> !Files.exists(ticket));
        Path kept = folder.resolve("kept");
        assertThat(kept).content().contains("PRIVATE KEY-----");
        assertThat(gateway.clients()
                        .run(List.of(
                                "chirp",
                                "-a",
                                "ticket",
                                "-i",
                                kept.toString(),
                                "-t",
                                "5",
                                server.address(),
                                "cat",
                                "/in/a"))
                        .status())
                .isNotZero();
        assertThat(gateway.log()).contains("Made the ticket ticket:").doesNotContain("PRIVATE KEY");
    }

    @Test
    void whatTheSiteOrTheServerDoesNotGiveIsRefusedByItsName() throws Exception {
        String begin = "{\"executable\": \"/bin/true\", \"chirp\": ";
        assertThat(asked(begin + "{\"read\": [\"/closed\"]}}")).contains("no tickets to read in /closed");
        assertThat(asked(begin + "{\"write\": [\"/in\"]}}")).contains("no tickets to write in /in");
        assertThat(asked(begin + "{\"read\": [\"/in/../closed\"]}}")).contains("is no absolute path");
        assertThat(asked(begin + "{\"server\": \"other\", \"read\": [\"/in\"]}}"))
                .contains("There is no Chirp server other here; there are: data.");
        String job = submit("true", ", \"chirp\": {\"read\": [\"/gone\"]}");
        awaitState(job, "Failed");
        assertThat(api("/jobs/" + job)).contains("/gone: No such file or directory");
    }

    @Test
    void aServerThatHangsAndAKillOfTheGatewayLoseNoTicketAndHoldNoOtherJob() throws Exception {
        server.signal("STOP");
        try {
            String job = submit("chirp -a ticket \"$JOBGATE_CHIRP_SERVER\" cat /in/a >" + folder + "/read", CHIRP);
            String other = submit("true", "");
            awaitState(other, "Done");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(gateway.log()).contains("The ticket of job " + job + " has to wait"));
            gateway.kill();
            server.signal("CONT");
            gateway.startAgain();
            awaitState(job, "Done");
            assertThat(folder.resolve("read")).hasContent("what is in a");
            // one is withdrawn of a job that ends while the gateway is away
            String last = submit(WaitingJobs.until(folder.resolve("end")), CHIRP);
            awaitState(last, "Active");
            assertThat(server.tickets()).isNotEmpty();
            gateway.kill();
            Files.createFile(folder.resolve("end"));
            gateway.startAgain();
            awaitState(last, "Done");
            awaitNoTickets();
        } finally {
            server.signal("CONT");
        }
    }

    /**
     * A client that runs keeps the ticket that it began with, and is refused at the end of that; one that begins later has the new one. By hand,
     * with {@code -Djobgate.chirp.renewal=true}: a ticket is good for 45 s at least here.
     */
    @Test
    @EnabledIfSystemProperty(
            named = "jobgate.chirp.renewal",
            matches = "true",
            disabledReason = "it waits for a minute")
    void aRenewedTicketIsANewOneInTheSameFile() throws Exception {
        Path said = folder.resolve("said");
        String job = submit("""
                exec >%1$s 2>&1
                cp "$CHIRP_CLIENT_TICKETS" first
                (echo "cat /in/a"; sleep 52; echo "cat /in/a") | chirp -a ticket -i first -t 5 "$JOBGATE_CHIRP_SERVER" >long 2>&1 &
                while cmp -s first "$CHIRP_CLIENT_TICKETS"; do sleep 0.2; done
                chirp -a ticket -i first -t 5 "$JOBGATE_CHIRP_SERVER" cat /in/a && echo the first still works
                chirp -a ticket -t 5 "$JOBGATE_CHIRP_SERVER" cat /in/a && echo the second works
                wait
                chirp -a ticket -i first -t 5 "$JOBGATE_CHIRP_SERVER" cat /in/a || echo the first has ended
                chirp -a ticket -t 5 "$JOBGATE_CHIRP_SERVER" cat /in/a && echo there is a good one
                """.formatted(said), CHIRP);
        awaitState(job, "Done");
        assertThat(said)
                .content()
                .contains("the first still works", "the second works", "the first has ended", "there is a good one");
        assertThat(folder.resolve("long")).content().containsOnlyOnce("what is in a");
        awaitNoTickets();
    }
}
