// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A submit description in the making. Values go to the job as they are: what condor_submit would replace is written so that it is not.
 * What no submit description can hold is refused: a value with a line feed, and one that begins or ends with white space.
 */
public final class SubmitDescription {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,127}");

    private final Map<String, String> lines = new LinkedHashMap<>();

    /**
     * Sets a submit command, e.g. {@code executable}.
     *
     * @throws IllegalArgumentException if the name is none, or no submit description can hold the value
     */
    public SubmitDescription set(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a submit command: '" + name + "'");
        }
        lines.put(name, escaped(name, value));
        return this;
    }

    /** Sets the arguments, in the quoted ("new") syntax. */
    public SubmitDescription arguments(List<String> arguments) {
        return set("arguments", quoted(arguments));
    }

    /** Sets the environment, in the quoted ("new") syntax. */
    public SubmitDescription environment(Map<String, String> variables) {
        return set(
                "environment",
                quoted(variables.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList()));
    }

    /** Sets an attribute of the job to a string. A string cannot end with a backslash: HTCondor would take it as an escape. */
    public SubmitDescription attribute(String name, String value) {
        if (value.endsWith("\\")) {
            throw new IllegalArgumentException("the attribute " + name + " ends with a backslash: '" + value + "'");
        }
        return set("My." + name, '"' + value.replace("\"", "\\\"") + '"');
    }

    /** Words in double quotes: each in single quotes where it needs them, and a quote inside doubled. */
    static String quoted(List<String> words) {
        return words.stream().map(SubmitDescription::word).collect(Collectors.joining(" ", "\"", "\""));
    }

    private static String word(String word) {
        String doubled = word.replace("\"", "\"\"");
        boolean isPlain =
                !word.isEmpty() && word.chars().noneMatch(letter -> letter == '\'' || Character.isWhitespace(letter));
        return isPlain ? doubled : "'" + doubled.replace("'", "''") + "'";
    }

    private static String escaped(String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "no submit description can hold the line end or NUL in " + name + ": '" + value + "'");
        }
        if (!value.equals(value.strip()) || value.endsWith("\\")) {
            throw new IllegalArgumentException(
                    name + " begins or ends with white space, or ends with a backslash: '" + value + "'");
        }
        if (value.contains("$$(") || value.contains("$$[")) {
            throw new IllegalArgumentException(
                    "HTCondor replaces $$( when the job starts; in " + name + ": '" + value + "'");
        }
        return value.replace("$", "$(DOLLAR)");
    }

    /** The text for condor_submit, for so many processes in one cluster. */
    public String toText(int processes) {
        if (processes < 1) {
            throw new IllegalArgumentException("a cluster needs a process: " + processes);
        }
        StringBuilder text = new StringBuilder();
        lines.forEach(
                (name, value) -> text.append(name).append(" = ").append(value).append('\n'));
        return text.append("queue ").append(processes).append('\n').toString();
    }
}
