// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;

/** Times on the command line, on the wire and on the console. By hand: a cold DateTimeFormatter costs milliseconds. */
final class XmlTime {
    private static final Pattern AFTER = Pattern.compile("\\+([0-9]{1,7}):([0-5][0-9])");
    private static final Pattern AT =
            Pattern.compile("([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})\\s+([0-9]{1,2}):([0-5][0-9])(?:\\s+GMT)?");
    private static final int MINUTE_LENGTH = "2026-11-20T14:57".length();

    private XmlTime() {}

    /**
     * GT's {@code -termination}: {@code +HH:MM} from now, or {@code mm/dd/yyyy HH:MM} in GMT.
     *
     * @throws CommandException where it is neither
     */
    static Instant termination(String text, Instant now) throws CommandException {
        Matcher after = AFTER.matcher(text);
        if (after.matches()) {
            return now.plusSeconds(Long.parseLong(after.group(1)) * 3600 + Long.parseLong(after.group(2)) * 60);
        }
        Matcher at = AT.matcher(text);
        if (at.matches()) {
            try {
                return LocalDateTime.of(number(at, 3), number(at, 1), number(at, 2), number(at, 4), number(at, 5))
                        .toInstant(ZoneOffset.UTC);
            } catch (DateTimeException e) {
                throw new CommandException(
                        ExitStatus.USAGE, "Termination time " + text + ": " + Sentence.of(e.getMessage()), e);
            }
        }
        throw new CommandException(
                ExitStatus.USAGE, "Termination time " + text + " is neither +HH:MM nor mm/dd/yyyy HH:MM (GMT).");
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    /** As xsd:dateTime in UTC. */
    static String toWire(Instant time) {
        return time.toString();
    }

    /**
     * From xsd:dateTime to the console's {@code MM/DD/YYYY HH:MM GMT}.
     *
     * @param dateTime null or empty: never
     */
    static String toConsole(@Nullable String dateTime) {
        if (dateTime == null || dateTime.length() < MINUTE_LENGTH) {
            return "never";
        }
        if (!dateTime.endsWith("Z")) {
            return toConsole(OffsetDateTime.parse(dateTime).toInstant().toString());
        }
        return dateTime.substring(5, 7) + "/" + dateTime.substring(8, 10) + "/" + dateTime.substring(0, 4) + " "
                + dateTime.substring(11, MINUTE_LENGTH) + " GMT";
    }
}
