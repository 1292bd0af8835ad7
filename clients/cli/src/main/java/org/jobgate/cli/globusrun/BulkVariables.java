// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.XmlText;

/** The variables of each of many jobs. */
final class BulkVariables {
    static final int JOBS_MAX = 100_000;

    private BulkVariables() {}

    /** So many jobs without variables of their own. */
    static List<Map<String, String>> none(int count) {
        return Collections.nCopies(count, Map.of());
    }

    /**
     * Reads a file in UTF-8: a job for each line, on it NAME=VALUE with tabs between. Empty lines, and those that begin with #, say
     * nothing.
     *
     * @throws CommandException unreadable, with a line that is not of the form, or too many
     */
    static List<Map<String, String>> read(Path file) throws CommandException {
        List<Map<String, String>> jobs = new ArrayList<>();
        int number = 0;
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : (Iterable<String>) lines::iterator) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    jobs.add(variables(line, file + ", line " + number));
                }
                if (jobs.size() > JOBS_MAX) {
                    throw Words.usage(file + " has more than " + JOBS_MAX + " jobs.");
                }
            }
        } catch (IOException | UncheckedIOException e) {
            boolean isNoText = e.getCause() instanceof MalformedInputException;
            throw new CommandException(
                    ExitStatus.USAGE, file + " cannot be read: " + (isNoText ? "it is not text in UTF-8" : e) + ".", e);
        }
        if (jobs.isEmpty()) {
            throw Words.usage(file + " has no job: each line that is not empty is one.");
        }
        return jobs;
    }

    private static Map<String, String> variables(String line, String where) throws CommandException {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String pair : line.split("\t", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw Words.usage(where + ": '" + pair + "' is not of the form NAME=VALUE.");
            }
            if (XmlText.firstForbidden(pair) >= 0) {
                throw Words.usage(where + " has a character that no XML can hold.");
            }
            variables.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return variables;
    }
}
