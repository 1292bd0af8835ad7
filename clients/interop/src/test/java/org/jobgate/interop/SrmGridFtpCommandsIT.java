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
    private static final Duration PATIENCE = Duration.ofSeconds(60);
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

    /** Kills the server when a hidden file is on its way, and starts it again a little later; answers what the command said. */
    private static String cut(OwnGridFtpServer server, Path directory, Command command) throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<String> said = other.submit(command::run);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> said.isDone()
                            || hidden(directory).stream()
                                    .anyMatch(one -> one.toFile().length() > BEGUN));
            server.kill();
            assertThat(said.isDone() ? said.get() : "")
                    .as("the transfer was over too soon: make the file larger")
                    .isEmpty();
            Thread.sleep(1_500); // longer than what nobody is told of
            server.startAgain();
            return said.get();
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
            assertThat(server.transfers()).as("moved by the server itself").isGreaterThanOrEqualTo(6);
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
            String said = cut(server, lab.directory(), () -> programs.good("srm-put", words(large.toString(), url)));
            assertThat(said).contains("It is tried again", "brought: " + LARGE + " bytes");
            assertThat(Files.mismatch(lab.directory().resolve("large"), large)).isEqualTo(-1);
            // the gateway may have seen that the server was gone
            String first = programs.url("/work/f%20%25ö1");
            await().atMost(PATIENCE)
                    .until(() -> programs.run("srm-get", words("-overwrite", first, got))
                                    .status()
                            == 0);
            Path here = Files.createDirectory(folder.resolve("here"));
            said = cut(
                    server,
                    here,
                    () -> programs.good(
                            "srm-get", words(url, here.resolve("large").toString())));
            assertThat(said).contains("It is tried again", "fetched: " + LARGE + " bytes");
            assertThat(Files.mismatch(here.resolve("large"), large)).isEqualTo(-1);
            assertThat(hidden(here)).isEmpty();
            assertThat(hidden(lab.directory())).isEmpty();
        }
    }
}
