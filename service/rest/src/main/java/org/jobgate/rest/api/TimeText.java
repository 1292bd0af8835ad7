// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Writes times as {@link Instant#toString} does, in a tenth of its time: a long list has tens of thousands, most of one day. Not for several threads. */
final class TimeText {

    private static final int DAY = 86_400;

    /** From the year 0 to 9999: others have a sign, and are left to {@link Instant#toString}. */
    private static final long FIRST =
            LocalDate.of(0, 1, 1).atStartOfDay(ZoneOffset.UTC).toEpochSecond();

    private static final long END =
            LocalDate.of(10_000, 1, 1).atStartOfDay(ZoneOffset.UTC).toEpochSecond();

    private long knownDay = Long.MIN_VALUE;
    private String known = "";

    void append(StringBuilder text, Instant time) {
        long seconds = time.getEpochSecond();
        if (seconds < FIRST || seconds >= END) {
            text.append(time);
            return;
        }
        long day = Math.floorDiv(seconds, DAY);
        if (day != knownDay) {
            known = LocalDate.ofEpochDay(day) + "T";
            knownDay = day;
        }
        int ofDay = Math.floorMod(seconds, DAY);
        text.append(known);
        digits(text, ofDay / 3_600, 10);
        text.append(':');
        digits(text, ofDay / 60 % 60, 10);
        text.append(':');
        digits(text, ofDay % 60, 10);
        fraction(text, time.getNano());
        text.append('Z');
    }

    /** None, three, six or nine digits. */
    private static void fraction(StringBuilder text, int nanos) {
        if (nanos == 0) {
            return;
        }
        text.append('.');
        if (nanos % 1_000_000 == 0) {
            digits(text, nanos / 1_000_000, 100);
        } else if (nanos % 1_000 == 0) {
            digits(text, nanos / 1_000, 100_000);
        } else {
            digits(text, nanos, 100_000_000);
        }
    }

    /** @param greatest the place of the first digit */
    private static void digits(StringBuilder text, int number, int greatest) {
        for (int place = greatest; place > 0; place /= 10) {
            text.append((char) ('0' + number / place % 10));
        }
    }
}
