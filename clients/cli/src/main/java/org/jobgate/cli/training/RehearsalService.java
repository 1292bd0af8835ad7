// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jobgate.cli.wire.Names;

/**
 * A counterpart for the rehearsal: on loopback only, it walks one job through its states so that the command runs all
 * the code that a real job makes it run. It executes nothing and serves nobody but the rehearsal.
 */
final class RehearsalService implements AutoCloseable {
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final int LINE_LENGTH_MAX = 8192;

    private final SSLServerSocket listener;
    private final RehearsedAnswers answers;

    /**
     * Listens at a free port of the loopback interface.
     *
     * @param hostPath the host's certificates as a PkiPath
     */
    RehearsalService(SSLContext context, byte[] hostPath) throws IOException {
        requireNonNull(context, "context is null");
        listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 4, InetAddress.getLoopbackAddress());
        listener.setNeedClientAuth(true);
        answers = new RehearsedAnswers("https://localhost:" + port() + "/wsrf/services/", hostPath);
        Thread.ofVirtual().name("rehearsal").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                serve(socket);
            } catch (IOException e) {
                // the command closed its connection, or the rehearsal is over: both are expected ends
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        while (true) {
            String first = line(in);
            boolean isRest = first.contains(" /api/");
            String request = request(in);
            String answer = isRest ? answers.toRest(first) : envelope(answers.to(request));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            String head = "HTTP/1.1 200 OK\r\nContent-Type: " + (isRest ? "application/json" : "text/xml;charset=utf-8")
                    + "\r\nContent-Length: " + body.length + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
        }
    }

    private static String request(InputStream in) throws IOException {
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        if (length > BODY_BYTES_MAX) {
            throw new IOException("a rehearsal request of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0 || out.size() > LINE_LENGTH_MAX) {
                throw new EOFException();
            }
            out.write(b);
        }
        return out.toString(StandardCharsets.US_ASCII).strip();
    }

    private static String envelope(String content) {
        return "<soap:Envelope xmlns:soap=\"" + Names.SOAP + "\" xmlns:wsa=\"" + Names.WSA
                + "\"><soap:Header><wsa:To soap:mustUnderstand=\"0\">" + Names.WSA_ANONYMOUS
                + "</wsa:To></soap:Header><soap:Body>" + content + "</soap:Body></soap:Envelope>";
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
