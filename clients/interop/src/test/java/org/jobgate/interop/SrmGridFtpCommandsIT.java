// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own commands move files by the gsiftp URLs that SRM gives, to and from Globus's server, which is killed while they do. */
class SrmGridFtpCommandsIT {

    private static final String[] BY_GRIDFTP = {"-protocolslist", "gsiftp"};
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int ATTEMPTS = 6;
    private static final String AGAIN = "It is tried again";
    private static final int LARGE = 128 << 20;

    /** So much has been moved when the server is killed. */
    private static final int BEGUN = 24 << 20;

    @TempDir
    Path folder;

    private static String[] words(String... words) {
        return Stream.concat(Arrays.stream(BY_GRIDFTP), Arrays.stream(words)).toArray(String[]::new);
    }

    private Path file(String name, int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve(name), content);
    }

    private static List<Path> hidden(Path directory) throws Exception {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(one -> one.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /**
     * Kills the server when a hidden file is on its way, and starts it again a little later; answers what the command said. Where the transfer was
     * over before the kill, the same is done once more.
     */
    private static String cut(OwnGridFtpServer server, Path directory, Command isServed, Command command)
            throws Exception {
        for (int attempt = 1; ; attempt++) {
            await().atMost(PATIENCE).until(() -> isServed.run().isEmpty());
            try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                Future<String> said = other.submit(command::run);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> said.isDone()
                                || hidden(directory).stream()
                                        .anyMatch(one -> one.toFile().length() > BEGUN));
                server.kill();
                Thread.sleep(1_500); // longer than what nobody is told of
                server.startAgain();
                String told = said.get();
                if (told.contains(AGAIN)) {
                    return told;
                }
                assertThat(attempt)
                        .as("kills that came too late; the last was told %s", told)
                        .isLessThan(ATTEMPTS);
            }
        }
    }

    private interface Command {
        String run() throws Exception;
    }

    @Test
    void filesAreBroughtAndFetchedAlthoughTheServerIsKilled() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("f"), "f");
        try (GridFtpServers lab = GridFtpServers.need(folder);
                OwnGridFtpServer server = OwnGridFtpServer.start(lab, folder);
                Gateway gateway = Gateway.startBeside(
                        lab,
                        ", servers: [ \"%2$s=%1$s%2$s\", \"%4$s=%3$s%4$s\" ], serverProbeInterval: 1s"
                                .formatted(server.url(), lab.directory(), lab.wrong(), other),
                        ("fileTrees: [ { name: work, path: \"%s\", writable: true, blocked: [ closed ], readOnly: [ old ] },"
                                        + " { name: wrong, path: \"%s\" } ]%n")
                                .formatted(lab.directory(), other))) {
            SrmPrograms programs = new SrmPrograms(gateway);
            for (int size : new int[] {0, 1, 3_000_001}) {
                String name = "f %ö" + size;
                Path file = file(name, size);
                String url = programs.url("/work/f%20%25ö" + size);
                assertThat(programs.good("srm-put", words(file.toString(), url)))
                        .contains("brought: " + size + " bytes");
                assertThat(lab.get(name)).isEqualTo(Files.readAllBytes(file));
                programs.good(
                        "srm-get", words(url, folder.resolve("back" + size).toString()));
                assertThat(Files.mismatch(folder.resolve("back" + size), file)).isEqualTo(-1);
            }
            // the server writes its log a little after it has answered
            await("moved by the server itself").atMost(PATIENCE).until(() -> server.transfers() >= 6);
            lab.put("closed", new byte[1]);
            lab.put("old", new byte[1]);
            String code = "SRM_AUTHORIZATION_FAILURE";
            String got = folder.resolve("got").toString();
            programs.refused(code, "srm-get", words(programs.url("/work/closed"), got));
            Path small = file("small", 10);
            programs.refused(code, "srm-put", words("-overwrite", small.toString(), programs.url("/work/old")));

            Path wrong = folder.resolve("wrong");
            Programs.Result refused = programs.run("srm-get", words(programs.url("/wrong/f"), wrong.toString()));
            assertThat(refused.status()).as(refused.output()).isNotZero();
            assertThat(refused.output())
                    .contains("expected a certificate for host localhost")
                    .doesNotContain("tried again");
            assertThat(wrong).doesNotExist();

            Path large = file("large", LARGE);
            String url = programs.url("/work/large");
            String first = programs.url("/work/f%20%25ö1");
            // after a kill the gateway may see for a while that the server is gone
            Command isServed = () -> {
                Programs.Result result = programs.run("srm-get", words("-overwrite", first, got));
                return result.status() == 0 ? "" : result.output();
            };
            String said = cut(
                    server,
                    lab.directory(),
                    isServed,
                    () -> programs.good("srm-put", words("-overwrite", large.toString(), url)));
            assertThat(said).contains(AGAIN, "brought: " + LARGE + " bytes");
            assertThat(Files.mismatch(lab.directory().resolve("large"), large)).isEqualTo(-1);
            Path here = Files.createDirectory(folder.resolve("here"));
            said = cut(
                    server,
                    here,
                    isServed,
                    () -> programs.good(
                            "srm-get",
                            words("-overwrite", url, here.resolve("large").toString())));
            assertThat(said).contains(AGAIN, "fetched: " + LARGE + " bytes");
            assertThat(Files.mismatch(here.resolve("large"), large)).isEqualTo(-1);
            assertThat(hidden(here)).isEmpty();
            await("what is unfinished")
                    .atMost(PATIENCE)
                    .until(() -> hidden(lab.directory()).isEmpty());
        }
    }
}
