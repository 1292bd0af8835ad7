// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

/** Times of files. The owner of a file can set them, on some file systems to years that cannot be written as a date. */
final class FileTimes {

    /** 0001-01-01T00:00:00Z */
    private static final long FIRST = -62_135_596_800L;

    /** 9999-12-31T23:59:59Z */
    private static final long LAST = 253_402_300_799L;

    private FileTimes() {}

    /** The nearest time in a year of four digits, such as RFC 3339 and the dates of XML can say. */
    static long sayable(long seconds) {
        return Math.clamp(seconds, FIRST, LAST);
    }
}
