// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.delegation.DelegationService;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** The commands rft, rft-delete and globus-crft. */
public final class RftCommands {
    private static final int MINUTES_DEFAULT = 60;
    private static final int MINUTES_MAX = 60 * 24 * 365;
    private static final long PAUSE_SHORTEST_MS = 50;
    private static final long PAUSE_LONGEST_MS = 2_000;

    /** How long a question waits for another status at least where a person sees meanwhile how far it is, and where nobody does. */
    private static final long WAIT_SEEN_MS = 500;

    private static final Duration WAIT_UNSEEN = Duration.ofSeconds(25);
    private static final Duration CONTACT_LOST = Duration.ofMinutes(2);
    private static final int BAR = 30;

    private final Map<String, String> environment;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;

    public RftCommands(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
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
    public int call(String name, String... given) throws CommandException, InterruptedException {
        boolean isCrft = name.equals(RftPages.CRFT);
        Words words = Words.sort(RftOption.table(isCrft), sorted -> Integer.MAX_VALUE, given);
        if (words.has(RftOption.HELP) || words.has(RftOption.VERSION)) {
            out.println(words.has(RftOption.HELP) ? RftPages.page(name).help() : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        CommandOption order = isCrft ? order(words) : RftOption.SUBMIT;
        Console console = new Console(name, out, errors, words.has(RftOption.QUIET), Console::isAtTerminal);
        boolean isDeletion = name.equals(RftPages.DELETE) || words.has(RftOption.DELETE);
        TransferFile file = order.equals(RftOption.SUBMIT) ? TransferFile.read(transferFile(words), isDeletion) : null;
        String checksum = words.value(RftOption.CHECKSUM);
        if (file != null && checksum != null && !isDeletion) {
            file.options().put("checksum", checksum);
        }
        Epr known = file == null ? EprFile.read(Path.of(eprFile(words))) : null;
        try (Session session = Session.open(wishes(words), environment, errors)) {
            RftService service = new RftService(session.soap());
            return file != null
                    ? submit(session, service, words, file, isDeletion, console)
                    : act(order, service, requireNonNull(known), console);
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "The service refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    private static CommandOption order(Words words) throws CommandException {
        List<CommandOption> orders =
                RftOption.ORDERS.stream().filter(words::has).toList();
        if (orders.size() != 1) {
            throw Words.usage("Say one of -submit, -monitor, -done, -status, -cancel and -destroy.");
        }
        return orders.getFirst();
    }

    private static Path transferFile(Words words) throws CommandException {
        String named = words.value(RftOption.TRANSFER_FILE);
        if (named != null && words.operands().isEmpty()) {
            return Path.of(named);
        }
        if (named == null && words.operands().size() == 1) {
            return Path.of(words.operands().getFirst());
        }
        throw Words.usage("Name one file that says what is to be done.");
    }

    private static String eprFile(Words words) throws CommandException {
        String named = words.value(RftOption.EPR_FILE);
        if (named == null || !words.operands().isEmpty()) {
            throw Words.usage("Name the request with -e FILE, and nothing else.");
        }
        return named;
    }

    private static Session.Wishes wishes(Words words) throws CommandException {
        String mechanism = words.value(RftOption.MECHANISM);
        if (mechanism != null && !mechanism.equals("trans")) {
            throw Words.usage("Option -m " + mechanism + ": only trans (TLS) is possible.");
        }
        String whom = words.value(RftOption.AUTHORIZATION);
        @Nullable String subject = whom != null && whom.startsWith("/") ? whom : null;
        if (whom != null && subject == null && !whom.equals("host") && !whom.equals("self")) {
            throw Words.usage("Option -z " + whom + ": say host, self, or a subject that begins with a slash.");
        }
        return new Session.Wishes(
                null, subject, "self".equals(whom), words.has(RftOption.DEBUG), words.value(RftOption.PROTOCOL));
    }

    private int submit(
            Session session, RftService service, Words words, TransferFile file, boolean isDeletion, Console console)
            throws CommandException, IOException, SoapFaultException, InterruptedException {
        String output = words.value(RftOption.EPR_OUTPUT);
        if (words.has(RftOption.BATCH) && output == null) {
            throw Words.usage("With -b the request could not be found again: name a file with -file.");
        }
        Duration lifetime = Duration.ofMinutes(words.number(RftOption.LIFETIME, MINUTES_DEFAULT, 1, MINUTES_MAX));
        String base = base(words);
        Epr credential = new DelegationService(
                        session.soap(),
                        session.certificate("A credential is delegated from"),
                        clock,
                        new SecureRandom())
                .delegate(new Epr(base + "DelegationFactoryService", List.of()), lifetime, !words.has(RftOption.FULL));
        Epr request = service.create(
                new Epr(base + "ReliableFileTransferFactoryService", List.of()),
                file,
                credential,
                isDeletion,
                clock.instant().plus(lifetime));
        if (output != null) {
            EprFile.write(Path.of(output), request.toFileText());
        }
        service.start(request);
        if (words.has(RftOption.BATCH)) {
            console.line("Started. The request's endpoint reference is in " + output + ".");
            return ExitStatus.OK.code();
        }
        return monitor(service, request, console);
    }

    private static String base(Words words) throws CommandException {
        String host = words.value(RftOption.HOST);
        int port = words.number(RftOption.PORT, 8443, 1, 65_535);
        return "https://" + (host == null ? "localhost" : host) + ":" + port + "/wsrf/services/";
    }

    private int act(CommandOption order, RftService service, Epr request, Console console)
            throws IOException, SoapFaultException, InterruptedException, CommandException {
        if (order.equals(RftOption.MONITOR)) {
            return monitor(service, request, console);
        }
        if (order.equals(RftOption.CANCEL)) {
            service.cancel(request);
            console.line("Cancelled what was not over.");
            return ExitStatus.OK.code();
        }
        if (order.equals(RftOption.DESTROY)) {
            service.destroy(request);
            console.line("Destroyed.");
            return ExitStatus.OK.code();
        }
        if (order.equals(RftOption.STATUS)) {
            service.transfers(request).forEach(console::line);
            return ExitStatus.OK.code();
        }
        RftState state = service.state(request);
        console.line(state.line());
        return state.exitStatus();
    }

    /** Asks until it is over; a gateway that cannot be reached for a while is waited for. */
    private int monitor(RftService service, Epr request, Console console)
            throws IOException, SoapFaultException, InterruptedException, CommandException {
        long began = System.nanoTime();
        Outage outage = new Outage(console, CONTACT_LOST);
        String shown = "";
        String status = "";
        while (true) {
            long asked = System.nanoTime();
            long pause = pause(asked - began);
            Duration atMost = console.showsPassing() ? Duration.ofMillis(Math.max(pause, WAIT_SEEN_MS)) : WAIT_UNSEEN;
            try {
                RftState state = service.awaitChange(request, status, atMost);
                boolean isNews = !state.status().equals(status);
                status = state.status();
                outage.over();
                if (state.isOver()) {
                    console.line(state.line());
                    String fault = state.fault();
                    if (fault != null && state.failed() > 0) {
                        console.error(fault);
                    }
                    return state.exitStatus();
                }
                if (!state.line().equals(shown)) {
                    shown = state.line();
                    console.passing(state.bar(BAR));
                }
                if (isNews) {
                    continue;
                }
            } catch (IOException e) {
                bridge(outage, e);
            }
            // what the service did not make it wait: it may not know how, or too many wait there
            Thread.sleep(Duration.ofMillis(pause).minusNanos(System.nanoTime() - asked));
        }
    }

    private static void bridge(Outage outage, IOException e) throws CommandException {
        try {
            outage.failed(e);
        } catch (IOException last) {
            throw new CommandException(
                    ExitStatus.JOB_LOST,
                    Sentence.of(last.getMessage()) + " Nothing more can be learnt; the request may go on there.",
                    last);
        }
    }

    /** A twentieth of what it took until now, in milliseconds, so that the end is seen no later than that. */
    private static long pause(long nanosUntilNow) {
        return Math.clamp(nanosUntilNow / 20_000_000, PAUSE_SHORTEST_MS, PAUSE_LONGEST_MS);
    }
}
