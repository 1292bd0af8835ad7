// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.GsiTokens;
import org.jobgate.cli.tls.ProxySigner;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.SigningRequest;
import org.jobgate.cli.tls.TrustDirectory;

/**
 * A login at a GridFTP server (GFD.020). Data goes encrypted, between ends that both know to be of the same user: for that the server gets a
 * limited proxy, which may move files and start nothing, of an hour at the most.
 */
final class GridFtpSession implements Closeable {
    private static final int ROUNDS_MAX = 20;
    private static final int KEY_BITS_MIN = 1024;
    private static final Duration DELEGATED = Duration.ofHours(1);
    private static final Pattern PASSIVE =
            Pattern.compile("(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,3})");
    private static final Pattern EXTENDED = Pattern.compile("\\|\\|\\|(\\d{1,5})\\|");

    private final ControlConnection control;
    private final Identity identity;
    private final String host;

    /**
     * Who asks, and whom we believe.
     *
     * @param timeoutMs to connect, for each reply, and for each moment without data
     */
    record Identity(Credential credential, TrustDirectory trusted, int timeoutMs) {}

    private GridFtpSession(ControlConnection control, Identity identity, String host) {
        this.control = control;
        this.identity = identity;
        this.host = host;
    }

    /**
     * Connects and logs in as the account that the server maps us to.
     *
     * @throws IOException not reached, not believed, or refused; the message is for a person
     */
    static GridFtpSession open(Identity identity, String host, int port) throws IOException {
        ControlConnection control = ControlConnection.open(host, port, identity.timeoutMs());
        try {
            GridFtpSession session = new GridFtpSession(control, identity, host);
            session.login(port);
            return session;
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    private void login(int port) throws IOException {
        control.reply().expect("the connection", 220);
        control.ask("AUTH GSSAPI").expect("to be shown a certificate", 334);
        GsiTokens tokens = GsiTokens.with(identity.credential(), identity.trusted(), host, port);
        Reply reply = token(tokens.step(new byte[0]));
        for (int round = 0; !tokens.isEstablished(); round++) {
            byte[] ours = tokens.step(reply.token());
            if (ours.length > 0) {
                reply = token(ours);
            }
            if (round > ROUNDS_MAX || (ours.length == 0 && !tokens.isEstablished())) {
                throw new IOException("The GridFTP server does not end its greeting.");
            }
        }
        if (reply.code() == 335) {
            reply = token(tokens.wrap(new byte[] {'D'}));
            reply = token(tokens.wrap(proxy(tokens.unwrap(reply.token()))));
        }
        reply.expect("your certificate", 235);
        control.seal(tokens);
        reply = control.ask("USER :globus-mapping:");
        if (reply.code() == 331) {
            reply = control.ask("PASS dummy");
        }
        if (reply.code() != 230) {
            throw reply.refusal("you as a user", RefusedException.What.CREDENTIAL);
        }
        for (String command : new String[] {"TYPE I", "PBSZ 1048576", "DCAU A", "PROT P"}) {
            control.ask(command).expect(command, 200);
        }
    }

    private Reply token(byte[] token) throws IOException {
        Reply reply = control.ask("ADAT " + Base64.getEncoder().encodeToString(token));
        if (reply.code() != 335 && reply.code() != 235) {
            throw reply.refusal("your certificate", RefusedException.What.CREDENTIAL);
        }
        return reply;
    }

    /** The certificate alone: the server knows the rest of its chain. */
    private byte[] proxy(byte[] request) throws IOException {
        try {
            PublicKey key = SigningRequest.keyOf(request);
            if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < KEY_BITS_MIN) {
                throw new IOException("The GridFTP server wants a proxy for a key of "
                        + rsa.getModulus().bitLength() + " bits, which anybody could find out.");
            }
            return new ProxySigner(Clock.systemUTC(), new SecureRandom())
                    .sign(identity.credential(), key, DELEGATED, true)
                    .getFirst()
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException("The proxy for the GridFTP server cannot be made: " + e.getMessage(), e);
        }
    }

    /** How large a file is, in bytes. */
    long size(String path) throws IOException {
        return control.ask("SIZE " + path)
                .expect("to tell the size of " + path, 213)
                .number("SIZE");
    }

    /** By what a file is seen to be the same still: when it was written, where the server tells that. */
    String written(String path) throws IOException {
        Reply reply = control.ask("MDTM " + path);
        return reply.code() == 213 ? reply.text() : "";
    }

    /**
     * Moves a file, or the rest of it, from or to the server.
     *
     * @param command {@code RETR} or {@code STOR} and the path
     * @param from the first byte that is moved
     * @param work what is done with the data connection, in a thread of its own
     */
    void transfer(String command, long from, DataTransfer.Work work) throws IOException {
        InetSocketAddress address = passive();
        if (from > 0) {
            control.ask("REST " + from).expect("to go on at byte " + from, 350);
        }
        new DataTransfer(control, identity, host, work).run(address, command);
    }

    /** Where the server waits for the data connection. Its word for the host counts: the ends of that connection know each other. */
    private InetSocketAddress passive() throws IOException {
        if (control.peer() instanceof Inet6Address) {
            Reply reply = control.ask("EPSV").expect("a port for the data", 229);
            Matcher found = EXTENDED.matcher(reply.text());
            if (found.find()) {
                return at(control.peer(), Integer.parseInt(found.group(1)));
            }
        } else {
            Reply reply = control.ask("PASV").expect("a port for the data", 227);
            Matcher found = PASSIVE.matcher(reply.text());
            if (found.find()) {
                byte[] host = new byte[4];
                for (int i = 0; i < host.length; i++) {
                    host[i] = (byte) Integer.parseInt(found.group(i + 1));
                }
                return at(
                        InetAddress.getByAddress(host),
                        256 * Integer.parseInt(found.group(5)) + Integer.parseInt(found.group(6)));
            }
        }
        throw new IOException("The GridFTP server does not say where it waits for the data.");
    }

    private static InetSocketAddress at(InetAddress host, int port) throws IOException {
        if (port < 1 || port > 65_535) {
            throw new IOException("The GridFTP server says that it waits for the data at port " + port + ".");
        }
        return new InetSocketAddress(host, port);
    }

    @Override
    public void close() throws IOException {
        control.close();
    }
}
