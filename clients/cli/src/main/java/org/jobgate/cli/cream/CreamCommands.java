// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.PlainSoap;

/** The commands glite-ce-*. */
public final class CreamCommands {

    /** What CREAM's commands end with where anything went wrong. */
    private static final int FAILED = 1;

    private static final int SECONDS_MAX = 24 * 3600;

    private final Map<String, String> environment;
    private final Clock clock;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream errors;
    private final Path etc;

    public CreamCommands(
            Map<String, String> environment, Clock clock, InputStream in, PrintStream out, PrintStream errors) {
        this(environment, clock, in, out, errors, Path.of("/etc"));
    }

    /** @param etc where a site has its settings */
    CreamCommands(
            Map<String, String> environment,
            Clock clock,
            InputStream in,
            PrintStream out,
            PrintStream errors,
            Path etc) {
        this.environment = Map.copyOf(environment);
        this.clock = requireNonNull(clock, "clock is null");
        this.in = requireNonNull(in, "in is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
        this.etc = requireNonNull(etc, "etc is null");
    }

    /**
     * Does what one of the commands does.
     *
     * @return the status for the process
     */
    public int call(String name, String... given) {
        List<CommandOption> table = CreamOption.table(name);
        Words words;
        try {
            words = Words.sort(table, sorted -> Integer.MAX_VALUE, CreamOption.separated(table, given));
        } catch (CommandException e) {
            errors.println("There was an error parsing the command line. Error was: " + e.getMessage());
            errors.println("Type " + name + " --help for the list of available options");
            return FAILED;
        }
        if (words.has(CreamOption.HELP) || words.has(CreamOption.VERSION)) {
            out.println(words.has(CreamOption.HELP) ? CreamPages.page(name).help() : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        try {
            return run(name, words);
        } catch (CreamException | CommandException e) {
            String line = logLine(clock, "FATAL", String.valueOf(e.getMessage()));
            errors.println(line);
            log(words.value(CreamOption.LOG), line);
            return FAILED;
        }
    }

    private int run(String name, Words words) throws CreamException, CommandException {
        if (words.has(CreamOption.DEBUG) && words.has(CreamOption.QUIET)) {
            throw new CreamException("Cannot specify both --debug and --nomsg options. Stop.");
        }
        CreamConfig config =
                CreamConfig.read(words.value(CreamOption.CONFIGURATION), words.value(CreamOption.VO), environment, etc);
        Map<String, String> own = environment(words);
        try (Session session = Session.open(wishes(words), own, errors)) {
            CreamClient client = new CreamClient(new PlainSoap(session.http(), session.trace()), config);
            BufferedReader answers = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
            CreamRun run = new CreamRun(name, words, config, session, client, own, clock, answers, out, errors);
            return switch (name) {
                case CreamPages.SUBMIT -> new SubmitCommand(run).call();
                case CreamPages.STATUS -> JobCommands.status(run);
                case CreamPages.LIST -> JobCommands.list(run);
                case CreamPages.OUTPUT -> OutputCommand.call(run);
                case CreamPages.CANCEL -> JobCommands.order(run, "JobCancel", "cancel");
                case CreamPages.SUSPEND -> JobCommands.order(run, "JobSuspend", "suspend");
                case CreamPages.RESUME -> JobCommands.order(run, "JobResume", "resume");
                case CreamPages.PURGE -> JobCommands.order(run, "JobPurge", "purge");
                default -> ServiceCommands.call(run);
            };
        }
    }

    private static Session.Wishes wishes(Words words) throws CommandException {
        int seconds = 30;
        for (CommandOption option :
                List.of(CreamOption.TIMEOUT, CreamOption.TIMEOUT_LONG, CreamOption.TIMEOUT_CAPITAL)) {
            seconds = words.number(option, seconds, 1, SECONDS_MAX);
        }
        return new Session.Wishes(Integer.toString(seconds * 1000), null, false, words.has(CreamOption.DEBUG), null);
    }

    private Map<String, String> environment(Words words) {
        String proxy = words.value(CreamOption.PROXY);
        if (proxy == null) {
            return environment;
        }
        Map<String, String> changed = new HashMap<>(environment);
        changed.put("X509_USER_PROXY", proxy);
        changed.keySet().removeAll(List.of("BEARER_TOKEN", "BEARER_TOKEN_FILE"));
        return changed;
    }

    /** As CREAM's commands write it: programs of users cut off the first 24 characters. */
    static String logLine(Clock clock, String level, String text) {
        return CreamTime.logged(clock.instant()) + " " + level + " - " + CreamFaults.plain(text);
    }

    private void log(@org.jspecify.annotations.Nullable String file, String line) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(Path.of(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            errors.println(
                    logLine(clock, "ERROR", "The log file [" + file + "] cannot be written: " + Sentence.reason(e)));
        }
    }
}
