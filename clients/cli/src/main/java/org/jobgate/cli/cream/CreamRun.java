// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;

/**
 * One run of a command.
 *
 * @param words of the command line
 * @param in where answers to questions are read
 */
record CreamRun(
        String name,
        Words words,
        CreamConfig config,
        Session session,
        CreamClient client,
        Map<String, String> environment,
        Clock clock,
        BufferedReader in,
        PrintStream out,
        PrintStream errors) {

    boolean has(CommandOption option) {
        return words.has(option);
    }

    boolean isQuiet() {
        return has(CreamOption.QUIET);
    }

    /** The computing element that an option or the one operand names. */
    Endpoint endpoint() throws CreamException {
        String named = words.value(CreamOption.ENDPOINT);
        if (named == null) {
            throw new CreamException("endpoint argument is mandatory. Stop.");
        }
        return Endpoint.parse(named, config.port());
    }

    Endpoint endpointOperand() throws CreamException {
        if (words.operands().size() != 1) {
            throw new CreamException("endpoint argument is mandatory. Stop.");
        }
        return Endpoint.parse(words.operands().getFirst(), config.port());
    }

    /** What options and operands name together. */
    List<String> named(CommandOption option) {
        List<String> all = new ArrayList<>(words.values(option));
        all.addAll(words.operands());
        return all;
    }

    /** The jobs that are named on the command line or in a file, by computing element, in order. */
    Map<Endpoint, List<String>> jobs() throws CreamException {
        List<String> ids = named(CreamOption.JOB);
        String file = words.value(CreamOption.INPUT);
        if (file != null) {
            ids.addAll(new JobIdFile(file).read());
        }
        Endpoint all = words.value(CreamOption.ENDPOINT) == null ? null : endpoint();
        Map<Endpoint, List<String>> jobs = new LinkedHashMap<>();
        for (String id : ids) {
            Endpoint.Job job = Endpoint.job(id, config.port());
            List<String> there = jobs.computeIfAbsent(all == null ? job.endpoint() : all, unused -> new ArrayList<>());
            if (!there.contains(job.id())) {
                there.add(job.id());
            }
        }
        return jobs;
    }

    /** Checks that jobs are named in one way only. */
    void requireJobs() throws CreamException {
        boolean isAll = has(CreamOption.ALL);
        boolean isNamed = !named(CreamOption.JOB).isEmpty();
        if (isAll && has(CreamOption.INPUT)) {
            throw new CreamException("Cannot specify --input and --all options, they're mutually exclusive. Stop.");
        }
        if (isAll && isNamed) {
            throw new CreamException(
                    "Cannot specify JobIDs as command line argument and --all option, they're mutually exclusive. Stop");
        }
        if (!isAll && !isNamed && !has(CreamOption.INPUT)) {
            throw new CreamException(
                    "You didn't provide one or more JobID(s). Must specify at least one option between --all or --input or specify a JobID as argument. Stop");
        }
        if (isAll && !has(CreamOption.ENDPOINT)) {
            throw new CreamException("--all option requires to specify also --endpoint option. Stop.");
        }
    }

    /** Asks, unless the user wants no questions. */
    boolean isConfirmed(String question) throws CreamException {
        if (has(CreamOption.NO_QUESTIONS)) {
            return true;
        }
        out.print(question);
        out.flush();
        try {
            String answer = in.readLine();
            return answer != null && answer.strip().equalsIgnoreCase("y");
        } catch (IOException e) {
            throw new CreamException("The answer cannot be read: " + e.getMessage(), e);
        }
    }

    void note(String text) {
        if (!isQuiet()) {
            errors.println(CreamCommands.logLine(clock, "INFO", text));
        }
    }

    void error(String text) {
        errors.println(CreamCommands.logLine(clock, "ERROR", text));
    }
}
