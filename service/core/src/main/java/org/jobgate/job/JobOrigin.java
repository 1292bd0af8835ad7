// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

/**
 * How a job came to the service. Both names are stored with the job, so a door keeps its names from version to version. Each is a small
 * letter followed by at most 31 small letters, digits and dashes.
 *
 * @param door the front door that took the submission, e.g. {@code gram}. The ids that clients choose for their submissions are kept
 *     apart by door
 * @param language the language in which the client described the job, e.g. {@code jdd}
 */
public record JobOrigin(String door, String language) {

    private static final int MAX_CHARACTERS = 32;

    public JobOrigin {
        requireName(door, "door");
        requireName(language, "language");
    }

    /**
     * Answers the text if it can be the name of a door or a language.
     *
     * @throws IllegalArgumentException naming what is wrong with which value
     */
    static String requireName(String text, String name) {
        requireNonNull(text, () -> name + " is null");
        if (!isName(text)) {
            throw new IllegalArgumentException(
                    name + " is '" + text + "'; it must be a small letter followed by at most " + (MAX_CHARACTERS - 1)
                            + " small letters, digits and dashes");
        }
        return text;
    }

    /** A loop and no stream: it is asked three times for each job that is read, and took a sixth of a long list. */
    private static boolean isName(String text) {
        if (text.isEmpty() || text.length() > MAX_CHARACTERS || !isSmallLetter(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (!isNameCharacter(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSmallLetter(int character) {
        return character >= 'a' && character <= 'z';
    }

    private static boolean isNameCharacter(int character) {
        return isSmallLetter(character) || (character >= '0' && character <= '9') || character == '-';
    }
}
