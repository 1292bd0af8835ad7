// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.command.ServiceOptions;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.UnreachableException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** The commands globus-job-submit-many-ws and globus-job-list-ws. */
public final class BulkCommands {
    /** Jobs of one request: below a service's usual limit. */
    static final int PART = 500;

    /** How long a request whose answer was lost is repeated. */
    private static final Duration UNCLEAR_MAX = Duration.ofSeconds(60);

    private static final long PAUSE_MS_MIN = 250;
    private static final long PAUSE_MS_MAX = 4_000;

    private final Map<String, String> environment;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;

    public BulkCommands(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
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
        Words words = Words.sort(BulkOption.TABLE, options -> Integer.MAX_VALUE, given);
        if (words.has(ServiceOptions.HELP) || words.has(ServiceOptions.VERSION)) {
            out.println(words.has(ServiceOptions.HELP) ? BulkPages.page(name).help() : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        refuseOthers(name, words);
        return name.equals(BulkPages.SUBMIT) ? submit(words) : list(words);
    }

    private static void refuseOthers(String name, Words words) throws CommandException {
        if (!words.operands().isEmpty()) {
            throw Words.usage("Word " + words.operands().getFirst() + " is one too many.");
        }
        List<CommandOption> own = name.equals(BulkPages.SUBMIT) ? BulkOption.OF_SUBMIT : BulkOption.OF_LIST;
        for (CommandOption option : words.options().keySet()) {
            if (!own.contains(option)) {
                throw Words.usage("Option " + option.names().getFirst() + " is not one of " + name + ".");
            }
        }
    }

    /** What is to be submitted, found to be right before the network is used. */
    private record Many(String id, String description, Instant termination, List<Map<String, String>> jobs) {

        /** The jobs of one request by their ids, with their places as a variable. */
        Map<String, Map<String, String>> part(int first) {
            Map<String, Map<String, String>> part = new LinkedHashMap<>();
            for (int i = first; i < Math.min(first + PART, jobs.size()); i++) {
                Map<String, String> variables = new LinkedHashMap<>(jobs.get(i));
                variables.putIfAbsent("INDEX", Integer.toString(i));
                part.put(id + "/" + i, variables);
            }
            return part;
        }
    }

    private int submit(Words words) throws CommandException, InterruptedException {
        String file = words.value(BulkOption.DESCRIPTION_FILE);
        if (file == null || words.has(BulkOption.COUNT) == words.has(BulkOption.VARIABLES)) {
            throw Words.usage("Say what and how many: -f FILE, and one of -n N and -v FILE.");
        }
        String termination = words.value(BulkOption.TERMINATION);
        String variables = words.value(BulkOption.VARIABLES);
        Many many = new Many(
                id(words.value(BulkOption.SUBMISSION_ID)),
                JobDescriptionFile.read(Path.of(file)),
                Lifetime.of(termination, clock).end(),
                variables == null
                        ? BulkVariables.none(words.number(BulkOption.COUNT, 1, 1, BulkVariables.JOBS_MAX))
                        : BulkVariables.read(Path.of(variables)));
        Epr factory = factory(words);
        int refused = 0;
        try (Session session = open(words)) {
            BulkService service = new BulkService(session.soap(), factory);
            for (int first = 0; first < many.jobs().size(); first += PART) {
                refused += show(send(service, many, first));
            }
        }
        return refused == 0 ? ExitStatus.OK.code() : ExitStatus.REFUSED.code();
    }

    private static String id(@Nullable String given) throws CommandException {
        try {
            String bare = given == null ? UUID.randomUUID().toString() : given.replaceFirst("^(urn:)?uuid:", "");
            if (UUID.fromString(bare).toString().length() != bare.length()) {
                throw new IllegalArgumentException(bare);
            }
            return "uuid:" + bare;
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, "Submission id " + given + " is not a UUID.", e);
        }
    }

    private static Epr factory(Words words) throws CommandException {
        String contact = words.value(BulkOption.FACTORY);
        String type = words.value(BulkOption.FACTORY_TYPE);
        return Epr.factory(
                contact == null ? FactoryContact.DEFAULT : FactoryContact.address(contact),
                type == null ? "Fork" : type);
    }

    /** Sends one request, and again under the same ids where its answer was lost. */
    private List<BulkService.Result> send(BulkService service, Many many, int first)
            throws CommandException, InterruptedException {
        Console console = new Console(BulkPages.SUBMIT, out, errors, false, () -> false);
        Outage outage = new Outage(console, UNCLEAR_MAX);
        boolean isUnclear = first > 0;
        for (long pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)) {
            try {
                List<BulkService.Result> results =
                        service.create(many.description(), many.termination(), many.part(first));
                outage.over();
                return results;
            } catch (SoapFaultException e) {
                throw failure(ExitStatus.REFUSED, many, first, e);
            } catch (IOException e) {
                isUnclear |= !(e instanceof UnreachableException || e instanceof RefusedException);
                if (!isUnclear) {
                    throw new CommandException(
                            ExitStatus.of(e),
                            "Error submitting the jobs: " + Sentence.of(e.getMessage()) + " Nothing was created.",
                            e);
                }
                try {
                    outage.failed(e);
                } catch (IOException last) {
                    throw failure(ExitStatus.of(last), many, first, last);
                }
            }
            Thread.sleep(pauseMs);
        }
    }

    private static CommandException failure(ExitStatus status, Many many, int first, Exception e) {
        return new CommandException(
                status,
                "Error submitting the jobs from the " + (first + 1) + "th: " + Sentence.of(e.getMessage())
                        + " Submit the same again with -I " + many.id().substring("uuid:".length())
                        + ": it starts nothing twice.",
                e);
    }

    /** @return how many were refused */
    private int show(List<BulkService.Result> results) {
        int refused = 0;
        for (BulkService.Result result : results) {
            Epr job = result.job();
            if (job == null) {
                refused++;
                errors.println(BulkPages.SUBMIT + ": " + result.id() + ": " + result.explain());
            } else {
                out.println(job.handle() + " " + result.id());
            }
        }
        out.flush();
        return refused;
    }

    private int list(Words words) throws CommandException {
        Epr factory = factory(words);
        try (Session session = open(words)) {
            BulkService service = new BulkService(session.soap(), factory);
            List<Map.Entry<String, String>> conditions = conditions(words);
            String cursor;
            do {
                BulkService.Page page = service.list(conditions);
                page.jobs().forEach(job -> show(job, words.has(BulkOption.EXPLAIN)));
                cursor = page.next();
                conditions.removeIf(condition -> condition.getKey().equals("cursor"));
                if (cursor != null) {
                    conditions.add(Map.entry("cursor", cursor));
                }
            } while (cursor != null && !out.checkError());
            return ExitStatus.OK.code();
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "Error listing jobs: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("Error listing jobs: ", e);
        }
    }

    private static List<Map.Entry<String, String>> conditions(Words words) {
        List<Map.Entry<String, String>> conditions = new ArrayList<>();
        words.values(BulkOption.STATE).forEach(state -> conditions.add(Map.entry("state", state)));
        String lrm = words.value(BulkOption.LRM);
        if (lrm != null) {
            conditions.add(Map.entry("localResourceManager", lrm));
        }
        String since = words.value(BulkOption.SINCE);
        if (since != null) {
            conditions.add(Map.entry("since", since));
        }
        return conditions;
    }

    private void show(BulkService.Listed job, boolean explains) {
        out.printf(
                "%-12s %s %s %s %s%n",
                job.state(),
                job.submitted(),
                job.lrm(),
                job.job().handle(),
                job.id().isEmpty() ? "-" : job.id());
        if (explains && !job.explain().isEmpty()) {
            out.println("    " + job.explain());
        }
    }

    private Session open(Words words) throws CommandException {
        return Session.open(ServiceOptions.wishes(words), environment, errors);
    }
}
