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
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * One flow over two gateways: files are fetched, moved to the other gateway, worked on there, moved back and worked on here. Each gateway is
 * killed in the middle.
 */
class FlowIT extends TwoGateways {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private void awaitState(String id, String state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api("/jobs/" + id)).contains("\"state\":\"" + state + "\""));
    }

    private static String step(String id, String rest, String... after) {
        List<String> waits = Arrays.stream(after)
                .map(one -> one.contains(":")
                        ? "{\"id\": \"" + one.split(":", 2)[0] + "\", \"when\": \"" + one.split(":", 2)[1] + "\"}"
                        : "{\"id\": \"" + one + "\"}")
                .toList();
        return "{\"id\": \"" + id + "\", " + rest
                + (waits.isEmpty() ? "" : ", \"after\": [" + String.join(", ", waits) + "]") + "}";
    }

    private static String move(String from, String to, String credential) {
        return "\"stageIn\": [{\"source\": \"" + from + "\", \"destination\": \"" + to
                + "\"}], \"credentials\": {\"files\": \"" + credential + "\"}";
    }

    private static String sh(String lrm, String script) {
        return "\"lrm\": \"" + lrm + "\", \"executable\": \"/bin/sh\", \"arguments\": [\"-c\", \"" + script + "\"]";
    }

    @Test
    void aFlowOverTwoGatewaysEndsWellThoughEachIsKilledMeanwhile() throws Exception {
        byte[] content = new byte[16 * 1024 * 1024];
        new Random(1).nextBytes(content);
        Arrays.fill(content, 0, content.length / 2, (byte) 7); // a half that packing makes smaller
        String tree = "https://localhost:" + there.port() + "/api/v1/trees/area/content/";
        Path runs = folder.resolve("runs");
        try (FileServer server = new FileServer(here)) {
            server.put("/big", content);
            server.slowDown(15); // about 4 MiB/s
            String credential = delegated();
            String flow = submit("{\"subJobs\": ["
                    + String.join(
                            ", ",
                            step("import", move(server.url("/big"), "file://" + folder + "/big", credential)),
                            step(
                                    "there",
                                    move("file://" + folder + "/big", tree + "big", credential)
                                            + ", \"stageInOptions\": {\"compress\": \"always\"}",
                                    "import"),
                            step(
                                    "work",
                                    sh(
                                            Gateway.OTHER,
                                            "echo work >> " + runs + "; sleep 3; sha256sum < " + area + "/big > " + area
                                                    + "/sum"),
                                    "there"),
                            step("back", move(tree + "sum", "file://" + folder + "/sum", credential), "work"),
                            step("script", sh(Gateway.LRM, "echo script >> " + runs), "back:ok", "work:any"),
                            step("tidy", sh(Gateway.LRM, "echo tidy >> " + runs), "work:failed"))
                    + "]}");
            Awaitility.await().atMost(PATIENCE).until(() -> server.sent() > 4 * 1024 * 1024);
            assertThat(api("/jobs/" + flow + "/subJobs"))
                    .contains("it waits for other jobs of its flow: back is to end well, work is to be over");
            here.kill();
            server.slowDown(0);
            here.startAgain();

            Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(runs));
            assertThat(folder.resolve("big")).hasBinaryContent(content);
            there.kill();
            here.kill();
            here.startAgain();
            there.startAgain();

            awaitState(flow, "Done");
            assertThat(Files.readAllLines(runs)).containsExactly("work", "script");
            assertThat(folder.resolve("sum")).exists().isNotEmptyFile();
            assertThat(area.resolve("big")).hasBinaryContent(content);
            assertThat(api("/jobs/" + flow + "/subJobs"))
                    .contains("The job was left out of its flow: work is to fail, and it ended well.");
        }
    }

    /** What a transfer to the other gateway and one back took: seconds with the job around them, and bytes on the network. */
    private record Moved(String seconds, long bytesThere, long bytesBack) {}

    /** The file goes there and comes back over such a network. */
    private Moved moved(double megabits, String compress, Path file, String credential) throws Exception {
        StringBuilder told = new StringBuilder();
        long to;
        long from;
        try (SlowRelay relay = SlowRelay.before(there.port(), megabits)) {
            String far = "https://localhost:" + relay.port() + "/api/v1/trees/area/content/packed";
            Path copy = folder.resolve("back");
            for (String move :
                    List.of(move("file://" + file, far, credential), move(far, "file://" + copy, credential))) {
                long begin = System.nanoTime();
                String job = submit("{" + move + ", \"stageInOptions\": {\"compress\": \"" + compress + "\"}}");
                Awaitility.await()
                        .atMost(Duration.ofMinutes(5))
                        .pollInterval(Duration.ofMillis(100))
                        .until(() -> api("/jobs/" + job + "?fields=state").contains("\"Done\""));
                told.append(String.format(" %.1f", (System.nanoTime() - begin) / 1e9));
            }
            assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
            Files.delete(copy);
            Files.delete(area.resolve("packed"));
            to = relay.sent();
            from = relay.received();
        }
        return new Moved(told.toString().strip(), to, from);
    }

    /**
     * The bytes on the network are compared, which are the same on each machine; the seconds, with the overhead of the job, are told. By hand with
     * other speeds: {@code -Djobgate.it.megabits=1,5,20,100} tells them there and back, never packed, always, auto.
     */
    @Test
    void aLogGoesPackedOverASlowNetworkInFewerBytes(TestReporter reporter) throws Exception {
        StringBuilder log = new StringBuilder();
        for (int i = 0; log.length() < Integer.getInteger("jobgate.it.bytes", 3_000_000); i++) {
            log.append("2026-11-26T12:")
                    .append(i % 60)
                    .append(" request ")
                    .append(i * 7919L)
                    .append(" was answered\n");
        }
        Path text = Files.writeString(folder.resolve("log"), log);
        String credential = delegated();
        for (String megabits : System.getProperty("jobgate.it.megabits", "5").split(",", -1)) {
            List<Moved> all = new ArrayList<>();
            for (String compress : List.of("never", "always", "auto")) {
                all.add(moved(Double.parseDouble(megabits), compress, text, credential));
            }
            reporter.publishEntry(megabits + " Mbit/s, " + log.length() + " bytes, there and back: " + all);
            Moved never = all.get(0);
            Moved always = all.get(1);
            assertThat(never.bytesThere()).as(all.toString()).isGreaterThan(log.length());
            assertThat(never.bytesBack()).as(all.toString()).isGreaterThan(log.length());
            assertThat(always.bytesThere()).as(all.toString()).isLessThan(never.bytesThere() / 3);
            assertThat(always.bytesBack()).as(all.toString()).isLessThan(never.bytesBack() / 3);
        }
    }

    @Test
    void aJobThatWaitsForOneOfAnEarlierSubmissionSurvivesKills() throws Exception {
        Path go = folder.resolve("go");
        Path runs = folder.resolve("order");
        String first = submit("{" + sh(Gateway.LRM, WaitingJobs.until(go) + "; echo first >> " + runs) + "}");
        String waits = "], \"after\": [{\"id\": \"" + first + "\", \"when\": \"%s\"}]}";
        String words =
                "{\"lrm\": \"%s\", \"executable\": \"/bin/sh\", \"arguments\": [\"-c\", \"echo %s >> " + runs + "\"";
        String second = submit(words.formatted(Gateway.LRM, "second") + waits.formatted("ok"));
        String left = submit(words.formatted(Gateway.LRM, "left") + waits.formatted("failed"));
        String third = submit(
                words.formatted(Gateway.OTHER, "third") + waits.formatted("any").replace(first, second));
        assertThat(api("/jobs/" + second + "/explain")).contains("it waits for job " + first + " to end well");
        here.kill();
        Files.createFile(go);
        here.startAgain();

        awaitState(third, "Done");
        awaitState(left, "Cancelled");
        assertThat(Files.readAllLines(runs)).containsExactly("first", "second", "third");
    }

    @Test
    void aFlowIsCancelledAsAWholeWithTheTransferThatIsOnItsWay() throws Exception {
        try (FileServer server = new FileServer(here)) {
            server.put("/big", new byte[24 * 1024 * 1024]);
            server.slowDown(1000);
            String flow = submit("{\"subJobs\": ["
                    + step("import", move(server.url("/big"), "file://" + folder + "/big", delegated())) + ", "
                    + step("work", sh(Gateway.LRM, "echo work >> " + folder + "/runs"), "import:any") + "]}");
            Awaitility.await().atMost(PATIENCE).until(() -> server.sent() > 0);

            api("/jobs/" + flow + "/cancel", "-X", "POST");

            awaitState(flow, "Cancelled");
            assertThat(folder.resolve("runs")).doesNotExist();
            Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(folder.resolve("big")));
        }
    }
}
