// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Streams;
import org.jobgate.cli.wire.Epr;
import org.jspecify.annotations.Nullable;

/** The command: reads its words, does one thing, ends with a status. */
public final class GlobusrunWs {
    private final Map<String, String> environment;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;

    public GlobusrunWs(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.clock = requireNonNull(clock, "clock is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    public static void main(String[] words) {
        PrintStream out = Streams.out();
        PrintStream errors = Streams.errors();
        int status = new GlobusrunWs(System.getenv(), Clock.systemUTC(), out, errors).run(words);
        out.flush();
        errors.flush();
        System.exit(status);
    }

    /** Does what the words say. Returns the status for the process. */
    public int run(String... words) {
        if (words.length == 0) {
            errors.println(Usage.page().help());
            return ExitStatus.USAGE.code();
        }
        try {
            CommandLine line = CommandLine.parse(words);
            return switch (line.command()) {
                case HELP, USAGE -> show(Usage.page().help());
                case VERSION -> show(CommandPage.version("globusrun-ws"));
                case VALIDATE -> validate(line);
                default -> talk(line);
            };
        } catch (CommandException e) {
            errors.println("globusrun-ws: " + e.getMessage());
            return e.status().code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.JOB_LOST.code();
        }
    }

    private int show(String text) {
        out.println(text);
        return ExitStatus.OK.code();
    }

    private int validate(CommandLine line) throws CommandException {
        DescriptionCheck.check(
                Path.of(line.required(Option.DESCRIPTION_FILE)), new OwnNames(line.has(Option.LOCAL_FILES)));
        return show("Validating job description...Done.");
    }

    private static Session.Wishes wishes(CommandLine line) {
        return new Session.Wishes(
                line.value(Option.TIMEOUT),
                line.value(Option.SUBJECT),
                line.has(Option.SELF),
                line.has(Option.DEBUG),
                line.value(Option.PROTOCOL));
    }

    /** With -batch nothing is shown: -monitor -streaming does that later. */
    private @Nullable Streaming streaming(CommandLine line, Session session, Console console) throws CommandException {
        return Streaming.isAskedFor(line) && !line.has(Option.BATCH)
                ? new Streaming(session, console, Streaming.Targets.of(line, out, errors))
                : null;
    }

    private int talk(CommandLine line) throws CommandException, InterruptedException {
        // with -batch and no -o, stdout is for the EPR alone
        boolean isOutputForEpr = line.has(Option.BATCH) && !line.has(Option.EPR_OUTPUT);
        boolean isOutputForJob = Streaming.isAskedFor(line);
        Console console = new Console(
                "globusrun-ws",
                isOutputForEpr || isOutputForJob ? errors : out,
                errors,
                line.has(Option.QUIET),
                Console::isAtTerminal);
        try (Session session = Session.open(wishes(line), environment, errors)) {
            if (line.command() == Option.SUBMIT) {
                return new SubmitCommand(line, session, console, streaming(line, session, console)).submit(clock, out);
            }
            Epr job = EprFile.named(line.required(Option.EPR_FILE));
            if (line.command() == Option.MONITOR) {
                return new SubmitCommand(line, session, console, streaming(line, session, console)).monitor(job);
            }
            JobCommands commands = new JobCommands(new JobService(session.soap()), console);
            switch (line.command()) {
                case STATUS -> commands.status(job);
                case KILL -> commands.kill(job);
                case RELEASE -> commands.release(job);
                default -> throw new IllegalStateException("no command " + line.command());
            }
            return ExitStatus.OK.code();
        }
    }
}
