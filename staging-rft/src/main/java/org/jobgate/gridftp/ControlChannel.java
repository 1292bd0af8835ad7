// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of a control connection: commands out, replies in, protected (RFC 2228: {@code ENC}, 631 to 633) once there is a security
 * context. After any failure of its own it is broken and good for nothing but {@link #close}.
 */
final class ControlChannel implements AutoCloseable {

    /** RFC 2228: a reply that is sealed, or signed, or both. */
    private static final Pattern PROTECTED = Pattern.compile("63[123][ -]");

    private static final Logger LOG = LoggerFactory.getLogger(ControlChannel.class);
    /** What is read as the reply to nothing: the server speaks first. */
    static final String GREETING = "greeting";

    private static final int MAX_SLICE_MILLIS = 1000;

    private final ServerAddress server;
    private final GridFtpSettings settings;
    private final Socket socket;
    private final InputStream in;
    private final ReplyAssembler replies;
    private final Deque<Reply> ready = new ArrayDeque<>();
    private final ByteArrayOutputStream plain = new ByteArrayOutputStream();
    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[16 * 1024];
    private @Nullable GsiContext context;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean broken;

    private ControlChannel(ServerAddress server, GridFtpSettings settings, Socket socket) throws IOException {
        this.server = server;
        this.settings = settings;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.replies = new ReplyAssembler(settings.maxReplyBytes());
    }

    /** Connects, to the first of the name's addresses that answers. */
    static ControlChannel connect(ServerAddress server, GridFtpSettings settings) throws GridFtpException {
        IOException last = new IOException("the host has no address");
        for (InetAddress address : addresses(server)) {
            check(server, settings, address);
            Socket socket = open(server);
            try {
                socket.connect(
                        new InetSocketAddress(address, server.port()),
                        Math.toIntExact(settings.connectTimeout().toMillis()));
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                return new ControlChannel(server, settings, socket);
            } catch (IOException e) {
                last = e;
                close(socket);
            }
        }
        Fault fault = last instanceof SocketTimeoutException ? Fault.TIMEOUT : Fault.CONNECTION;
        throw GridFtpException.of(fault, server, "connect", "cannot connect", last);
    }

    private static void check(ServerAddress server, GridFtpSettings settings, InetAddress address)
            throws GridFtpException {
        try {
            settings.connectRule().check(server, address, server.port());
        } catch (IOException e) {
            throw GridFtpException.of(Fault.REFUSED, server, "connect", "not allowed here", e);
        }
    }

    private static Socket open(ServerAddress server) throws GridFtpException {
        try {
            return Sockets.unconnected();
        } catch (IOException e) {
            throw GridFtpException.of(Fault.CONNECTION, server, "connect", "no socket can be opened here", e);
        }
    }

    private static List<InetAddress> addresses(ServerAddress server) throws GridFtpException {
        try {
            return Arrays.asList(InetAddress.getAllByName(server.host()));
        } catch (UnknownHostException e) {
            throw GridFtpException.of(Fault.CONNECTION, server, "connect", "the host's name cannot be resolved", e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a socket did not close well", e);
        }
    }

    /**
     * From now on everything is protected: a line that is not may be of anybody on the way, and breaks the connection.
     *
     * @throws GridFtpException something that is not protected has come already, to be taken for the reply to a later command
     */
    void protect(GsiContext established) throws GridFtpException {
        if (!ready.isEmpty() || wire.size() > 0 || replies.isBegun()) {
            throw lost(
                    "ADAT", new IOException("more than the reply came, and not protected, before the login was over"));
        }
        this.context = established;
    }

    ServerAddress server() {
        return server;
    }

    /** Whether it can still be used. */
    boolean isSound() {
        return !broken && !socket.isClosed();
    }

    /** Whether every command has been answered, so that the next reply is to the next command. */
    boolean isInStep() {
        return isSound() && unanswered.get() == 0;
    }

    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    InetAddress peerAddress() {
        return socket.getInetAddress();
    }

    /** Sends commands in one go, each a line. All that were sent before have been answered. */
    void send(List<String> commands) throws GridFtpException {
        if (unanswered.get() != 0) {
            close();
            throw GridFtpException.of(
                    Fault.CONNECTION,
                    server,
                    commands.get(0),
                    "an earlier failure left commands without their replies; open another session");
        }
        write(commands);
    }

    /** Asks that the transfer be ended, while its reply is waited for. */
    void abort() throws GridFtpException {
        write(List.of("ABOR"));
    }

    private void write(List<String> commands) throws GridFtpException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            for (String command : commands) {
                byte[] line = RawText.bytes(CommandText.checked(command) + "\r\n");
                out.write(context == null ? line : protectedLine(context, line));
            }
            unanswered.addAndGet(commands.size());
            socket.getOutputStream().write(out.toByteArray());
        } catch (IOException e) {
            throw lost(commands.get(0), e);
        }
    }

    private static byte[] protectedLine(GsiContext context, byte[] line) throws IOException {
        String token = Base64.getEncoder().encodeToString(context.wrap(line, 0, line.length));
        return ("ENC " + token + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** The next reply to the command, while there is patience. */
    Reply read(String command, Patience patience) throws GridFtpException {
        while (ready.isEmpty()) {
            fill(command, patience);
        }
        Reply reply = ready.remove();
        if (!reply.isPreliminary() && !isGreeting(command)) {
            unanswered.decrementAndGet();
        }
        return reply;
    }

    private static boolean isGreeting(String command) {
        return command.equals(GREETING);
    }

    /** Whether a reply came without a command, or the server has closed the connection: an idle connection should have neither. */
    boolean isQuiet() {
        if (!isInStep() || !ready.isEmpty()) {
            return false;
        }
        boolean quiet = false;
        try {
            quiet = Sockets.isQuiet(socket);
        } catch (IOException e) {
            LOG.debug("the idle connection to {} is broken", server, e);
        }
        broken = !quiet;
        return quiet;
    }

    private void fill(String command, Patience patience) throws GridFtpException {
        long left = patience.left();
        if (left == 0 || Thread.currentThread().isInterrupted()) {
            broken = true;
            boolean interrupted = left > 0;
            throw GridFtpException.of(
                    Fault.TIMEOUT,
                    server,
                    command,
                    interrupted
                            ? "interrupted"
                            : "no reply within " + patience.limit().toSeconds() + " s");
        }
        try {
            socket.setSoTimeout((int) Math.min(left, MAX_SLICE_MILLIS));
            int count = in.read(buffer);
            if (count < 0) {
                throw new IOException("the server has closed the connection");
            }
            for (int i = 0; i < count; i++) {
                takeByte(buffer[i]);
            }
        } catch (SocketTimeoutException nothingYet) {
            return; // patience decides
        } catch (MalformedReplyException e) {
            broken = true;
            throw GridFtpException.of(Fault.PROTOCOL, server, command, "the server's reply makes no sense", e);
        } catch (InterruptedIOException e) {
            broken = true;
            throw GridFtpException.of(Fault.TIMEOUT, server, command, "interrupted", e);
        } catch (IOException e) {
            throw lost(command, e);
        }
    }

    private GridFtpException lost(String command, IOException cause) {
        broken = true;
        return GridFtpException.of(Fault.CONNECTION, server, command, "the control connection is lost", cause);
    }

    private void takeByte(byte b) throws IOException {
        if (b != '\n') {
            if (wire.size() >= settings.maxReplyBytes()) {
                throw new MalformedReplyException(
                        "a line is longer than " + settings.maxReplyBytes() + " bytes (maxReplyBytes)");
            }
            wire.write(b);
            return;
        }
        String line = withoutReturn(wire);
        if (context == null) {
            takeLine(line);
        } else if (PROTECTED.matcher(line).lookingAt()) {
            takeToken(context, line.substring(4).strip());
        } else {
            // a failure that may pass, whatever it says: who is on the way can cut the connection as well
            throw new IOException("a line came that is not protected, which may be of anybody on the way: '"
                    + CommandText.shown(line) + "'");
        }
    }

    private void takeToken(GsiContext established, String token) throws IOException {
        byte[] bytes;
        try {
            bytes = established.unwrap(Base64.getDecoder().decode(token));
        } catch (IllegalArgumentException e) {
            throw new MalformedReplyException("a protected reply is not base64");
        }
        for (byte b : bytes) {
            if (b == '\n') {
                takeLine(withoutReturn(plain));
            } else if (b != 0) {
                plain.write(b);
            }
        }
        if (plain.size() > settings.maxReplyBytes()) {
            throw new MalformedReplyException(
                    "a line is longer than " + settings.maxReplyBytes() + " bytes (maxReplyBytes)");
        }
    }

    private static String withoutReturn(ByteArrayOutputStream bytes) {
        String line = RawText.of(bytes.toByteArray());
        bytes.reset();
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }

    private void takeLine(String line) throws MalformedReplyException {
        Reply reply = replies.take(line);
        if (reply != null) {
            ready.add(reply);
        }
    }

    /** Closes the connection at once, without a command to the server. */
    @Override
    public void close() {
        broken = true;
        close(socket);
    }
}
