// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import java.util.regex.Pattern;

/**
 * Words that users of an LRM, or a job, could choose. They must not reach a terminal or a log as control characters, nor fill the store,
 * nor pass for the gateway's own.
 */
public final class JobSideText {

    /** The most characters of a sentence. */
    public static final int MAX_SENTENCE = 500;

    private static final Pattern NO_LINE = Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}\\s]+");
    private static final Pattern NO_TEXT = Pattern.compile("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}&&[^\\n\\t]]");

    private JobSideText() {}

    /** One line of at most {@code max} characters, of which the last are dots where it was longer; may be empty. */
    public static String line(String text, int max) {
        // what is far beyond the bound is not even looked at
        String oneLine = NO_LINE.matcher(head(text, 4 * max)).replaceAll(" ").strip();
        return oneLine.length() <= max ? oneLine : head(oneLine, max - 3) + "...";
    }

    /** At most {@code max} characters, of which line ends and tabs are the only controls. */
    public static String lines(String text, int max) {
        return NO_TEXT.matcher(head(text, max)).replaceAll("");
    }

    /** A sentence that says who told it. */
    public static String sentence(String account, String text) {
        String line = line(text, MAX_SENTENCE);
        String open = line.endsWith(".") && !line.endsWith("...") ? line.substring(0, line.length() - 1) : line;
        return open + " (told by the account " + account + ")" + (open.equals(line) ? "" : ".");
    }

    private static String head(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
