// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser (Debian's Chromium, driven by playwright-core): the pictures are in target/console. */
@ExtendWith(OneGateway.class)
class ConsoleIT {

    private static final List<Path> BROWSERS =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

    /** How many jobs there are before a console is opened, and how many come then; the numbers of the documentation by hand: 100000 and 20000. */
    private static final String JOBS = System.getProperty("jobgate.console.jobs", "6000");

    private static final String NEWS = System.getProperty("jobgate.console.news", "4000");
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    @Test
    void aUserDoesTheirWorkInABrowser(Gateway gateway) throws Exception {
        List<String> done = drive(
                gateway,
                "console.cjs",
                gateway.proxy().toString(),
                gateway.proxy().toString(),
                room().resolve("pictures").toString());
        assertThat(done.stream().filter(line -> line.startsWith("ok "))).hasSize(15);
        assertThat(room().resolve("pictures/jobs.png")).isNotEmptyFile();
    }

    /** Names of users, files and programs, arguments, keys, output, faults, values: each as HTML that would run a script. */
    @Test
    void whateverStandsInAFieldIsShownAsText(Gateway gateway) throws Exception {
        Path hostile = gateway.furtherUser("<img src=x onerror='window.pwned=1'>");
        List<String> done = drive(
                gateway,
                "console-hostile.cjs",
                hostile.toString(),
                gateway.proxy().toString(),
                gateway.directory().toString());
        assertThat(done.stream().filter(line -> line.startsWith("ok ")).count()).isGreaterThan(10);
    }

    @Test
    void aCrowdOfJobsLeavesTheConsoleQuickAndSmall() throws Exception {
        try (Gateway gateway = Gateway.startWith("limits: { maxLiveJobsPerOwner: 1000000 }\n")) {
            List<String> done =
                    drive(gateway, "console-crowd.cjs", gateway.proxy().toString(), JOBS, NEWS);
            assertThat(done).anyMatch(line -> line.startsWith("figures "));
            Files.write(room().resolve("crowd.txt"), done);
        }
    }

    /** A real issuer, npm's oidc-provider, and users whose browsers have no certificate. */
    @Test
    void usersSignInByAnIssuer(@TempDir Path folder) throws Exception {
        int port = Ports.free();
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of this test/+=\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        String settings = """
                tokens: { trust: grid }
                signIn: { issuer: "https://localhost:%d", clientId: gate, clientSecretFile: %s }
                """.formatted(port, secret);
        try (Gateway gateway = Gateway.startWith(settings)) {
            gateway.admit("https://localhost:" + port + ",alice");
            List<String> done = drive(
                    gateway,
                    "console-signin.cjs",
                    gateway.hostCertificate().toString(),
                    gateway.hostKey().toString(),
                    Integer.toString(port),
                    secret.toString());
            assertThat(done.stream().filter(line -> line.startsWith("ok "))).hasSize(8);
            assertThat(gateway.log()).doesNotContain("a secret of this test", "code=");
        }
    }

    private static Path room() {
        return Checkout.file("target/console");
    }

    /** Runs a script in a browser; answers its lines. */
    private static List<String> drive(Gateway gateway, String script, String... arguments) throws Exception {
        assumeTrue(
                BROWSERS.stream().anyMatch(Files::isExecutable),
                "SKIPPED: no Chromium; on Debian: apt-get install chromium");
        driver(room());
        List<String> command = new ArrayList<>(List.of(
                "node", Checkout.file("src/test/node/" + script).toString(), "https://localhost:" + gateway.port()));
        command.addAll(List.of(arguments));
        Programs.Result result = new Programs(
                        gateway.directory(),
                        Map.of("NODE_PATH", room().resolve("node_modules").toString()))
                .run(command, PATIENCE);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output().lines().toList();
    }

    /** Fetches playwright-core, which brings no browser, and oidc-provider once. */
    private static void driver(Path room) throws IOException, InterruptedException {
        Path wanted = Checkout.file("src/test/node/package.json");
        Path made = room.resolve("package.json");
        if (Files.exists(made)
                && Files.mismatch(wanted, made) < 0
                && Files.exists(room.resolve("node_modules/playwright-core"))
                && Files.exists(room.resolve("node_modules/oidc-provider"))) {
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
        assumeTrue(
                result.status() == 0,
                "SKIPPED: no playwright-core and oidc-provider, for npm failed: " + result.output());
    }
}
