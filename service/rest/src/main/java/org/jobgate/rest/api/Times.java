// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** Times as RFC 3339 has them. */
final class Times {

    private static final int LONGEST = 64;
    private static final int LAST_YEAR = 9_999;

    private Times() {}

    /** To the millisecond, which is what is stored. */
    static Instant parse(String name, String text) throws Problem {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text.length() > LONGEST ? "" : text);
            if (time.getYear() < 0 || time.getYear() > LAST_YEAR) {
                throw new DateTimeException("out of range");
            }
            return time.toInstant().truncatedTo(ChronoUnit.MILLIS);
        } catch (DateTimeException e) {
            throw new Problem(
                            400,
                            "INVALID_FIELD",
                            name + " cannot be used: " + Problem.told(text) + " is no time.",
                            "Write it as 2027-01-31T12:00:00Z.")
                    .with("attribute", name)
                    .with("value", Problem.plain(text));
        }
    }
}
