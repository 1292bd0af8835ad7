// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks the login of GSI and then what a test tells it: odd replies, none at all, too many. It answers a command with
 * what the script gives for it; an empty text hangs up, "-" says nothing, and what begins with {@link #PLAIN} is not protected.
 */
final class ScriptedServer implements AutoCloseable {

    /** Before a reply that goes out as somebody on the way would add it. */
    static final String PLAIN = "plain:";

    private final ServerSocket listening;
    private final GsiSecurity security;
    private final String greeting;
    private final UnaryOperator<String> script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** What is said when the login's certificates are exchanged. */
    volatile String welcome = "235 Welcome";

    /** What stands before the token of an answer of the login. */
    volatile String beforeToken = "";

    /** What came, without what belongs to the login. */
    final List<String> commands = new CopyOnWriteArrayList<>();

    ScriptedServer(GsiSecurity security, String greeting, UnaryOperator<String> script) throws IOException {
        this.security = security;
        this.greeting = greeting;
        this.script = script;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    ServerAddress address() {
        return new ServerAddress("localhost", listening.getLocalPort());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            say(socket, greeting);
            GsiContext context = login(socket, in);
            for (String line = in.readLine(); line != null && context != null; line = in.readLine()) {
                byte[] plain = context.unwrap(Base64.getDecoder().decode(line.substring(4)));
                String command = new String(plain, StandardCharsets.UTF_8).strip();
                String reply = reply(command);
                if (reply.isEmpty()) {
                    return;
                }
                if (reply.startsWith(PLAIN)) {
                    say(socket, reply.substring(PLAIN.length()));
                } else if (!reply.equals("-")) {
                    byte[] bytes = (reply + "\r\n").getBytes(StandardCharsets.UTF_8);
                    say(socket, "633 " + Base64.getEncoder().encodeToString(context.wrap(bytes, 0, bytes.length)));
                }
            }
        } catch (IOException e) {
            return; // the client hung up: the test looks at its side
        }
    }

    private String reply(String command) {
        if (command.startsWith("USER")) {
            return "331 Password required";
        }
        if (command.startsWith("PASS")) {
            return "230 Logged in";
        }
        commands.add(command);
        return script.apply(command);
    }

    private @Nullable GsiContext login(Socket socket, BufferedReader in) throws IOException {
        GsiContext context = GsiContext.of(security, false, chain -> {
            if (chain.length == 0) {
                throw new CertificateException("nobody");
            }
        });
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("AUTH")) {
                say(socket, script.apply(line));
            } else if (line.toUpperCase(Locale.ROOT).startsWith("ADAT ")) {
                byte[] token = Base64.getDecoder().decode(line.substring(5));
                if (context.isEstablished()) {
                    context.unwrap(token);
                    say(socket, welcome);
                    return context;
                }
                say(socket, "335 " + beforeToken + "ADAT=" + Base64.getEncoder().encodeToString(context.step(token)));
            }
        }
        return null;
    }

    private static void say(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
