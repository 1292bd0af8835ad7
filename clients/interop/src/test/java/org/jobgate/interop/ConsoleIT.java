// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The console in a real browser (Debian's Chromium, driven by playwright-core): the pictures are in target/console. */
@ExtendWith(OneGateway.class)
class ConsoleIT {

    private static final List<Path> BROWSERS =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

    @Test
    void aUserDoesTheirWorkInABrowser(Gateway gateway) throws Exception {
        assumeTrue(
                BROWSERS.stream().anyMatch(Files::isExecutable),
                "SKIPPED: no Chromium; on Debian: apt-get install chromium");
        Path room = Checkout.file("target/console");
        driver(room);
        Programs.Result result = new Programs(
                        gateway.directory(),
                        Map.of("NODE_PATH", room.resolve("node_modules").toString()))
                .run(List.of(
                        "node",
                        Checkout.file("src/test/node/console.cjs").toString(),
                        "https://localhost:" + gateway.port(),
                        gateway.proxy().toString(),
                        gateway.proxy().toString(),
                        room.resolve("pictures").toString()));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.startsWith("ok ")))
                .hasSize(13);
        assertThat(room.resolve("pictures/jobs.png")).isNotEmptyFile();
    }

    /** Fetches playwright-core once; it brings no browser. */
    private static void driver(Path room) throws IOException, InterruptedException {
        Path wanted = Checkout.file("src/test/node/package.json");
        Path made = room.resolve("package.json");
        if (Files.exists(made)
                && Files.mismatch(wanted, made) < 0
                && Files.exists(room.resolve("node_modules/playwright-core"))) {
            return;
        }
        Files.createDirectories(room);
        Files.deleteIfExists(made);
        Files.copy(wanted, made);
        Programs.Result result;
        try {
            result = new Programs(room, Map.of())
                    .run(List.of("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", room.toString()));
        } catch (IOException e) {
            result = new Programs.Result(-1, String.valueOf(e.getMessage()));
        }
        assumeTrue(result.status() == 0, "SKIPPED: no playwright-core, for npm failed: " + result.output());
    }
}
