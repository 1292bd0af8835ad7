// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Streams;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Printable;
import org.jspecify.annotations.Nullable;

/** {@code jobgate} as users say it: {@code jobgate submit -c /bin/date}. The administrator's commands are in {@code admin}. */
public final class Verbs {
    private static final String NAME = "jobgate";
    private static final String URL_VARIABLE = "JOBGATE_URL";
    private static final int SECONDS_MAX = 86_400;
    private static final Pattern ADDRESS =
            Pattern.compile("(?:https://)?(\\[[0-9a-fA-F:.%]+\\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?/?");

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream errors;

    public Verbs(Map<String, String> environment, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    public static void main(String[] words) {
        System.exit(called(words));
    }

    /** Does what the words say, with this process's own environment and streams. Returns the status. */
    public static int called(String... words) {
        PrintStream out = Streams.out();
        PrintStream errors = Streams.errors();
        int status = new Verbs(System.getenv(), out, errors).run(words);
        out.flush();
        errors.flush();
        return status;
    }

    /** The pages of all verbs but {@code status}, which is on a page of the administrator's, for the manual and the completion. */
    public static List<CommandPage> pages() {
        return Arrays.stream(Verb.values())
                .filter(verb -> verb != Verb.STATUS)
                .map(Verb::page)
                .toList();
    }

    /** Whether the words are for this class. {@code status} is of the server unless a job is named. */
    public static boolean isVerb(String... words) {
        Verb verb = Verb.of(List.of(words)).orElse(null);
        return verb != null
                && (verb != Verb.STATUS || Arrays.stream(words).skip(1).anyMatch(Verbs::isId));
    }

    private static boolean isId(String word) {
        return word.matches("[0-9A-Fa-f][0-9A-Fa-f-]{3,}|uuid:.*");
    }

    /** For the help of the whole command: what users can say. */
    public static String[] help() {
        List<String> lines = new ArrayList<>(
                List.of(
                        "",
                        "For users, over REST with a certificate, proxy or token (jobgate VERB --help; --url or JOBGATE_URL names the gateway):"));
        for (Verb verb : Verb.values()) {
            lines.add(String.format("  %-12s %s.", verb.words(), verb.summary()).replace("%", "%%"));
        }
        return lines.toArray(String[]::new);
    }

    /** What one run works with. */
    record Context(RestClient client, Session session, Words words, Console console, PrintStream out) {

        boolean isJson() {
            return words.has(VerbOption.JSON);
        }

        List<String> operands() {
            return words.operands();
        }
    }

    /** Does what the words say. Returns the status for the process. */
    public int run(String... words) {
        try {
            Verb verb = Verb.of(List.of(words))
                    .orElseThrow(() -> Words.usage("There is no such command; jobgate --help lists them."));
            return run(verb, Arrays.copyOfRange(words, verb.words().split(" ").length, words.length));
        } catch (CommandException e) {
            errors.println(NAME + ": " + Printable.of(String.valueOf(e.getMessage())));
            return e.status().code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.JOB_LOST.code();
        }
    }

    private int run(Verb verb, String... given) throws CommandException, InterruptedException {
        Words words = Words.sort(
                verb.options(), sorted -> sorted.containsKey(VerbOption.COMMAND) ? 1 : Integer.MAX_VALUE, given);
        if (words.has(VerbOption.HELP)) {
            out.println(verb.page().help());
            return ExitStatus.OK.code();
        }
        check(verb, words);
        String root = root(words.value(VerbOption.URL), environment.get(URL_VARIABLE));
        if (verb == Verb.TRACE) {
            return new TraceVerb(environment, words, root, out, errors, Clock.systemUTC()).run();
        }
        int seconds = words.number(VerbOption.TIMEOUT, 120, 1, SECONDS_MAX);
        Session.Wishes wishes = new Session.Wishes(
                Integer.toString(seconds * 1000),
                words.value(VerbOption.SUBJECT),
                false,
                words.has(VerbOption.DEBUG),
                null);
        Console console = new Console(NAME, errors, errors, words.has(VerbOption.QUIET), Console::isAtTerminal);
        try (Session session = Session.open(wishes, environment, errors)) {
            RestClient client = new RestClient(session.http(), root, session.trace());
            return work(verb, new Context(client, session, words, console, out));
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    private static int work(Verb verb, Context context) throws IOException, CommandException, InterruptedException {
        JobVerbs jobs = new JobVerbs(context);
        return switch (verb) {
            case SUBMIT -> new SubmitVerb(context).run();
            case LS -> jobs.list();
            case STATUS -> jobs.status();
            case WAIT -> jobs.waitFor();
            case EXPLAIN -> jobs.explain();
            case LOGS -> new FileVerbs(context).logs();
            case GET -> new FileVerbs(context).get();
            case PUT -> new FileVerbs(context).put();
            case ARRAY -> new ArrayVerb(context).run();
            case CANCEL -> jobs.order("cancel");
            case HOLD -> jobs.order("hold");
            case RELEASE -> jobs.order("release");
            case TRACE -> throw new IllegalStateException("a trace makes its own session");
            case RM -> jobs.order("delete");
            case JOB_SUSPEND -> jobs.order("suspend");
            case JOB_RESUME -> jobs.order("resume");
            case JOB_RESTART -> jobs.order("restart");
        };
    }

    /** What can be seen to be wrong before a credential is looked for. */
    private static void check(Verb verb, Words words) throws CommandException {
        int count = words.operands().size();
        boolean isTree = words.has(VerbOption.TREE);
        switch (verb) {
            case SUBMIT -> {
                if (words.has(VerbOption.COMMAND) ? count == 0 : count != 1) {
                    throw Words.usage(
                            "Name one file with a job's description, or -c and a program with its arguments.");
                }
            }
            case LS, TRACE -> {
                if (count > 0) {
                    throw Words.usage(verb.words() + " takes no names; jobgate status shows single jobs.");
                }
            }
            case LOGS -> {
                if (count != 1) {
                    throw Words.usage("Name one job.");
                }
            }
            case GET -> {
                if (isTree ? count < 1 || count > 2 : count < 2 || count > 3) {
                    throw Words.usage("Say: jobgate get JOB PATH [LOCAL], or jobgate get --tree NAME PATH [LOCAL].");
                }
            }
            case PUT -> {
                if (isTree ? count != 2 : count < 2 || count > 3) {
                    throw Words.usage("Say: jobgate put JOB LOCAL [PATH], or jobgate put --tree NAME LOCAL PATH.");
                }
            }
            case ARRAY -> ArrayVerb.check(words.operands());
            default -> {
                if (count == 0) {
                    throw Words.usage("Name one or more jobs.");
                }
            }
        }
    }

    /** The address of the gateway. */
    static String root(@Nullable String option, @Nullable String variable) throws CommandException {
        String given = option != null ? option : variable == null || variable.isEmpty() ? "localhost" : variable;
        Matcher parts = ADDRESS.matcher(given);
        if (!parts.matches()) {
            throw Words.usage("Gateway " + given + " is not of the form [https://]HOST[:PORT].");
        }
        return "https://" + parts.group(1) + ":" + (parts.group(2) == null ? "8443" : parts.group(2));
    }

    /** The value of an option as a part of a query; empty where it was not given. */
    static String parameter(Words words, CommandOption option, String name) {
        String value = words.value(option);
        return value == null ? "" : "&" + name + "=" + RestClient.encoded(value);
    }
}
