// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.util.Optional;
import org.jobgate.transfer.protocol.TransferContext;

/**
 * Names of files as the shell's wildcards say them: {@code *} is any text, {@code ?} any letter, {@code [a-c]} one of these and {@code [!a-c]} none
 * of them. As in the shell, a name that begins with a dot is matched only by a pattern that begins with one. Matching takes time in
 * proportion to the two lengths multiplied.
 */
public final class NamePattern {

    /** The option of a transfer of a directory: only the files in it that match are copied, and no directories. */
    public static final String OPTION = "match";

    private static final int LONGEST = 255;

    private final String pattern;

    private NamePattern(String pattern) {
        this.pattern = pattern;
    }

    /**
     * The pattern of this text.
     *
     * @throws IllegalArgumentException if it is empty, longer than 255 characters, or can be no name
     */
    public static NamePattern parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST || text.indexOf('/') >= 0 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "a pattern of names has 1 to " + LONGEST + " characters and neither a slash nor a NUL character");
        }
        return new NamePattern(text);
    }

    /** What the options say, if they do. */
    static Optional<NamePattern> of(TransferContext context) {
        return context.option(OPTION).map(NamePattern::parse);
    }

    /** Whether a name is one of those. */
    public boolean matches(String name) {
        if (name.startsWith(".") && !pattern.startsWith(".")) {
            return false;
        }
        int at = 0;
        int letter = 0;
        int star = -1; // the last one that was passed, and where the name went on then
        int mark = 0;
        while (letter < name.length()) {
            int next = at < pattern.length() ? step(at, name.charAt(letter)) : -1;
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                mark = letter;
            } else if (next >= 0) {
                at = next;
                letter++;
            } else if (star >= 0) {
                at = star + 1;
                letter = ++mark;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    /** Where the pattern goes on if what stands there takes the letter, else -1. */
    private int step(int at, char letter) {
        char sign = pattern.charAt(at);
        int end = sign == '[' ? pattern.indexOf(']', at + (isNegated(at) ? 3 : 2)) : -1;
        if (end < 0) { // a bracket that is not closed stands for itself
            return sign == '?' || sign == letter ? at + 1 : -1;
        }
        boolean isIn = false;
        for (int i = at + (isNegated(at) ? 2 : 1); i < end; i++) {
            boolean isRange = i + 2 < end && pattern.charAt(i + 1) == '-';
            char to = pattern.charAt(isRange ? i + 2 : i);
            isIn |= pattern.charAt(i) <= letter && letter <= to;
            i += isRange ? 2 : 0;
        }
        return isIn == isNegated(at) ? -1 : end + 1;
    }

    private boolean isNegated(int at) {
        return at + 1 < pattern.length() && "!^".indexOf(pattern.charAt(at + 1)) >= 0;
    }
}
