// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.LocalJdl;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.CredentialSearch;
import org.jobgate.cli.tls.TrustDirectory;
import org.jspecify.annotations.Nullable;

/** The command {@code ice}. */
public final class IceCommands {

    private static final String SAY = "submit, run, status, log or cancel";
    private static final int THREADS_MAX = 500;
    private static final int BULK_MAX = 1_000;
    private static final int SECONDS_MAX = 366 * 24 * 3600;
    private static final int DAYS_MAX = 36_500;
    private static final long IDS_MAX = 64 << 20;
    private static final int JDLS_MAX = 100_000;
    private static final int IN_ONE_TRANSACTION = 1_000;

    private final Map<String, String> environment;
    private final Path home;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;

    public IceCommands(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/")));
        this.clock = requireNonNull(clock, "clock is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what the words say.
     *
     * @return the status for the process
     */
    public int call(String... given) throws CommandException, InterruptedException {
        Words words = Words.sort(IceOption.table(), sorted -> Integer.MAX_VALUE, given);
        if (words.has(IceOption.HELP) || words.has(IceOption.VERSION)) {
            out.println(
                    words.has(IceOption.HELP)
                            ? IcePages.page(IcePages.NAME).help()
                            : CommandPage.version(IcePages.NAME));
            return ExitStatus.OK.code();
        }
        if (words.operands().isEmpty()) {
            throw Words.usage("Say what to do: " + SAY + ".");
        }
        String order = words.operands().getFirst();
        List<String> operands =
                new ArrayList<>(words.operands().subList(1, words.operands().size()));
        try (QueueFile file = QueueFile.open(directory(words))) {
            return switch (order) {
                case "submit" -> submit(file, words, operands);
                case "run" -> run(file, words);
                case "status" -> status(file, words, ids(words, operands));
                case "log" -> {
                    new Overview(file).steps(ids(words, operands), out::println);
                    yield ExitStatus.OK.code();
                }
                case "cancel" -> cancel(file, ids(words, operands));
                default -> throw Words.usage("There is no '" + order + "': say " + SAY + ".");
            };
        } catch (QueueException e) {
            throw new CommandException(ExitStatus.CONTACT, String.valueOf(e.getMessage()), e);
        }
    }

    private Path directory(Words words) {
        String named = words.value(IceOption.QUEUE);
        String usual = environment.getOrDefault("ICE_QUEUE", "");
        return named != null
                ? Path.of(named).toAbsolutePath()
                : usual.isEmpty() ? home.resolve(".ice") : Path.of(usual).toAbsolutePath();
    }

    private static List<String> ids(Words words, List<String> operands) throws CommandException {
        String name = words.value(IceOption.INPUT);
        List<String> ids = new ArrayList<>(operands);
        if (name != null) {
            try {
                if (Files.size(Path.of(name)) > IDS_MAX) {
                    throw Words.usage("The file " + name + " is larger than 64 MiB.");
                }
                Files.readString(Path.of(name))
                        .lines()
                        .map(String::strip)
                        .filter(id -> !id.isEmpty())
                        .forEach(ids::add);
            } catch (IOException e) {
                throw new CommandException(
                        ExitStatus.USAGE, "The file " + name + " cannot be read: " + Sentence.reason(e) + ".", e);
            }
        }
        return ids;
    }

    private CredentialSearch search() {
        return new CredentialSearch(environment, home, Path.of("/tmp"), () -> new char[0]);
    }

    private int submit(QueueFile file, Words words, List<String> names) throws CommandException {
        if (names.isEmpty() || names.size() > JDLS_MAX) {
            throw Words.usage("Name 1 to " + JDLS_MAX + " JDL files.");
        }
        List<JobRequest> requests = new ArrayList<>();
        String named = words.value(IceOption.PROXY);
        for (String name : names) {
            try {
                LocalJdl jdl = LocalJdl.read(Path.of(name), Map.of());
                boolean isInJdl = named == null && jdl.jdl().attributes().containsKey("X509UserProxy");
                Path proxy = isInJdl ? null : named == null ? search().proxyFile() : Path.of(named);
                requests.add(Intake.request(
                        UUID.randomUUID().toString(),
                        jdl,
                        words.values(IceOption.RESOURCE),
                        proxy,
                        words.value(IceOption.MYPROXY)));
            } catch (CreamException e) {
                throw new CommandException(
                        ExitStatus.USAGE, name + ": " + e.getMessage() + " Nothing was submitted.", e);
            } catch (CredentialException e) {
                throw new CommandException(ExitStatus.CREDENTIAL, String.valueOf(e.getMessage()), e);
            }
        }
        JobQueue queue = new JobQueue(file);
        for (int from = 0; from < requests.size(); from += IN_ONE_TRANSACTION) {
            List<JobRequest> some = requests.subList(from, Math.min(from + IN_ONE_TRANSACTION, requests.size()));
            Optional<String> refusal = queue.add(some, clock.millis());
            if (refusal.isPresent()) {
                throw new CommandException(ExitStatus.REFUSED, refusal.get());
            }
            List<String> ids = some.stream().map(JobRequest::id).toList();
            ids.forEach(out::println);
            keep(words.value(IceOption.OUTPUT), ids);
        }
        return ExitStatus.OK.code();
    }

    private static void keep(@Nullable String file, List<String> ids) throws CommandException {
        if (file != null) {
            try {
                Files.write(Path.of(file), ids, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new CommandException(
                        ExitStatus.USAGE,
                        "The jobs are in the queue, and their ids cannot be written to " + file + ": "
                                + Sentence.reason(e) + ".",
                        e);
            }
        }
    }

    private int status(QueueFile file, Words words, List<String> ids) throws CommandException {
        Overview overview = new Overview(file);
        String states = words.value(IceOption.STATES);
        List<String> wanted = states == null ? List.of() : Arrays.asList(states.split(":", -1));
        for (String state : wanted) {
            if (IceState.of(state).isEmpty()) {
                throw Words.usage("There is no state " + state + ".");
            }
        }
        if (!ids.isEmpty()) {
            return unknown(overview.jobs(ids, out::println));
        }
        if (words.has(IceOption.ALL) || states != null) {
            overview.all(wanted, out::println);
        } else {
            overview.counts().forEach(out::println);
        }
        return ExitStatus.OK.code();
    }

    private int cancel(QueueFile file, List<String> ids) throws CommandException {
        if (ids.isEmpty()) {
            throw Words.usage("Name the jobs that are to be cancelled.");
        }
        return unknown(new Cancellations(file).cancel(ids, clock.millis()));
    }

    private int unknown(List<String> ids) {
        ids.forEach(id -> errors.println("ice: there is no job " + id + " in the queue."));
        return ids.isEmpty() ? ExitStatus.OK.code() : ExitStatus.REFUSED.code();
    }

    private int run(QueueFile file, Words words) throws CommandException, InterruptedException {
        Manager.Settings settings = new Manager.Settings(
                words.number(IceOption.THREADS, 10, 1, THREADS_MAX),
                words.number(IceOption.BULK, 100, 1, BULK_MAX),
                Duration.ofSeconds(words.number(IceOption.POLL, 10, 1, SECONDS_MAX)),
                Duration.ofSeconds(words.number(IceOption.LEASE, 18_000, 0, SECONDS_MAX)),
                Duration.ofSeconds(words.number(IceOption.RENEW, 3_600, 0, SECONDS_MAX)),
                Duration.ofSeconds(words.number(IceOption.TIMEOUT, 60, 1, SECONDS_MAX)),
                Duration.ofDays(words.number(IceOption.KEEP, 30, 0, DAYS_MAX)),
                words.has(IceOption.UNTIL_DONE));
        try {
            Manager manager =
                    new Manager(file, settings, TrustDirectory.find(environment, home), renewer(), clock, this::log);
            Runtime.getRuntime().addShutdownHook(new Thread(manager::end, "end"));
            manager.run();
            return ExitStatus.OK.code();
        } catch (CredentialException e) {
            throw new CommandException(ExitStatus.CREDENTIAL, String.valueOf(e.getMessage()), e);
        }
    }

    /** The certificate by which MyProxy servers know who renews; where there is none, nothing is renewed there. */
    private @Nullable Credential renewer() throws CredentialException {
        Path certificate = search().certificateFile();
        return Files.exists(certificate) ? Credential.read(certificate, search().keyFile(), () -> new char[0]) : null;
    }

    private synchronized void log(String line) {
        errors.println(clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + Printable.of(line));
        errors.flush();
    }
}
