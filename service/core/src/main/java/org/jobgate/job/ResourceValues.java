// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the values of {@link Resources} must look like. They come from clients and go into the words and files by which LRMs are asked: a
 * name is a name and nothing that an LRM could take for a further option, line or expression.
 */
final class ResourceValues {

    static final int MAX_COUNT = 10_000_000;
    static final long MAX_SIZE = 1L << 60;
    static final int MAX_NAMES = 64;
    static final int MAX_WORDS = 256;
    static final int MAX_WORD = 4_096;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern ADDRESS =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,189}");

    private ResourceValues() {}

    static void requireCount(String what, @Nullable Integer value) {
        if (value != null && (value < 1 || value > MAX_COUNT)) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 1 to " + MAX_COUNT);
        }
    }

    static void requireSize(String what, @Nullable Long value, long least) {
        if (value != null && (value < least || value > MAX_SIZE)) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be " + least + " to " + MAX_SIZE);
        }
    }

    static void requireName(String what, @Nullable String value) {
        if (value != null && !NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " is '" + shown(value)
                            + "'; it must be a name of at most 128 letters, digits and _.- that begins with a letter, a digit or _");
        }
    }

    static void requireAddress(String value) {
        if (!ADDRESS.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "mail has the address '" + shown(value) + "'; it must be a plain one, like someone@example.org");
        }
    }

    static void requireNames(String what, List<String> values) {
        if (values.size() > MAX_NAMES) {
            throw new IllegalArgumentException(
                    what + " has " + values.size() + " names; it may have at most " + MAX_NAMES);
        }
        values.forEach(value -> requireName(what, value));
    }

    /** A program with its arguments, which no shell reads. */
    static void requireCommand(String what, List<String> words) {
        if (words.isEmpty()) {
            return;
        }
        if (words.getFirst().isEmpty() || words.size() > MAX_WORDS) {
            throw new IllegalArgumentException(
                    what + " must be a program and at most " + (MAX_WORDS - 1) + " arguments");
        }
        for (String word : words) {
            if (word.indexOf('\0') >= 0 || word.length() > MAX_WORD) {
                throw new IllegalArgumentException(
                        what + " has a word with a NUL character, or of more than " + MAX_WORD + " characters");
            }
        }
    }

    private static String shown(String value) {
        String line = value.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 64 ? line : line.substring(0, 61) + "...";
    }
}
