// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** The way from a greeting to a user who is logged in: RFC 2228 with the mechanism GSSAPI, whose tokens are GSI's (GFD.020, section 4). */
final class Login {

    private static final int MAX_ROUNDS = 20;
    private static final Pattern ADAT = Pattern.compile("ADAT=", Pattern.CASE_INSENSITIVE);
    private static final String WHAT = "AUTH GSSAPI";

    private final ControlChannel control;
    private final GsiSecurity security;
    private final Clock clock;
    private final Patience patience;

    Login(ControlChannel control, GsiSecurity security, Clock clock, GridFtpSettings settings) {
        this.control = control;
        this.security = security;
        this.clock = clock;
        this.patience = new Patience(settings.replyTimeout());
    }

    /** Logs in as the account that the server maps the credential to; answers what it says then. */
    Reply run() throws GridFtpException {
        if (!security.expires().isAfter(clock.instant())) {
            throw GridFtpException.of(
                    Fault.AUTHENTICATION,
                    control.server(),
                    WHAT,
                    "the credential of " + security.credential().getSubjectName() + " expired at " + security.expires()
                            + "; renew it");
        }
        expect(control.read(ControlChannel.GREETING, patience), ControlChannel.GREETING, 220);
        expect(ask(WHAT), WHAT, 334);
        GsiContext context = GsiContext.of(
                security, true, PeerNames.server(security, control.server().host()));
        Reply last = handshake(context);
        last = delegate(context, last);
        expect(last, WHAT, 235);
        control.protect(context);
        return mapped();
    }

    private Reply mapped() throws GridFtpException {
        Reply reply = ask("USER :globus-mapping:");
        if (reply.code() == 331) {
            reply = ask("PASS dummy");
        }
        expect(reply, "USER :globus-mapping:", 230);
        return reply;
    }

    private Reply handshake(GsiContext context) throws GridFtpException {
        byte[] token = new byte[0];
        Reply reply = new Reply(335, List.of(""));
        for (int round = 0; round < MAX_ROUNDS && !context.isEstablished(); round++) {
            byte[] ours = step(context, token);
            if (ours.length > 0) {
                reply = exchange(ours);
                token = token(reply);
            } else if (!context.isEstablished()) {
                throw strange("the server's token ends before the handshake does");
            }
        }
        if (!context.isEstablished()) {
            throw strange("the handshake does not end after " + MAX_ROUNDS + " rounds");
        }
        return reply;
    }

    private byte[] step(GsiContext context, byte[] token) throws GridFtpException {
        try {
            return context.step(token);
        } catch (SSLException e) {
            tell(context);
            throw GridFtpException.of(
                    Fault.AUTHENTICATION, control.server(), WHAT, "the server is not accepted", deepest(e));
        }
    }

    /** The server's log shall say why, too. */
    private void tell(GsiContext context) throws GridFtpException {
        byte[] alert = context.farewell();
        if (alert.length > 0) {
            control.send(List.of("ADAT " + Base64.getEncoder().encodeToString(alert)));
        }
    }

    private static Throwable deepest(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The byte behind the handshake: whether we delegate; if so, the server's request is signed. */
    private Reply delegate(GsiContext context, Reply last) throws GridFtpException {
        if (last.code() != 335) {
            return last;
        }
        try {
            if (security.delegation() == Delegation.NONE) {
                return exchange(context.wrap(new byte[] {'0'}, 0, 1));
            }
            byte[] request = context.unwrap(token(exchange(context.wrap(new byte[] {'D'}, 0, 1))));
            byte[] answer = ProxySigner.answer(request, security, clock.instant());
            return exchange(context.wrap(answer, 0, answer.length));
        } catch (GridFtpException e) {
            throw e;
        } catch (IOException e) {
            throw GridFtpException.of(Fault.AUTHENTICATION, control.server(), WHAT, "the delegation failed", e);
        }
    }

    /** Sends a token; a refusal names the reason that the server gives. */
    private Reply exchange(byte[] token) throws GridFtpException {
        Reply reply = ask("ADAT " + Base64.getEncoder().encodeToString(token), "ADAT");
        if (reply.code() != 335 && reply.code() != 235) {
            throw refusal(
                    reply,
                    "ADAT",
                    "the server does not accept " + security.credential().getSubjectName());
        }
        return reply;
    }

    private byte[] token(Reply reply) throws GridFtpException {
        String text = String.join("", reply.lines());
        Matcher name = ADAT.matcher(text);
        try {
            return name.find()
                    ? Base64.getDecoder().decode(text.substring(name.end()).strip())
                    : new byte[0];
        } catch (IllegalArgumentException e) {
            throw strange("the token is not base64");
        }
    }

    private Reply ask(String command) throws GridFtpException {
        return ask(command, command);
    }

    private Reply ask(String command, String shown) throws GridFtpException {
        control.send(List.of(command));
        return control.read(shown, patience);
    }

    private void expect(Reply reply, String command, int code) throws GridFtpException {
        if (reply.code() != code) {
            throw refusal(reply, command, "the login was refused");
        }
    }

    /** The refusal of a busy server does not concern the credential. */
    private GridFtpException refusal(Reply reply, String command, String what) {
        GridFtpException.Failure failure = reply.code() / 100 == 4
                ? new GridFtpException.Failure(reply.fault(), control.server(), command, "refused", reply, null)
                : new GridFtpException.Failure(Fault.AUTHENTICATION, control.server(), WHAT, what, reply, null);
        return GridFtpException.of(failure);
    }

    private GridFtpException strange(String what) {
        return GridFtpException.of(Fault.PROTOCOL, control.server(), WHAT, what);
    }
}
