// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLServerSocket;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Answers each POST with its own content, over mutual TLS by the JDK, a virtual thread for each connection: what a Java server that reads no
 * HTTP but the length, and does nothing, could do. It ends with its standard input.
 */
@Command(name = "echo", hidden = true, description = "answers each POST with its content; used by other scenarios")
public final class EchoServer implements Callable<Integer> {

    /** What it says on its standard output when it listens. */
    static final String READY = "ready";

    private static final PrintStream OUT = System.out;
    private static final int BACKLOG = 256;
    private static final int LONGEST_HEAD = 16_384;
    private static final int LARGEST_BODY = 1 << 20;
    private static final String LENGTH = "content-length:";

    @Option(names = "--port", required = true)
    int port;

    @Option(names = "--certificate", required = true)
    Path certificate = Path.of("");

    @Option(names = "--key", required = true)
    Path key = Path.of("");

    @Option(names = "--trust", required = true)
    Path trust = Path.of("");

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        try (SSLServerSocket server = (SSLServerSocket) Tls.context(Credential.read(certificate, key), trust)
                        .getServerSocketFactory()
                        .createServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setNeedClientAuth(true);
            Thread.ofVirtual().start(() -> endWithInput(server));
            OUT.println(READY);
            OUT.flush();
            while (!server.isClosed()) {
                accept(server, threads);
            }
            threads.shutdownNow();
        }
        return 0;
    }

    /** Ends the server when its input ends: then the process that started it has ended, or wants it to end. */
    private static void endWithInput(SSLServerSocket server) {
        try (server) {
            while (System.in.read() >= 0) {
                // nothing is said but the end
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void accept(SSLServerSocket server, ExecutorService threads) throws IOException {
        Socket socket;
        try {
            socket = server.accept();
        } catch (IOException e) {
            if (server.isClosed()) {
                return;
            }
            throw e;
        }
        socket.setTcpNoDelay(true);
        var unused = threads.submit(() -> {
            try (socket) {
                InputStream in = new BufferedInputStream(socket.getInputStream(), LONGEST_HEAD);
                while (echo(in, socket.getOutputStream())) {
                    // until the client has gone
                }
            }
            return null;
        });
    }

    /** One request; false at the end of the connection. */
    private static boolean echo(InputStream in, OutputStream out) throws IOException {
        int length = length(in);
        if (length < 0) {
            return false;
        }
        byte[] body = in.readNBytes(length);
        byte[] head = ("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: " + length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[head.length + length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        out.write(whole);
        out.flush();
        return true;
    }

    /** What the head says of the length of the content; -1 at the end of the connection. */
    private static int length(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0) {
                return -1;
            }
            if (head.length() == LONGEST_HEAD) {
                throw new IOException("the head of a request is longer than " + LONGEST_HEAD + " bytes");
            }
            head.append((char) next);
        }
        for (String line : head.toString().toLowerCase(Locale.ROOT).split("\r\n", -1)) {
            if (line.startsWith(LENGTH)) {
                return Math.clamp(Long.parseLong(line.substring(LENGTH.length()).strip()), 0, LARGEST_BODY);
            }
        }
        return 0;
    }
}
