// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** The words of globus-job-run-ws made a job description. */
final class JobRequest {
    private static final String JOB_MANAGER = "/jobmanager";
    private static final int COUNT_MAX = 1_000_000;
    private static final int MINUTES_MAX = 100_000_000;
    /** GT2's job manager names are lower case; factory types are not (facts/gram4.md section 1.3). */
    private static final Map<String, String> TYPES =
            Map.of("fork", "Fork", "condor", "Condor", "pbs", "PBS", "lsf", "LSF", "sge", "SGE");

    private final Words words;
    private final String id = "uuid:" + UUID.randomUUID();
    private final StringBuilder out = new StringBuilder(600);

    private JobRequest(Words words) {
        this.words = words;
    }

    static Words sort(String... words) throws CommandException {
        return Words.sort(JobOption.TABLE, given -> given.containsKey(JobOption.FACTORY) ? 1 : 2, words);
    }

    /** @throws CommandException what the command line says is no job */
    static Submission of(Words words, Clock clock) throws CommandException {
        JobRequest request = new JobRequest(words);
        String termination = words.value(JobOption.TERMINATION);
        return new Submission(request.factory(), request.id, Lifetime.of(termination, clock), request.description());
    }

    private boolean hasContactOption() {
        return words.has(JobOption.FACTORY);
    }

    private Epr factory() throws CommandException {
        String contact = words.value(JobOption.FACTORY);
        if (contact == null) {
            if (words.operands().isEmpty()) {
                throw Words.usage("Say where and what: CONTACT PROGRAM [ARGUMENT ...].");
            }
            contact = words.operands().getFirst();
        }
        String type = words.value(JobOption.FACTORY_TYPE);
        int manager = contact.indexOf(JOB_MANAGER);
        if (manager >= 0) {
            String name = contact.substring(manager + JOB_MANAGER.length()).replaceFirst("^-", "");
            contact = contact.substring(0, manager);
            type = type != null ? type : TYPES.getOrDefault(name.toLowerCase(Locale.ROOT), name);
        }
        return Epr.factory(FactoryContact.address(contact), type == null || type.isEmpty() ? "Fork" : type);
    }

    private String description() throws CommandException {
        List<String> program = words.operands()
                .subList(hasContactOption() ? 0 : 1, words.operands().size());
        if (program.isEmpty()) {
            throw Words.usage("Name the program to run after the contact.");
        }
        CommandLine.refuseUnsendable(program);
        out.append("<job xmlns=\"").append(Names.DESCRIPTION).append("\">");
        literal("executable", program.getFirst());
        literal("directory", words.value(JobOption.DIRECTORY));
        program.subList(1, program.size()).forEach(argument -> literal("argument", argument));
        for (String variable : words.values(JobOption.ENVIRONMENT)) {
            environment(variable);
        }
        literal("stdin", words.value(JobOption.STDIN));
        output("stdout", words.value(JobOption.STDOUT));
        output("stderr", words.value(JobOption.STDERR));
        number("count", JobOption.COUNT, COUNT_MAX);
        number("hostCount", JobOption.HOST_COUNT, COUNT_MAX);
        element("project", words.value(JobOption.PROJECT));
        element("queue", words.value(JobOption.QUEUE));
        number("maxTime", JobOption.MAX_TIME, MINUTES_MAX);
        element("jobType", words.value(JobOption.JOB_TYPE));
        return out.append("</job>").toString();
    }

    /** A name that we give it holds a variable; one that the user gives is meant to the letter. */
    private void output(String stream, @Nullable String file) {
        if (file == null) {
            element(stream, JobOutput.name(id, stream));
        } else {
            literal(stream, file);
        }
    }

    private void environment(String variable) throws CommandException {
        int equals = variable.indexOf('=');
        if (equals < 1) {
            throw Words.usage("Variable " + variable + " is not of the form NAME=VALUE.");
        }
        out.append("<environment>");
        element("name", variable.substring(0, equals));
        literal("value", variable.substring(equals + 1));
        out.append("</environment>");
    }

    private void number(String name, CommandOption option, int most) throws CommandException {
        if (words.has(option)) {
            element(name, String.valueOf(words.number(option, 1, 1, most)));
        }
    }

    /** Where a service replaces variables: the command line has none. */
    private void literal(String name, @Nullable String text) {
        if (text != null) {
            out.append('<').append(name).append('>');
            XmlText.appendLiteral(out, text);
            out.append("</").append(name).append('>');
        }
    }

    private void element(String name, @Nullable String text) {
        if (text != null) {
            out.append('<').append(name).append('>');
            XmlText.append(out, text);
            out.append("</").append(name).append('>');
        }
    }
}
