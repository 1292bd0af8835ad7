// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A GridFTP server of a test's own, beside those of the lab and with the certificates of one of them: it may be killed, and started again
 * where it was. The files are those of the same account.
 */
final class OwnGridFtpServer implements AutoCloseable {

    private static final int START_MILLIS = 20_000;

    private final GridFtpServers lab;
    private final Path directory;
    private final int port;
    private Process process;

    private OwnGridFtpServer(GridFtpServers lab, Path directory, int port) throws IOException {
        this.lab = lab;
        this.directory = directory;
        this.port = port;
        this.process = start();
    }

    /** Started, on a free port of the loopback interface. */
    static OwnGridFtpServer start(GridFtpServers lab, Path folder) throws IOException {
        int free = Ports.free();
        return new OwnGridFtpServer(lab, Files.createDirectories(folder.resolve("gridftp-" + free)), free);
    }

    private Process start() throws IOException {
        Path pki = lab.authorities().resolveSibling("a");
        ProcessBuilder builder = new ProcessBuilder(
                        "globus-gridftp-server",
                        "-s",
                        "-c",
                        "none",
                        "-p",
                        String.valueOf(port),
                        "-control-interface",
                        "127.0.0.1",
                        "-data-interface",
                        "127.0.0.1",
                        "-epsv-match",
                        "-allow-disabled-login",
                        "-log-module",
                        "stdio:interval=1",
                        "-log-transfer",
                        log().toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("out").toFile()));
        builder.environment().put("X509_CERT_DIR", lab.authorities().toString());
        builder.environment()
                .put("GRIDMAP", lab.authorities().resolveSibling("grid-mapfile").toString());
        builder.environment().put("X509_USER_CERT", pki.resolve("cert.pem").toString());
        builder.environment().put("X509_USER_KEY", pki.resolve("key.pem").toString());
        Process started = builder.start();
        await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(this::greets);
        return started;
    }

    private Path log() {
        return directory.resolve("transfers");
    }

    /** How many files it has received or sent whole, as its own log says; those of before a kill too. */
    long transfers() throws IOException {
        return Files.exists(log())
                ? Files.readAllLines(log()).stream()
                        .filter(line -> line.contains(" CODE=226 "))
                        .count()
                : 0;
    }

    /** How many clients are connected: it has a process for each. */
    long sessions() {
        return process.descendants().count();
    }

    private boolean greets() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), START_MILLIS);
            socket.setSoTimeout(START_MILLIS);
            byte[] greeting = socket.getInputStream().readNBytes(3);
            return new String(greeting, StandardCharsets.US_ASCII).equals("220");
        }
    }

    int port() {
        return port;
    }

    /** Of the host and port. */
    String url() {
        return "gsiftp://localhost:" + port;
    }

    /** Of a file in the directory of the lab's test. */
    String url(String name) {
        return url() + lab.directory() + "/" + name;
    }

    /** Ends it and all that it serves, at once. */
    void kill() throws IOException, InterruptedException {
        // stopped first, so that no process for a client that comes just now is left over
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the GridFTP server " + process.pid() + " does not end");
        }
    }

    /** After it was killed. */
    void startAgain() throws IOException {
        process = start();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
    }
}
