// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of RFT, a real gateway that is killed, and two real GridFTP servers. */
class RftIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int FILES = 20;

    /** A kill that comes when all files are there already shows nothing: then the same is done with others. */
    private static final int ROUNDS = 6;

    @TempDir
    Path folder;

    private static byte[] content(int number) {
        byte[] bytes = new byte[number % 5 == 0 ? 3_000_001 : 10_240 + number];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static Programs.Result run(Gateway gateway, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin").resolve(command).toString()));
        all.addAll(List.of(words));
        return gateway.clients().run(all);
    }

    @Test
    void filesMoveBetweenServersAndAreDeletedAlthoughTheGatewayIsKilled() throws Exception {
        try (GridFtpServers servers = GridFtpServers.need(folder);
                Gateway gateway = Gateway.startBeside(servers)) {
            String port = String.valueOf(gateway.port());
            for (int i = 0; i < FILES; i++) {
                servers.put("in" + i, content(i));
            }
            String epr = folder.resolve("request.epr").toString();
            int round = 0;
            while (hasAllBeforeAKill(gateway, servers, ++round, epr)) {
                assertThat(round).as("kills that came too late").isLessThan(ROUNDS);
            }
            String out = "out" + round;
            Path transfers = folder.resolve("transfers");

            Programs.Result ended = run(gateway, "globus-crft", "-monitor", "-e", epr);
            assertThat(ended.status()).as(ended.output()).isZero();
            assertThat(ended.output()).contains("Done: 20 of 20 finished");
            assertThat(run(gateway, "globus-crft", "-done", "-e", epr).status()).isZero();
            for (int i = 0; i < FILES; i++) {
                assertThat(servers.get(out + "/" + i)).as("file %d", i).isEqualTo(content(i));
            }
            String each = run(gateway, "globus-crft", "-status", "-e", epr).output();
            assertThat(each.lines().filter(line -> line.matches("[0-9]+ Finished 1 gsiftp:.*")))
                    .as(each)
                    .hasSize(FILES);

            List<String> gone = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                gone.add(servers.first("in" + i));
            }
            for (int i = 1; i <= round; i++) {
                gone.add(servers.second("out" + i + "/"));
            }
            Path files = Files.write(folder.resolve("files"), gone);
            Programs.Result deleted = run(gateway, "rft-delete", "-r", port, files.toString());
            assertThat(deleted.status()).as(deleted.output()).isZero();
            assertThat(servers.has("in0") || servers.has("in19") || servers.has(out))
                    .isFalse();

            Programs.Result failing = run(gateway, "rft", "-r", port, transfers.toString());
            assertThat(failing.status()).as(failing.output()).isEqualTo(4);
            assertThat(failing.output()).contains("Failed: 0 of 20 finished, 20 failed", "in");

            assertThat(run(gateway, "globus-crft", "-destroy", "-e", epr).status())
                    .isZero();
            assertThat(run(gateway, "globus-crft", "-done", "-e", epr).output())
                    .contains("There is no such request to move files");
        }
    }

    /** Starts to move the files and kills the gateway meanwhile, then starts it again; answers whether all files were there before the kill. */
    private boolean hasAllBeforeAKill(Gateway gateway, GridFtpServers servers, int round, String epr) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "# RFT's own form", "true", "16000", "16000", "false", "1", "true", "1", "null", "null", "false", "5"));
        String out = "out" + round;
        for (int i = 0; i < FILES; i++) {
            lines.add(servers.first("in" + i));
            lines.add(servers.second(out + "/" + i));
        }
        Path transfers = Files.write(folder.resolve("transfers"), lines);
        String port = String.valueOf(gateway.port());
        Programs.Result started =
                run(gateway, "rft", "-r", port, "-checksum", "md5", "-b", "-file", epr, transfers.toString());
        assertThat(started.status()).as(started.output()).isZero();
        Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> servers.has(out + "/2"));
        gateway.kill();
        long before = IntStream.range(0, FILES)
                .filter(i -> servers.has(out + "/" + i))
                .count();
        assertThat(before).isGreaterThanOrEqualTo(3L);
        gateway.startAgain();
        return before == FILES;
    }
}
