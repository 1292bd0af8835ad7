// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.FilePieces;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.gridftp.GridFtpFile;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;
import org.jobgate.cli.tls.TrustDirectory;

/** Moves the bytes of one file by its transfer URL. */
final class Transfers {
    private static final String GSIFTP = "gsiftp";

    private final Session session;
    private final Map<String, String> environment;
    private final Console console;

    Transfers(Session session, Map<String, String> environment, Console console) {
        this.session = requireNonNull(session, "session is null");
        this.environment = Map.copyOf(environment);
        this.console = requireNonNull(console, "console is null");
    }

    /** The protocols that can be used here, the best first: a GridFTP server is shown a certificate, and knows no tokens. */
    List<String> protocols() {
        return session.identification().credential() == null ? List.of("https") : List.of("https", GSIFTP);
    }

    long fetch(String url, Path to, Surl of, LongConsumer progress)
            throws IOException, CommandException, InterruptedException {
        return isGridFtp(url)
                ? gridFtp(url, progress).fetch(to)
                : new FilePieces(remote(url, of), console, progress).fetch(to);
    }

    long bring(Path from, String url, Surl of, LongConsumer progress)
            throws IOException, CommandException, InterruptedException {
        return isGridFtp(url)
                ? gridFtp(url, progress).bring(from)
                : new FilePieces(remote(url, of), console, progress).bring(from);
    }

    private static boolean isGridFtp(String url) {
        return url.startsWith(GSIFTP + "://");
    }

    private GridFtpFile gridFtp(String url, LongConsumer progress) throws CommandException {
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/")));
        try {
            return new GridFtpFile(
                    url,
                    session.certificate("A GridFTP server wants"),
                    TrustDirectory.find(environment, home),
                    session.httpTimeout(),
                    console,
                    progress);
        } catch (CredentialException e) {
            throw new CommandException(ExitStatus.CREDENTIAL, String.valueOf(e.getMessage()), e);
        }
    }

    private FilePieces.Remote remote(String url, Surl of) throws CommandException {
        requireSafe(url, of);
        return new FilePieces.Remote() {
            @Override
            public HttpReply exchange(String method, String headers, byte[] body) throws IOException {
                return session.http().exchange(url, new HttpRequest(method, headers, body));
            }

            @Override
            public byte[] checked(HttpReply reply) throws CommandException {
                if (reply.status() / 100 == 2) {
                    return reply.body();
                }
                throw new CommandException(
                        reply.status() == 401 ? ExitStatus.CREDENTIAL : ExitStatus.REFUSED,
                        "The file's server answered with HTTP status " + reply.status() + " "
                                + Printable.of(Sentence.of(reply.reason() + reply.bodyStart())));
            }
        };
    }

    /** A certificate proves who we are and can be shown to any server; a bearer token would be given away. */
    private void requireSafe(String url, Surl of) throws CommandException {
        String host;
        try {
            host = String.valueOf(URI.create(url).getHost()).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    ExitStatus.CONTACT, "The service named a transfer URL that is none: " + Printable.of(url) + ".", e);
        }
        boolean isSame =
                host.equals(String.valueOf(URI.create(of.service()).getHost()).toLowerCase(Locale.ROOT));
        if (!url.startsWith("https://") || (!isSame && session.identification().credential() == null)) {
            throw new CommandException(
                    ExitStatus.REFUSED,
                    "The transfer URL " + Printable.of(url)
                            + " is not used: it is none of https, or leads to another host, which must not be given"
                            + " your bearer token. Use a proxy instead.");
        }
    }
}
