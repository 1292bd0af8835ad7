// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jobgate.cli.stub.GsiPeer;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.TrustDirectory;

/** A GridFTP server that takes every user, wants no proxy, and then does what a test says. */
final class GridFtpStub implements Closeable {

    /** What is done about a command behind the login. */
    @FunctionalInterface
    interface Script {
        void take(String command, Talk talk) throws Exception;
    }

    private final TrialCertificates certificates;
    private final Script script;
    private final ServerSocket server;
    private final SSLServerSocket data;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** What came behind the login, of all connections. */
    final List<String> commands = new CopyOnWriteArrayList<>();

    /** What is said when the certificates are known, before what belongs to it. */
    volatile String afterLogin = "";

    GridFtpStub(TrialCertificates certificates, Script script) throws Exception {
        this.certificates = certificates;
        this.script = script;
        this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        this.data = (SSLServerSocket) TrialCertificates.serverContext(user(certificates))
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    private static Credential user(TrialCertificates certificates) throws Exception {
        return Credential.read(certificates.proxy(), certificates.proxy(), () -> new char[0]);
    }

    /** A session of little patience with answers; the login, for which a slow machine may need longer, is tried for a minute. */
    GridFtpSession opened(int timeoutMs) throws Exception {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return GridFtpSession.open(identity(timeoutMs), "localhost", port());
            } catch (IOException e) {
                if (System.nanoTime() > until) {
                    throw e;
                }
            }
        }
    }

    GridFtpSession.Identity identity(int timeoutMs) throws Exception {
        return new GridFtpSession.Identity(user(certificates), trusted(), timeoutMs);
    }

    Credential user() throws Exception {
        return user(certificates);
    }

    TrustDirectory trusted() throws Exception {
        return TrustDirectory.find(Map.of("X509_CERT_DIR", certificates.trust().toString()), Path.of("/"));
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "gsiftp://localhost:" + port() + "/f";
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            new Talk(socket, new GsiPeer(certificates.serverContext())).run();
        } catch (SocketException e) {
            return; // the client has gone, as it does after every transfer
        } catch (Exception e) {
            commands.add("FAILED " + e);
        }
    }

    /** One connection. */
    final class Talk {
        private final Socket socket;
        private final BufferedReader in;
        private final GsiPeer peer;

        private Talk(Socket socket, GsiPeer peer) throws IOException {
            this.socket = socket;
            this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            this.peer = peer;
        }

        private void run() throws Exception {
            plain("220 ready\r\n");
            if (!"AUTH GSSAPI".equals(in.readLine())) {
                throw new IOException("no GSI");
            }
            plain("334 go on\r\n");
            while (!peer.isEstablished()) {
                byte[] token =
                        peer.step(Base64.getDecoder().decode(in.readLine().substring("ADAT ".length())));
                String code = peer.isEstablished() ? "235" : "335";
                plain(code + " ADAT=" + Base64.getEncoder().encodeToString(token) + "\r\n"
                        + (peer.isEstablished() ? afterLogin : ""));
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                byte[] bytes = peer.unwrap(Base64.getDecoder().decode(line.substring("ENC ".length())));
                take(new String(bytes, StandardCharsets.ISO_8859_1).strip());
            }
        }

        private void take(String command) throws Exception {
            switch (command.replaceFirst(" .*", "")) {
                case "USER" -> say("230 welcome");
                case "TYPE", "PBSZ", "DCAU", "PROT" -> say("200 good");
                case "PASV" ->
                    say("227 (127,0,0,1," + data.getLocalPort() / 256 + "," + data.getLocalPort() % 256 + ")");
                default -> {
                    commands.add(command);
                    script.take(command, this);
                }
            }
        }

        /** Encrypted. */
        void say(String lines) throws IOException {
            sealed((lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }

        void sealed(byte[] bytes) throws IOException {
            plain("633 " + Base64.getEncoder().encodeToString(peer.wrap(bytes)) + "\r\n");
        }

        /** As it is. */
        void plain(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** The data connection, with a handshake that is over. */
        SSLSocket data() throws IOException {
            SSLSocket accepted = (SSLSocket) data.accept();
            open.add(accepted);
            accepted.startHandshake();
            return accepted;
        }

        /** Before a byte of it has moved. */
        void dropData() throws IOException {
            data.accept().close();
        }

        /** As a server that is killed. */
        void die() throws IOException {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        data.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
