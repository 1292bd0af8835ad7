// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.cli.training.TrialCertificates;

/**
 * The server's start-up cache (JEP 483 and 514, JDK 25): classes read, linked and laid out in advance, for just this server and this
 * JVM. Made by starting the server once with nothing to do, and used while it is younger than all that it was made from. The server
 * starts without one as well, only slower.
 */
final class ServerCache {
    private static final int SINCE = 25;
    private static final Duration TO_START = Duration.ofMinutes(1);
    private static final Duration TO_WRITE = Duration.ofMinutes(2);
    private static final long LOOK_EVERY_MS = 50;

    private final Installation installation;
    private final Path file;

    ServerCache(Installation installation, Path file) {
        this.installation = requireNonNull(installation, "installation is null");
        this.file = requireNonNull(file, "file is null");
    }

    Path file() {
        return file;
    }

    static boolean isPossible() {
        return Runtime.version().feature() >= SINCE;
    }

    /** What to start the server with: nothing where there is no cache that fits. */
    List<String> flags() throws AdminException {
        // a cache that does not fit after all is not used, and nothing need be said of it
        return isPossible() && isFresh()
                ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off:stderr", "-Xlog:cds*=off:stderr")
                : List.of();
    }

    private boolean isFresh() throws AdminException {
        try {
            return Files.exists(file) && Files.getLastModifiedTime(file).compareTo(newestPart()) > 0;
        } catch (IOException e) {
            throw new AdminException("The server's start-up cache " + file + " cannot be judged: " + e.getMessage(), e);
        }
    }

    private FileTime newestPart() throws IOException {
        List<Path> parts = new ArrayList<>();
        try (Stream<Path> jars = Files.list(installation.serverLibrary())) {
            jars.forEach(parts::add);
        }
        parts.add(Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so"));
        parts.add(installation.home().resolve("jvm.options"));
        FileTime newest = FileTime.fromMillis(0);
        for (Path part : parts) {
            if (Files.exists(part)) {
                FileTime time = Files.getLastModifiedTime(part);
                newest = time.compareTo(newest) > 0 ? time : newest;
            }
        }
        return newest;
    }

    /**
     * Makes it unless there is one that fits.
     *
     * @return whether it was made now
     */
    boolean prepare() throws AdminException, InterruptedException {
        if (!isPossible() || isFresh()) {
            return false;
        }
        try {
            Files.createDirectories(file.getParent());
            Path folder = Files.createTempDirectory(file.getParent(), "server");
            try {
                Path draft = folder.resolve("draft");
                rehearse(folder, "-XX:AOTCacheOutput=" + draft);
                if (!Files.exists(draft)) {
                    throw new AdminException("The JVM wrote no start-up cache for the server; it starts without one.");
                }
                rehearse(folder, "-XX:AOTCache=" + draft);
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                deleteAll(folder);
            }
        } catch (IOException e) {
            throw new AdminException("The server's start-up cache cannot be made: " + e.getMessage(), e);
        }
        return true;
    }

    private void rehearse(Path folder, String flag) throws IOException, AdminException, InterruptedException {
        Path configuration = folder.resolve("jobgate.yaml");
        TrialCertificates.make(folder);
        Files.writeString(folder.resolve("grid-mapfile"), "");
        Files.writeString(configuration, """
                server: { host: 127.0.0.1, port: 0, publicName: localhost, hostCertificate: hostcert.pem, hostKey: hostkey.pem,
                  trustDirectory: certificates }
                state: { directory: state }
                authorization: { gridMapfile: grid-mapfile }
                lrms: [ { name: Fork, adapter: fork } ]
                """);
        Path log = folder.resolve("state").resolve("console.log");
        Process server = new ServerProcess(installation, configuration, List.of(flag)).start(log);
        AdminClient client = new AdminClient(folder.resolve("state").resolve("admin.sock"), TO_START);
        try {
            awaitRunning(client, server, log);
            client.stop();
            if (!server.waitFor(TO_WRITE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AdminException("The rehearsing server did not end within " + TO_WRITE.toSeconds() + " s.");
            }
        } catch (AdminClient.NotRunningException e) {
            throw new AdminException("The rehearsing server ended early: " + ServerProcess.tail(log, 0), e);
        } finally {
            server.destroyForcibly();
        }
    }

    private static void awaitRunning(AdminClient client, Process server, Path log)
            throws AdminException, InterruptedException {
        long deadline = System.nanoTime() + TO_START.toNanos();
        while (System.nanoTime() < deadline && server.isAlive()) {
            try {
                if (client.get("/status").path("state").asString("").equals("running")) {
                    return;
                }
            } catch (AdminClient.NotRunningException e) {
                // not yet
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
        throw new AdminException("The rehearsing server did not start: " + ServerProcess.tail(log, 0));
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
