// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.CredentialSearch;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.tls.Identification;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.Protocol;
import org.jobgate.cli.wire.SoapClient;
import org.jspecify.annotations.Nullable;

/**
 * One run's way to the services.
 *
 * @param identification what the services are shown
 * @param httpTimeout for each step on the network
 * @param protocol what is spoken; null: what the service speaks
 */
public record Session(
        HttpsClient http,
        Identification identification,
        @Nullable PrintStream trace,
        Duration httpTimeout,
        @Nullable Protocol protocol)
        implements AutoCloseable {
    private static final String PROTOCOL_VARIABLE = "JOBGATE_PROTOCOL";
    private static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(2);

    /**
     * How the command line wants it.
     *
     * @param timeoutMs as given; null for 2 minutes
     * @param subject the subject that the server must have; null for any
     * @param isSelf expect somebody with our own name
     * @param isTraced show the messages
     * @param protocol 4.0 or 4.2; null: as JOBGATE_PROTOCOL says, else what the service speaks
     */
    public record Wishes(
            @Nullable String timeoutMs,
            @Nullable String subject,
            boolean isSelf,
            boolean isTraced,
            @Nullable String protocol) {}

    /**
     * Finds who we are and whom to trust; connects to nobody yet.
     *
     * @throws CommandException no credential, no trust directory, or a wrong option
     */
    public static Session open(Wishes wishes, Map<String, String> environment, PrintStream errors)
            throws CommandException {
        Duration timeout = timeout(wishes.timeoutMs());
        Protocol protocol = protocol(wishes.protocol(), environment.get(PROTOCOL_VARIABLE));
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/")));
        try {
            TrustDirectory trusted = TrustDirectory.find(environment, home);
            Identification shown =
                    new CredentialSearch(environment, home, Path.of("/tmp"), Session::askPassphrase).identification();
            HttpsClient http = new HttpsClient(shown, trusted, expected(wishes, shown), timeout);
            return new Session(http, shown, wishes.isTraced() ? errors : null, timeout, protocol);
        } catch (CredentialException e) {
            throw new CommandException(ExitStatus.CREDENTIAL, String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable Protocol protocol(@Nullable String option, @Nullable String variable)
            throws CommandException {
        String wanted = option != null ? option : variable;
        if (wanted == null || wanted.isEmpty()) {
            return null;
        }
        for (Protocol protocol : Protocol.values()) {
            if (protocol.version().equals(wanted)) {
                return protocol;
            }
        }
        throw new CommandException(
                ExitStatus.USAGE,
                "Protocol " + wanted + " is neither 4.0 nor 4.2 (option -protocol, variable " + PROTOCOL_VARIABLE
                        + ").");
    }

    private static Duration timeout(@Nullable String text) throws CommandException {
        if (text == null) {
            return TIMEOUT_DEFAULT;
        }
        try {
            int milliseconds = Integer.parseInt(text);
            if (milliseconds > 0) {
                return Duration.ofMillis(milliseconds);
            }
        } catch (NumberFormatException e) {
            throw new CommandException(ExitStatus.USAGE, "Timeout " + text + " is not a number of milliseconds.", e);
        }
        throw new CommandException(ExitStatus.USAGE, "Timeout " + text + " is not above 0.");
    }

    private static ServerName expected(Wishes wishes, Identification shown) throws CommandException {
        String subject = wishes.subject();
        if (subject != null) {
            return new ServerName.Subject(subject);
        }
        return wishes.isSelf()
                ? new ServerName.Subject(certificate(shown, "A service that runs as yourself is known by")
                        .endEntity())
                : new ServerName.Host();
    }

    /**
     * Our certificate.
     *
     * @param purpose the beginning of a sentence that ends with "your certificate"
     * @throws CommandException we are known by a token
     */
    public Credential certificate(String purpose) throws CommandException {
        return certificate(identification, purpose);
    }

    private static Credential certificate(Identification shown, String purpose) throws CommandException {
        Credential credential = shown.credential();
        if (credential == null) {
            throw new CommandException(
                    ExitStatus.CREDENTIAL,
                    purpose
                            + " your certificate, and a bearer token was found (BEARER_TOKEN, BEARER_TOKEN_FILE, or the file"
                            + " bt_u<uid>). Unset it and make a proxy: jobgate proxy init.");
        }
        return credential;
    }

    @SuppressWarnings(
            "SystemConsoleNull") // the launcher chooses jdk.console=java.base, which is null without a terminal
    private static char[] askPassphrase() {
        java.io.Console terminal = System.console();
        char[] passphrase = terminal == null ? null : terminal.readPassword("Passphrase of your private key: ");
        return passphrase == null ? new char[0] : passphrase;
    }

    public SoapClient soap() {
        return new SoapClient(http, trace, protocol);
    }

    /** A second way to the service, while the first is in use by another thread. */
    public SoapClient anotherSoap() {
        return new SoapClient(http.another(), trace, protocol);
    }

    @Override
    public void close() {
        http.close();
    }
}
