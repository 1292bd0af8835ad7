// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.QuickConnection;

/** The floor of POSTs over mutual TLS: {@link EchoServer} in a process of its own, with the certificates of the gateway that is measured. */
public final class EchoFloor implements Closeable {

    private static final Duration END = Duration.ofSeconds(20);

    private final Process process;
    private final int port;

    private EchoFloor(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it at a free port, and returns when it listens. */
    public static EchoFloor start(Lab lab) throws IOException {
        int port = Lab.freePort();
        File log = new File(lab.directory().toFile(), "echo.log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.jobgate.perf.Main",
                        "echo",
                        "--port",
                        Integer.toString(port),
                        "--certificate",
                        lab.hostCertificate().toString(),
                        "--key",
                        lab.hostKey().toString(),
                        "--trust",
                        lab.trustDirectory().toString()))
                .redirectError(log)
                .start();
        EchoFloor floor = new EchoFloor(process, port);
        if (!EchoServer.READY.equals(process.inputReader(StandardCharsets.UTF_8).readLine())) {
            floor.close();
            throw new IOException("the server that echoes did not begin; see " + log);
        }
        return floor;
    }

    /** A connection to it, not opened yet. */
    public QuickConnection connection(SSLContext tls, InetAddress from) {
        return Lab.quickConnection(tls, port, from);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
