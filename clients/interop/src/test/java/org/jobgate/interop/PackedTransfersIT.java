// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Files that go packed between two gateways over a slow network, with each codec, while each gateway is killed. */
class PackedTransfersIT extends TwoGateways {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String AUTO = "auto";
    private static final List<String> CODECS = List.of("zstd:3", "gzip", "zip:6", "bzip2:2", AUTO);

    private String move(String from, String to, String compress, String credential) throws Exception {
        return submit("{\"stageIn\": [{\"source\": \"" + from + "\", \"destination\": \"" + to
                + "\"}], \"credentials\": {\"files\": \"" + credential
                + "\"}, \"stageInOptions\": {\"compress\": \"" + compress + "\", \"maxAttempts\": \"20\"}}");
    }

    /** Each file is half noise, so that about half of it goes over the network, and has its own first bytes. */
    private static byte[] content(int number) {
        byte[] content = new byte[12 * 1024 * 1024];
        new Random(number).nextBytes(content);
        for (int at = 0; at < content.length; at += 4096) {
            Arrays.fill(content, at, at + 2048, (byte) number);
        }
        return content;
    }

    /**
     * All codecs in both directions at once, so that each gateway has to be killed only once. What "auto" packs depends on how fast this machine is just
     * now, so it has a network of its own, whose bytes are not counted.
     */
    @Test
    void withEachCodecATransferGoesOnThoughEachGatewayIsKilled() throws Exception {
        String credential = delegated();
        Map<String, String> jobs = new LinkedHashMap<>();
        long bytes = 0;
        try (SlowRelay relay = SlowRelay.before(there.port(), 10);
                SlowRelay ofAuto = SlowRelay.before(there.port(), 5)) {
            for (int i = 0; i < CODECS.size(); i++) {
                byte[] content = content(i);
                bytes += CODECS.get(i).equals(AUTO) ? 0 : content.length;
                Files.write(folder.resolve("out-" + i), content);
                Files.write(area.resolve("in-" + i), content);
            }
            for (int i = 0; i < CODECS.size(); i++) {
                String codec = CODECS.get(i);
                int port = (codec.equals(AUTO) ? ofAuto : relay).port();
                String tree = "https://localhost:" + port + "/api/v1/trees/area/content/";
                jobs.put(move("file://" + folder + "/out-" + i, tree + "out-" + i, codec, credential), codec);
                jobs.put(move(tree + "in-" + i, "file://" + folder + "/in-" + i, codec, credential), codec);
            }
            long third = bytes / 6;
            Awaitility.await().atMost(PATIENCE).until(() -> relay.sent() > third && relay.received() > third);
            here.kill();
            here.startAgain();
            long two = bytes * 3 / 10;
            Awaitility.await().atMost(PATIENCE).until(() -> relay.sent() > two && relay.received() > two);
            there.kill();
            there.startAgain();
            for (Map.Entry<String, String> job : jobs.entrySet()) {
                Awaitility.await()
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(500))
                        .untilAsserted(() -> assertThat(api("/jobs/" + job.getKey()))
                                .as(job.getValue())
                                .contains("\"state\":\"Done\""));
            }
            for (Map.Entry<String, String> job : jobs.entrySet()) {
                String codec = job.getValue();
                Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                                api("/jobs/" + job.getKey() + "/history"))
                        .as(codec)
                        .contains(codec.equals(AUTO) ? "" : "on the way "));
            }
            // Half of each file, and what was on its way or packed when a gateway was killed. From the beginning it
            // would be 0.3 at the second
            // kill, and half again.
            assertThat(relay.sent()).as("of %s", bytes).isLessThan(bytes * 3 / 4);
            assertThat(relay.received()).as("of %s", bytes).isLessThan(bytes * 3 / 4);
        }
        for (int i = 0; i < CODECS.size(); i++) {
            assertThat(area.resolve("out-" + i)).as(CODECS.get(i)).hasBinaryContent(content(i));
            assertThat(folder.resolve("in-" + i)).as(CODECS.get(i)).hasBinaryContent(content(i));
        }
    }
}
