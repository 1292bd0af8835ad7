// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The GridFTP servers of the lab ({@code docker/lab/gridftp}), and the user that they know. */
final class GridFtpServers implements AutoCloseable {

    private static final String ACCOUNT = "jobgate-a";

    private final Path lab = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private final int port = Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_GRIDFTP_PORT", "2811"));
    private final Programs programs;
    private final Path directory;

    /** A new directory of the user's in which the servers may read and write. */
    private GridFtpServers(Programs programs) throws IOException, InterruptedException {
        this.programs = programs;
        this.directory = Files.createTempDirectory(programs.home(ACCOUNT), "staging-");
        giveAway();
    }

    /** Those of the lab; the test is left out where they do not run. */
    static GridFtpServers need(Path folder) throws IOException, InterruptedException {
        Programs programs = new Programs(folder, Map.of());
        String script = Checkout.directory().resolve("docker/lab/gridftp").toString();
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: the GridFTP lab is for root only");
        assumeTrue(
                programs.run(List.of(script, "status")).status() == 0,
                "SKIPPED: the GridFTP servers of the lab do not run; bring them up with: docker/lab/gridftp up");
        return new GridFtpServers(programs);
    }

    /** Where its files lie. */
    Path directory() {
        return directory;
    }

    Path authorities() {
        return lab.resolve("gridftp/pki/certificates");
    }

    Path proxy() {
        return lab.resolve("gridftp/pki/" + ACCOUNT + "/proxy.pem");
    }

    /** The user's name, as the servers' own grid-mapfile has it. */
    String subject() throws IOException {
        return Files.readAllLines(lab.resolve("gridftp/pki/grid-mapfile")).stream()
                .filter(line -> line.endsWith(" " + ACCOUNT))
                .map(line -> line.substring(1, line.lastIndexOf('"')))
                .findFirst()
                .orElseThrow(() -> new IOException("the lab's grid-mapfile does not name " + ACCOUNT));
    }

    void put(String name, byte[] content) throws IOException, InterruptedException {
        Files.write(directory.resolve(name), content);
        giveAway();
    }

    byte[] get(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    /** At the first server. */
    String first(String name) {
        return "gsiftp://localhost:" + port + directory + "/" + name;
    }

    /** The same file at the second one. */
    String second(String name) {
        return "gsiftp://127.0.0.2:" + (port + 1) + directory + "/" + name;
    }

    /** The server whose certificate is of another host. */
    String wrong() {
        return "gsiftp://localhost:" + (port + 3);
    }

    boolean has(String name) {
        return Files.exists(directory.resolve(name));
    }

    private void giveAway() throws IOException, InterruptedException {
        programs.runWell(List.of("chown", "-R", ACCOUNT, directory.toString()));
    }

    @Override
    public void close() throws IOException {
        try {
            programs.runWell(List.of("rm", "-rf", directory.toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + directory + " was removed", e);
        }
    }
}
