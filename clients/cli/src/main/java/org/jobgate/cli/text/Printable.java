// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.text;

import java.util.regex.Pattern;

/**
 * Texts without what a terminal would take for orders, or would show in another order than it is written: jobs, batch systems and other people
 * have a say in what a gateway tells. U+009B alone begins an order to some terminals, as ESC and [ do.
 */
public final class Printable {
    private static final String DIRECTIONS = "\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069";
    private static final Pattern IN_A_LINE = Pattern.compile("[\\p{Cc}" + DIRECTIONS + "]");
    private static final Pattern IN_LINES = Pattern.compile("[\\p{Cc}" + DIRECTIONS + "&&[^\\n\\t]]");

    private Printable() {}

    /** The text as a part of one line, with a blank for each such character and each end of a line. */
    public static String of(String text) {
        return IN_A_LINE.matcher(text).replaceAll(" ");
    }

    /** The text with a blank for each such character; lines and tabs stay. */
    public static String lines(String text) {
        return IN_LINES.matcher(text).replaceAll(" ");
    }
}
