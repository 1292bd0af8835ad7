// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.GsiTokens;
import org.jobgate.cli.tls.UnreachableException;
import org.jspecify.annotations.Nullable;

/** The connection on which a GridFTP server is told what to do; in lines, which are encrypted from the login on (RFC 959, RFC 2228). For one thread. */
final class ControlConnection implements Closeable {
    private static final int LINE_MAX = 256 * 1024;
    private static final int REPLY_MAX = 1 << 20;
    private static final int SHOWN_MAX = 200;
    /** So long a wait for bytes lasts at most before it is looked at whether anything is waited for still. */
    private static final int SLICE_MS = 250;

    private static final int END = -1;
    private static final int NOTHING_YET = -2;

    private static final Pattern FIRST = Pattern.compile("([1-6][0-9][0-9])([ -])(.*)", Pattern.DOTALL);
    private static final Pattern SEALED = Pattern.compile("63[123][ -](.*)", Pattern.DOTALL);

    /** Looks whether a reply is worth waiting for. */
    @FunctionalInterface
    interface Wait {
        /**
         * Called several times a second.
         *
         * @throws IOException it is not
         */
        void goOn() throws IOException;
    }

    private final Socket socket;
    private final InputStream in;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream opened = new ByteArrayOutputStream();
    private final Deque<String> lines = new ArrayDeque<>();
    private final int timeoutMs;
    private @Nullable GsiTokens seal;

    private ControlConnection(Socket socket, int timeoutMs) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.timeoutMs = timeoutMs;
    }

    /** @param timeoutMs to connect, and for each reply */
    static ControlConnection open(String host, int port, int timeoutMs) throws IOException {
        IOException last = new UnknownHostException(host);
        for (InetAddress address : addresses(host)) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), timeoutMs);
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(SLICE_MS);
                return new ControlConnection(socket, timeoutMs);
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        String hint = last instanceof ConnectException ? " Is the GridFTP server running there?" : "";
        throw new UnreachableException(
                "Cannot connect to " + host + ":" + port + ": " + Sentence.of(last.getMessage()) + hint, last);
    }

    private static InetAddress[] addresses(String host) throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new UnreachableException("Host " + host + " is not known. Check the name.", e);
        }
    }

    InetAddress peer() {
        return socket.getInetAddress();
    }

    /**
     * From now on lines are encrypted, and one that is not may be of anybody on the way: it is no answer, whatever it says.
     *
     * @throws IOException more than the last reply has come already, which cannot be an answer to anything
     */
    void seal(GsiTokens tokens) throws IOException {
        if (!lines.isEmpty() || line.size() > 0 || in.available() > 0) {
            throw new IOException("The GridFTP server, or somebody on the way, said more before the login was over.");
        }
        seal = requireNonNull(tokens, "tokens is null");
    }

    /** Sends a command and waits for its last reply. */
    Reply ask(String command) throws IOException {
        send(command);
        Reply reply = reply();
        while (reply.isPreliminary()) {
            reply = reply();
        }
        return reply;
    }

    void send(String command) throws IOException {
        if (command.chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
            throw new IllegalArgumentException("a command of several lines");
        }
        byte[] bytes = (command + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        GsiTokens sealing = seal;
        if (sealing != null) {
            bytes = ("ENC " + Base64.getEncoder().encodeToString(sealing.wrap(bytes)) + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }
        socket.getOutputStream().write(bytes);
    }

    /** The next reply, within the time that a reply may take. */
    Reply reply() throws IOException {
        long end = System.nanoTime() + timeoutMs * 1_000_000L;
        return reply(() -> {
            if (System.nanoTime() > end) {
                throw new IOException("The GridFTP server did not answer.", new SocketTimeoutException());
            }
        });
    }

    /** The next reply, preliminary ones and those that tell of progress included. */
    Reply reply(Wait wait) throws IOException {
        String next = line(wait);
        Matcher first = FIRST.matcher(next);
        if (!first.matches()) {
            throw new IOException("The server's answer is none of FTP.");
        }
        String code = first.group(1);
        StringBuilder text = new StringBuilder(first.group(3));
        boolean isWhole = first.group(2).equals(" ");
        while (!isWhole) {
            next = line(wait);
            isWhole = next.startsWith(code + " ");
            text.append('\n').append(isWhole ? next.substring(code.length() + 1) : next);
            if (text.length() > REPLY_MAX) {
                throw new IOException("The GridFTP server's answer is longer than " + REPLY_MAX + " characters.");
            }
        }
        return new Reply(Integer.parseInt(code), text.toString());
    }

    private String line(Wait wait) throws IOException {
        while (lines.isEmpty()) {
            String came = rawLine(wait);
            GsiTokens sealing = seal;
            if (sealing == null) {
                lines.add(came);
            } else {
                open(sealing, token(came));
            }
        }
        return lines.remove();
    }

    private static String token(String line) throws IOException {
        Matcher sealed = SEALED.matcher(line);
        if (!sealed.matches()) {
            String shown = line.length() > SHOWN_MAX ? line.substring(0, SHOWN_MAX) + "..." : line;
            throw new IOException("The GridFTP server, or somebody on the way, sent a line that is not encrypted: '"
                    + Printable.of(shown) + "'.");
        }
        return sealed.group(1).strip();
    }

    private void open(GsiTokens sealing, String token) throws IOException {
        byte[] plain;
        try {
            plain = sealing.unwrap(Base64.getDecoder().decode(token));
        } catch (IllegalArgumentException e) {
            throw new IOException("The GridFTP server's encrypted answer makes no sense.", e);
        }
        for (byte b : plain) {
            take(b, opened);
        }
    }

    private String rawLine(Wait wait) throws IOException {
        int b = next();
        while (b != '\n') {
            if (b == END) {
                throw new EOFException("The GridFTP server has closed the connection.");
            }
            if (b == NOTHING_YET) {
                wait.goOn();
            } else {
                take((byte) b, line);
            }
            b = next();
        }
        String whole = text(line);
        line.reset();
        return whole;
    }

    private int next() throws IOException {
        try {
            return in.read();
        } catch (SocketTimeoutException e) {
            return NOTHING_YET; // what has come of the line is kept
        }
    }

    /** Some servers end what they encrypt with a zero byte. */
    private void take(byte b, ByteArrayOutputStream into) throws IOException {
        if (b == '\n') {
            lines.add(text(into));
            into.reset();
        } else if (b != 0) {
            into.write(b);
        }
        if (into.size() > LINE_MAX) {
            throw new IOException("The GridFTP server sends a line of more than " + LINE_MAX + " bytes.");
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
