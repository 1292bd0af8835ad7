// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.FilePieces;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;

/** Moves the bytes of one file by its transfer URL. */
final class Transfers {
    private static final String COPY = "globus-url-copy";
    private static final int SAID_MAX = 2_000;

    private final Session session;
    private final Map<String, String> environment;
    private final Console console;

    Transfers(Session session, Map<String, String> environment, Console console) {
        this.session = requireNonNull(session, "session is null");
        this.environment = Map.copyOf(environment);
        this.console = requireNonNull(console, "console is null");
    }

    /** The protocols that can be used here, the best first. */
    List<String> protocols() {
        return hasCopy() ? List.of("https", "gsiftp") : List.of("https");
    }

    private boolean hasCopy() {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> !folder.isEmpty() && Files.isExecutable(Path.of(folder, COPY)));
    }

    long fetch(String url, Path to, Surl of, LongConsumer progress)
            throws IOException, CommandException, InterruptedException {
        if (!url.startsWith("gsiftp://")) {
            return new FilePieces(remote(url, of), console, progress).fetch(to);
        }
        copy(url, uri(to));
        return Files.size(to);
    }

    long bring(Path from, String url, Surl of, LongConsumer progress)
            throws IOException, CommandException, InterruptedException {
        if (!url.startsWith("gsiftp://")) {
            return new FilePieces(remote(url, of), console, progress).bring(from);
        }
        copy(uri(from), url);
        return Files.size(from);
    }

    private static String uri(Path file) {
        return file.toAbsolutePath().toUri().toString().replaceFirst("^file:/+", "file:///");
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

    /** By GridFTP. Its output is shown where it fails. */
    private void copy(String from, String to) throws IOException, CommandException, InterruptedException {
        if (!hasCopy()) {
            throw new CommandException(
                    ExitStatus.REFUSED,
                    "The file moves by gsiftp only, and there is no program " + COPY
                            + " here (Debian: globus-gass-copy-progs).");
        }
        List<String> command = new ArrayList<>(List.of(COPY, "-q", from, to));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        byte[] said = process.getInputStream().readNBytes(SAID_MAX);
        process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        if (process.waitFor() != 0) {
            throw new CommandException(
                    ExitStatus.CONTACT,
                    COPY + " failed: "
                            + Printable.of(new String(said, java.nio.charset.StandardCharsets.UTF_8)
                                    .replaceAll("\\s+", " ")
                                    .strip()));
        }
    }
}
