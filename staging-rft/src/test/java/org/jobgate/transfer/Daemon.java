// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A real server that a test starts for itself on this host, and ends with itself. */
public final class Daemon implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(3);
    private static final int CONNECT_MILLIS = 10_000;

    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private final Process process;
    private final Path log;
    private final int port;

    private Daemon(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Skips the test where the program is missing, or we are not root. */
    public static void need(Path program, String how) {
        assumeTrue(Files.isExecutable(program), "SKIPPED: there is no " + program + "; " + how);
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: " + program + " is started with other accounts, which only root may");
    }

    /**
     * A port for a server that is started later, or started anew. It is none of those that the system gives to whoever asks for any one
     * (net.ipv4.ip_local_port_range, from 32768 on): no connection of another program has it before its server, or while that is away.
     */
    public static synchronized int freePort() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IOException("no port from " + FIRST_PORT + " on is free, in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Starts it and waits until it listens at 127.0.0.1. */
    public static Daemon start(List<String> words, Map<String, String> environment, int port, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Daemon daemon = new Daemon(builder.start(), log, port);
        try {
            await().atMost(START).pollInterval(Duration.ofMillis(50)).until(daemon::listens);
            return daemon;
        } catch (RuntimeException e) {
            daemon.close();
            throw new IOException(words.getFirst() + " does not listen: " + daemon.log(), e);
        }
    }

    private boolean listens() throws IOException {
        assertThat(process.isAlive()).as(log()).isTrue();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    public String log() throws IOException {
        return Files.readString(log);
    }

    /** Runs a command to its end. */
    public static void run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** Kills it, and what it has started. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
