// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** The one way to shorten a text of others for a message or a line of the log. */
public final class ShortText {

    private ShortText() {}

    /**
     * The text, or its beginning with three dots behind it. A character of two halves (a surrogate pair) is never cut in two.
     *
     * @param most how many characters of it are shown at most, without the dots
     */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isWithinPair = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
        return text.substring(0, isWithinPair ? most - 1 : most) + "...";
    }
}
