// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** Chirp's own server (Debian: coop-computing-tools), which exports a directory of the test's to the account that it runs as. */
final class ChirpServer implements AutoCloseable {

    private static final Path SERVER = Path.of("/usr/bin/chirp_server");
    private static final Path CHIRP = Path.of("/usr/bin/chirp");

    private final Path export;
    private final Process process;
    private final Programs programs;
    private final String address;

    private ChirpServer(Path directory) throws IOException, InterruptedException {
        this.export = Files.createDirectories(directory.resolve("export"));
        for (String name : List.of("in", "out", "closed")) {
            Files.createDirectory(export.resolve(name));
        }
        Path rights = Files.writeString(directory.resolve("acl"), "unix:" + account() + " rwlda\n");
        Path port = directory.resolve("port");
        List<String> command = new ArrayList<>(List.of(SERVER.toString(), "-r", export.toString(), "-I", "127.0.0.1"));
        command.addAll(List.of("-Z", port.toString(), "-A", rights.toString(), "-u", "127.0.0.1"));
        this.programs = new Programs(directory, Map.of("CATALOG_HOST", "127.0.0.1"));
        if (account().equals("root")) { // it wants another account to touch files as
            command.addAll(List.of("-i", "nobody"));
            programs.runWell(List.of("chown", "-R", "nobody", directory.toString()));
            programs.runWell(List.of("chmod", "755", directory.toString()));
        }
        ProcessBuilder server = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        server.environment().put("HOME", directory.toString());
        this.process = server.start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> Files.exists(port) && !Files.readString(port).isBlank());
        this.address = "127.0.0.1:" + Files.readString(port).strip();
    }

    static boolean isInstalled() {
        return Files.exists(SERVER) && Files.exists(CHIRP);
    }

    static ChirpServer in(Path directory) throws IOException, InterruptedException {
        return new ChirpServer(directory);
    }

    private static String account() {
        return System.getProperty("user.name");
    }

    /** Host and port. */
    String address() {
        return address;
    }

    Path export() {
        return export;
    }

    /** The tickets of the account that it knows. */
    List<String> tickets() throws IOException, InterruptedException {
        return programs.runWell(List.of(CHIRP.toString(), "-a", "unix", address, "ticket_list", "unix:" + account()))
                .lines()
                .filter(line -> line.startsWith("ticket:"))
                .toList();
    }

    /** From now on it answers nobody, or goes on. */
    void signal(String name) throws IOException, InterruptedException {
        programs.runWell(List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
