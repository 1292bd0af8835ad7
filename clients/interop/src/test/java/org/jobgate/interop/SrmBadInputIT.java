// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk, clients that vanish, and a very large directory, before a real gateway. {@code -Djobgate.srm.entries=1000000} makes it a million entries. */
class SrmBadInputIT {

    private static final int ENTRIES = Integer.getInteger("jobgate.srm.entries", 20_000);
    private static final int MANY = 100_000;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** How long the requests of clients that vanish live, in seconds: all of these must have begun to send by then, on a slow machine too. */
    private static final int LIFETIME = 30;

    @TempDir
    static Path exported;

    @TempDir
    Path folder;

    private static Gateway gateway;
    private static SrmPrograms programs;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectory(exported.resolve("work"));
        Files.createDirectory(exported.resolve("small"));
        gateway = Gateway.startWith(
                "fileTrees: [ { name: work, path: \"%1$s/work\", writable: true }, { name: small, path: \"%1$s/small\", writable: true } ]%n"
                        .formatted(exported));
        programs = new SrmPrograms(gateway);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private static String url(String path) {
        return programs.url(path);
    }

    private static Programs.Result run(String command, String... words) throws Exception {
        return programs.run("srm-" + command, words);
    }

    private static String good(String command, String... words) throws Exception {
        return programs.good("srm-" + command, words);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private SrmCalls calls() {
        return new SrmCalls(gateway, folder);
    }

    private static String surls(String... paths) {
        StringBuilder text = new StringBuilder("<arrayOfSURLs>");
        for (String path : paths) {
            text.append("<urlArray>srm://localhost").append(path).append("</urlArray>");
        }
        return text + "</arrayOfSURLs>";
    }

    @Test
    void aFullDiskIsToldAndNothingIsLeftOnIt() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: only root can mount a small disk");
        Path small = exported.resolve("small");
        gateway.clients()
                .runWell(List.of("mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=12", "none", small.toString()));
        try {
            Path large = Files.write(folder.resolve("large"), new byte[1 << 20]);
            Programs.Result refused = run("put", large.toString(), url("/small/large"));
            assertThat(refused.status()).as(refused.output()).isEqualTo(252);
            assertThat(refused.output()).contains("507 Insufficient Storage");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(names(small)).as("what was sent of it").isEmpty());

            int made = 0;
            Programs.Result mkdir = run("mkdir", url("/small/d" + made));
            while (mkdir.status() == 0 && made < 20) {
                made++;
                mkdir = run("mkdir", url("/small/d" + made));
            }
            assertThat(mkdir.output()).contains("SRM_NO_FREE_SPACE");
            assertThat(made).isBetween(5, 12);
            good("rmdir", url("/small/d0"));
        } finally {
            gateway.clients().runWell(List.of("umount", "-l", small.toString()));
        }
    }

    private static long connections() throws Exception {
        String metrics = gateway.clients().runWell(programs.curl("https://localhost:" + gateway.port() + "/metrics"));
        return metrics.lines()
                .filter(line -> line.startsWith("jobgate_http_connections "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(metrics));
    }

    /** A client that sends for minutes, and what it has said. */
    private record SlowPut(Process process, Path output) {

        static SlowPut start(Path file, String url, Path output) throws IOException {
            return new SlowPut(
                    new ProcessBuilder(programs.curl("-v", "--limit-rate", "200k", "-T", file.toString(), url))
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start(),
                    output);
        }

        /** How it stands, for whoever reads of a failure. */
        String told() {
            try {
                return (process.isAlive() ? "sends" : "ended with " + process.exitValue()) + ": "
                        + Files.readString(output, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                return "what it said cannot be read: " + e;
            }
        }
    }

    /** They are killed while they send, and nobody says srmPutDone or aborts anything. */
    @Test
    void nothingIsLeftOfClientsThatVanish() throws Exception {
        Path work = Files.createDirectory(exported.resolve("work/vanish"));
        Path large = Files.write(folder.resolve("large"), new byte[16 << 20]);
        // those of other tests may be about to be closed; the one that asks is counted itself
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(connections()).isEqualTo(1));
        List<SlowPut> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                String answer = calls().ask(
                                "srmPrepareToPut",
                                "<arrayOfFileRequests><requestArray><targetSURL>srm://localhost/work/vanish/f" + i
                                        + "</targetSURL></requestArray></arrayOfFileRequests>"
                                        + "<desiredTotalRequestTime>" + LIFETIME + "</desiredTotalRequestTime>");
                clients.add(SlowPut.start(
                        large, SrmCalls.all(answer, "transferURL").getFirst(), folder.resolve("client-" + i)));
            }
            await().atMost(PATIENCE).until(() -> names(work).size() == 5);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(connections())
                            .as("%s", clients.stream().map(SlowPut::told).toList())
                            .isGreaterThanOrEqualTo(6));
        } finally {
            for (SlowPut client : clients) {
                client.process().destroyForcibly().waitFor();
            }
        }

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(connections()).isEqualTo(1));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(names(work)).as("what they had sent").isEmpty());
        Path little = Files.writeString(folder.resolve("little"), "little");
        good("put", little.toString(), url("/work/vanish/f0"));
        assertThat(names(work)).containsExactly("f0");
    }

    @Test
    void aVeryLargeDirectoryIsCutAndListedInParts() throws Exception {
        Path many = Files.createDirectory(exported.resolve("work/many"));
        for (int i = 0; i < ENTRIES; i++) {
            Files.createFile(many.resolve("f" + i));
        }
        String cut = calls().ask("srmLs", surls("/work/many"));
        assertThat(SrmCalls.codes(cut)).contains("SRM_TOO_MANY_RESULTS");
        assertThat(SrmCalls.all(cut, "path")).hasSize(10_001);
        assertThat(good("ls", url("/work/many")).strip().lines())
                .hasSize(ENTRIES)
                .doesNotHaveDuplicates();
    }

    @Test
    void aHundredThousandPathsAreRefusedBySize() throws Exception {
        String[] paths = new String[MANY];
        for (int i = 0; i < MANY; i++) {
            paths[i] = "/work/" + i;
        }
        String refused = calls().ask("srmLs", surls(paths));
        assertThat(refused).hasSizeLessThan(10_000).doesNotContain("SRM_SUCCESS");
        assertThat(SrmCalls.codes(calls().ask("srmLs", surls("/work"))).getFirst())
                .isEqualTo("SRM_SUCCESS");
    }
}
