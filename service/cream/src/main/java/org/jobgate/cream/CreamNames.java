// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import javax.xml.namespace.QName;
import org.jobgate.job.ShortText;

/** Names and times as the protocol has them (the WSDL of CREAM2). */
final class CreamNames {

    static final String CREAM = "http://glite.org/2007/11/ce/cream";
    static final String TYPES = CREAM + "/types";
    static final String SERVICE = "CREAM2";

    /** What a text is where there is none. */
    static final String NOT_AVAILABLE = "N/A";

    /** Shown in place of what is for administrators. */
    static final String RESERVED = "[reserved]";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private CreamNames() {}

    static QName types(String name) {
        return new QName(TYPES, name, "types");
    }

    static String time(Instant time) {
        return TIME.format(time.truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * Reads a time; one without a zone is taken as UTC.
     *
     * @throws CreamFault of the kind InvalidArgument
     */
    static Instant time(String operation, String element, String text) {
        String value = text.strip();
        try {
            boolean hasZone = value.endsWith("Z") || value.matches(".*[+-]\\d\\d:\\d\\d");
            return OffsetDateTime.parse(hasZone ? value : value + "Z").toInstant();
        } catch (DateTimeParseException e) {
            throw CreamFault.invalid(
                    operation,
                    "The element " + element + " is no time: '" + shown(value) + "'.",
                    "Write it as 2026-11-25T03:55:14Z.");
        }
    }

    /** What a client wrote, so that it can stand in a sentence. */
    static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return ShortText.of(plain, 80);
    }
}
