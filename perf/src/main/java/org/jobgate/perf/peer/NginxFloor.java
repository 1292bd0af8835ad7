// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.gateway.Lab;

/**
 * The floor of HTTP over mutual TLS: nginx that answers every request with the same few bytes, or lists a directory as JSON, with the
 * certificates of the gateway that is measured, on the loopback interface.
 */
public final class NginxFloor implements AutoCloseable {

    /** What the replies of the cheapest read of ours weigh. */
    private static final int BODY_BYTES = 1_500;

    private static final Duration START = Duration.ofSeconds(20);
    private static final int CONNECT_MS = 500;
    private static final long POLL_MS = 50;
    private static final List<Path> PLACES = List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"));

    private final Process process;
    private final int port;

    private NginxFloor(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Where it is; empty where it is not installed. */
    public static Optional<Path> program() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    /** Its version. */
    public static String version() throws IOException, InterruptedException {
        return "nginx " + Programs.packageVersion("nginx");
    }

    /** The address below which it lists directories. */
    public static final String LISTED = "/listed/";

    /**
     * Starts it with files in the lab's directory.
     *
     * @param listed what it lists the directories of
     */
    public static NginxFloor start(Path program, Lab lab, int port, Path listed)
            throws IOException, InterruptedException {
        requireNonNull(program, "program is null");
        Path directory = Files.createDirectories(lab.directory().resolve("nginx"));
        Path authorities = directory.resolve("authorities.pem");
        Files.writeString(authorities, authorities(lab.trustDirectory()));
        Path file = Files.writeString(
                directory.resolve("nginx.conf"), configuration(lab, directory, authorities, port, listed));
        Process process = new ProcessBuilder(program.toString(), "-p", directory.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.log").toFile())
                .start();
        // who ends the harness early must not leave it behind
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        NginxFloor floor = new NginxFloor(process, port);
        floor.awaitStart(directory);
        return floor;
    }

    private static String configuration(Lab lab, Path directory, Path authorities, int port, Path listed) {
        String body = "x".repeat(BODY_BYTES);
        return """
                daemon off;
                %9$s
                worker_processes auto;
                worker_rlimit_nofile 20000;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events { worker_connections 16384; }
                http {
                    access_log off;
                    client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                    keepalive_requests 1000000000; keepalive_timeout 600s;
                    server {
                        listen 127.0.0.1:%2$d ssl backlog=8192;
                        ssl_certificate %3$s; ssl_certificate_key %4$s;
                        ssl_client_certificate %5$s; ssl_verify_client on; ssl_verify_depth 9;
                        location / { return 200 "%6$s"; }
                        location %7$s { alias %8$s/; autoindex on; autoindex_format json; }
                    }
                }
                """.formatted(
                directory, port, lab.hostCertificate(), lab.hostKey(), authorities, body, LISTED, listed, user());
    }

    /** Its workers are of the same account as its master, who may read the lab's files; one that is not root's cannot say so. */
    private static String user() {
        String own = System.getProperty("user.name");
        return own.equals("root") ? "user root;" : "";
    }

    private static String authorities(Path trust) throws IOException {
        StringBuilder all = new StringBuilder();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(trust, "*.0")) {
            for (Path file : files) {
                all.append(Files.readString(file, StandardCharsets.US_ASCII)).append('\n');
            }
        }
        return all.toString();
    }

    private void awaitStart(Path directory) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!listens()) {
            if (!process.isAlive() || System.nanoTime() - begin > START.toNanos()) {
                close();
                throw new IOException("nginx did not start: " + Files.readString(directory.resolve("out.log")));
            }
            Thread.sleep(POLL_MS);
        }
    }

    private boolean listens() {
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
