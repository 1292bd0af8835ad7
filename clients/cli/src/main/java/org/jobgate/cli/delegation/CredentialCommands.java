// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.delegation;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.tls.BearerToken;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** The commands globus-credential-delegate and globus-credential-refresh. */
public final class CredentialCommands {
    private static final long SECONDS_DEFAULT = 43_200;
    private static final long SECONDS_MAX = 366L * 24 * 3600;

    private final Map<String, String> environment;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;
    private final Map<CredentialOption, String> options = new EnumMap<>(CredentialOption.class);
    private final List<String> operands = new ArrayList<>();

    public CredentialCommands(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.clock = requireNonNull(clock, "clock is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what one of the commands does.
     *
     * @return the status for the process
     */
    public int call(String name, String... words) throws CommandException {
        sort(words);
        if (options.containsKey(CredentialOption.HELP) || options.containsKey(CredentialOption.VERSION)) {
            out.println(
                    options.containsKey(CredentialOption.HELP)
                            ? CredentialPages.page(name).help()
                            : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        boolean isDelegate = name.equals(CredentialPages.DELEGATE);
        String file = file(isDelegate);
        @Nullable BearerToken token = token();
        Duration lifetime = Duration.ofSeconds(seconds());
        try (Session session = Session.open(wishes(), environment(), errors)) {
            if (isDelegate) {
                Epr delegated = token == null
                        ? proxies(session).delegate(factory(), lifetime, isLimited())
                        : DelegationService.delegate(session.soap(), factory(), token);
                EprFile.write(Path.of(file), delegated.toFileText());
                out.println("Delegated. The endpoint reference is in " + file + ".");
            } else {
                Epr delegated = EprFile.read(Path.of(file));
                if (token == null) {
                    proxies(session).refresh(delegated, lifetime, isLimited());
                } else {
                    DelegationService.refresh(session.soap(), delegated, token);
                }
                out.println("Refreshed.");
            }
            return ExitStatus.OK.code();
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "The service refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    private DelegationService proxies(Session session) throws CommandException {
        return new DelegationService(
                session.soap(), session.certificate("A credential is delegated from"), clock, new SecureRandom());
    }

    private boolean isLimited() {
        return !options.getOrDefault(CredentialOption.FULL, "true").equals("true");
    }

    private @Nullable BearerToken token() throws CommandException {
        String file = options.get(CredentialOption.TOKEN);
        if (file == null) {
            return null;
        }
        if (options.containsKey(CredentialOption.LIFETIME) || options.containsKey(CredentialOption.FULL)) {
            throw usage("Options -l and -d are for proxies: a token is delegated as it is.");
        }
        try {
            return BearerToken.read(Path.of(file));
        } catch (CredentialException e) {
            throw new CommandException(ExitStatus.CREDENTIAL, String.valueOf(e.getMessage()), e);
        }
    }

    private void sort(String... words) throws CommandException {
        for (int i = 0; i < words.length; i++) {
            CredentialOption option = CredentialOption.named(words[i]);
            if (option == null && words[i].startsWith("-")) {
                throw Words.unknown(words[i], List.of(CredentialOption.values()));
            }
            if (option == null) {
                operands.add(words[i]);
            } else if (option.argument().isEmpty()) {
                options.put(option, "");
            } else if (++i < words.length) {
                options.put(option, words[i]);
            } else {
                throw usage("Option " + words[i - 1] + " needs a value.");
            }
        }
    }

    private String file(boolean isDelegate) throws CommandException {
        String named = options.get(CredentialOption.EPR_FILE);
        if (isDelegate ? operands.size() == 1 && named == null : operands.isEmpty() && named != null) {
            return isDelegate ? operands.getFirst() : requireNonNull(named);
        }
        throw usage(
                isDelegate
                        ? "Name one file for the endpoint reference."
                        : "Name the credential to be renewed with -e FILE, and nothing else.");
    }

    private long seconds() throws CommandException {
        String text = options.get(CredentialOption.LIFETIME);
        try {
            long seconds = text == null ? SECONDS_DEFAULT : Long.parseLong(text);
            if (seconds > 0 && seconds <= SECONDS_MAX) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            throw new CommandException(ExitStatus.USAGE, "Lifetime " + text + " is not a number of seconds.", e);
        }
        throw usage("Lifetime " + text + " is not between 1 and " + SECONDS_MAX + " seconds.");
    }

    private Epr factory() {
        String service = options.get(CredentialOption.SERVICE);
        String address = service != null
                ? service
                : "https://" + options.getOrDefault(CredentialOption.HOST, "localhost") + ":"
                        + options.getOrDefault(CredentialOption.PORT, "8443")
                        + "/wsrf/services/DelegationFactoryService";
        return new Epr(address, List.of());
    }

    private Session.Wishes wishes() throws CommandException {
        String mechanism = options.getOrDefault(CredentialOption.MECHANISM, "trans");
        if (!mechanism.equals("trans")) {
            throw usage("Option -m " + mechanism + ": only trans (TLS) is possible.");
        }
        String whom = options.getOrDefault(CredentialOption.AUTHORIZATION, "host");
        @Nullable String subject = whom.startsWith("/") ? whom : null;
        if (subject == null && !whom.equals("host") && !whom.equals("self")) {
            throw usage("Option -a " + whom + ": say host, self, or a subject that begins with a slash.");
        }
        return new Session.Wishes(
                null, subject, whom.equals("self"), options.containsKey(CredentialOption.DEBUG), null);
    }

    private Map<String, String> environment() {
        String file = options.get(CredentialOption.CREDENTIAL);
        if (file == null) {
            return environment;
        }
        Map<String, String> changed = new HashMap<>(environment);
        changed.put("X509_USER_PROXY", file);
        changed.keySet().removeAll(List.of("BEARER_TOKEN", "BEARER_TOKEN_FILE"));
        return changed;
    }

    private static CommandException usage(String sentence) {
        return new CommandException(ExitStatus.USAGE, sentence);
    }
}
