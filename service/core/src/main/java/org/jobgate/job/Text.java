// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/** Checks of short texts that end up in keys, logs and LRM commands. */
public final class Text {

    private Text() {}

    /**
     * Answers the text if it is neither empty, nor too long, nor holds a control character.
     *
     * @throws IllegalArgumentException naming what is wrong with which value
     */
    public static String requireText(String text, String name, int maxCharacters) {
        requireNonNull(text, () -> name + " is null");
        if (text.isEmpty()) {
            throw new IllegalArgumentException(name + " is empty");
        }
        if (text.length() > maxCharacters) {
            throw new IllegalArgumentException(
                    name + " has " + text.length() + " characters; at most " + maxCharacters + " are allowed");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException(name + " holds the control character "
                        + String.format("U+%04X", (int) text.charAt(i)) + " at position " + i);
            }
        }
        return text;
    }
}
