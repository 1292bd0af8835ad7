// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

/**
 * One thing that was looked at.
 *
 * @param what what was found, as a sentence without its full stop
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(Grade grade, String area, String what, String remedy) {

    /** How bad it is. */
    public enum Grade {
        GOOD,
        /** Works, and should be mended or could not be looked at. */
        WARNING,
        /** Does not work, or is not safe. */
        BAD
    }

    public Finding {
        requireNonNull(grade, "grade is null");
        requireNonNull(area, "area is null");
        requireNonNull(what, "what is null");
        requireNonNull(remedy, "remedy is null");
    }

    public static Finding good(String area, String what) {
        return new Finding(Grade.GOOD, area, what, "");
    }

    public static Finding warning(String area, String what, String remedy) {
        return new Finding(Grade.WARNING, area, what, remedy);
    }

    public static Finding bad(String area, String what, String remedy) {
        return new Finding(Grade.BAD, area, what, remedy);
    }

    /** As it is shown. */
    public String line() {
        String mark = switch (grade) {
            case GOOD -> "ok      ";
            case WARNING -> "WARNING ";
            case BAD -> "BAD     ";
        };
        return mark + area + ": " + what + "." + (remedy.isEmpty() ? "" : "\n        -> " + remedy);
    }
}
