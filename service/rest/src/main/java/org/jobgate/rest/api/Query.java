// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part of an address behind the question mark, in which each name is known and stands once. */
final class Query {

    private static final int MOST = 64;
    private static final int LONGEST_NUMBER = 9;

    /** A list may have no parts, and {@code upload} is said by its name alone; any other parameter has a value. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("fields", "state", "upload");

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /**
     * @param known the names that the operation takes
     * @throws Problem where another name is there, or one twice, or one without a value
     */
    static Query of(@Nullable String text, String... known) throws Problem {
        Map<String, String> values = new TreeMap<>();
        if (text == null || text.isEmpty()) {
            return new Query(values);
        }
        for (String pair : text.split("&", MOST)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            if (name.isEmpty() && equals < 0) {
                continue;
            }
            if (!List.of(known).contains(name)) {
                throw unknown(name, known);
            }
            String value = decoded(equals < 0 ? "" : pair.substring(equals + 1));
            if (value.isEmpty() && !MAY_BE_EMPTY.contains(name)) {
                throw wrong(name, "it has no value", "Give it one, or leave it out.");
            }
            if (values.putIfAbsent(name, value) != null) {
                throw wrong(name, "it is given twice", "Give it once; several values go behind commas.");
            }
        }
        return new Query(values);
    }

    private static Problem unknown(String name, String... known) {
        String names = known.length == 0 ? "It takes none." : "It takes: " + String.join(", ", known) + ".";
        return new Problem(400, "UNKNOWN_FIELD", "This operation takes no parameter " + Problem.told(name) + ".", names)
                .with("unknown", List.of(Problem.plain(name)));
    }

    static Problem wrong(String name, String why, String remedy) {
        return new Problem(400, "INVALID_FIELD", "The parameter " + name + " cannot be used: " + why + ".", remedy)
                .with("attribute", name);
    }

    private static String decoded(String text) throws Problem {
        String decoded = PathText.decoded(text.replace('+', ' '));
        if (decoded.indexOf('\0') >= 0) {
            throw Problem.badRequest("The query of the address holds a NUL character.", "Leave it out.");
        }
        return decoded;
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** A whole number from least to most; more than most is taken as most where {@code capped}. */
    Optional<Integer> number(String name, int least, int most, boolean capped) throws Problem {
        String text = values.get(name);
        if (text == null) {
            return Optional.empty();
        }
        if (!text.matches("[0-9]{1,19}")) {
            throw wrong(name, Problem.told(text) + " is no whole number", "Give one of " + least + " to " + most + ".");
        }
        long value = text.length() > LONGEST_NUMBER * 2 ? Long.MAX_VALUE : Long.parseLong(text);
        if (value < least || (value > most && !capped)) {
            throw wrong(name, text + " is out of its range", "Give one of " + least + " to " + most + ".");
        }
        return Optional.of((int) Math.min(value, most));
    }

    /** A number of any size. */
    Optional<Long> count(String name) throws Problem {
        String text = values.get(name);
        if (text == null) {
            return Optional.empty();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw wrong(name, Problem.told(text) + " is no whole number", "Give one that was answered before.");
        }
        return Optional.of(Long.parseLong(text));
    }

    Optional<Duration> seconds(String name, Duration most) throws Problem {
        return number(name, 0, (int) Math.min(most.toSeconds(), Integer.MAX_VALUE), true)
                .map(Duration::ofSeconds);
    }

    Optional<Boolean> truth(String name) throws Problem {
        String text = values.get(name);
        if (text == null) {
            return Optional.empty();
        }
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong(name, Problem.told(text) + " is neither true nor false", "Give true or false.");
        }
        return Optional.of(text.equals("true"));
    }

    Optional<Instant> time(String name) throws Problem {
        String text = values.get(name);
        return text == null ? Optional.empty() : Optional.of(Times.parse(name, text));
    }

    /** What stands between commas. */
    Optional<List<String>> list(String name) {
        return text(name)
                .map(text -> Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.toUnmodifiableList()))
                .filter(parts -> !parts.isEmpty());
    }
}
