// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.job.Later;

/** Keeps everybody out outside of some times of the week. */
public final class TimeWindows implements DecisionPoint {

    private static final Pattern FORM =
            Pattern.compile("([A-Za-z]{3})(?:-([A-Za-z]{3}))? ([0-2]\\d:[0-5]\\d)-([0-2]\\d:[0-5]\\d)");

    private final List<Window> windows;
    private final ZoneId zone;
    private final Clock clock;

    /**
     * A part of the week.
     *
     * @param days on which it begins
     * @param until if not after {@code from}, of the next day
     */
    private record Window(String text, Set<DayOfWeek> days, LocalTime from, LocalTime until) {

        boolean holds(ZonedDateTime now) {
            LocalTime time = now.toLocalTime();
            DayOfWeek today = now.getDayOfWeek();
            if (from.isBefore(until)) {
                return days.contains(today) && !time.isBefore(from) && time.isBefore(until);
            }
            return (days.contains(today) && !time.isBefore(from))
                    || (days.contains(today.minus(1)) && time.isBefore(until));
        }

        /** How long until it begins, if it does so today or tomorrow. */
        Optional<Duration> beginsAfter(ZonedDateTime now) {
            return Stream.of(now, now.plusDays(1))
                    .filter(day -> days.contains(day.getDayOfWeek()))
                    .map(day -> Duration.between(now, day.with(from)))
                    .filter(Duration::isPositive)
                    .findFirst();
        }
    }

    /**
     * Reads windows written as {@code Mon-Fri 18:00-08:00}; one that ends before it begins ends on the next day.
     *
     * @throws IllegalArgumentException that names the window which is none
     */
    public TimeWindows(List<String> windows, ZoneId zone, Clock clock) {
        this.windows = windows.stream().map(TimeWindows::parse).toList();
        this.zone = requireNonNull(zone, "zone is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    private static Window parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not written as Mon-Fri 08:00-18:00");
        }
        DayOfWeek first = day(matcher.group(1));
        DayOfWeek last = matcher.group(2) == null ? first : day(matcher.group(2));
        Set<DayOfWeek> days = EnumSet.of(first);
        for (DayOfWeek day = first; day != last; ) {
            day = day.plus(1);
            days.add(day);
        }
        return new Window(text, days, time(matcher.group(3)), time(matcher.group(4)));
    }

    private static LocalTime time(String text) {
        if (text.equals("24:00")) {
            return LocalTime.MIDNIGHT;
        }
        try {
            return LocalTime.parse(text);
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException(text + " is no time of a day", e);
        }
    }

    private static DayOfWeek day(String word) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().startsWith(word.toUpperCase(Locale.ROOT))) {
                return day;
            }
        }
        throw new IllegalArgumentException(word + " is none of Mon, Tue, Wed, Thu, Fri, Sat, Sun");
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        ZonedDateTime now = clock.instant().atZone(zone);
        return windows.stream()
                .filter(window -> window.holds(now))
                .findFirst()
                .<PointDecision>map(window -> new PointDecision.Abstain("it is within " + window.text()))
                .orElseGet(() -> new PointDecision.Deny(
                        "This is allowed here only "
                                + String.join(
                                        ", ", windows.stream().map(Window::text).toList())
                                + " (" + zone + ")",
                        untilOneBegins(now)));
    }

    /** Those that are to wait longer than {@link Later#MOST} are told to ask again after that: windows further away need not be looked for. */
    private Later untilOneBegins(ZonedDateTime now) {
        Duration shortest = windows.stream()
                .flatMap(window -> window.beginsAfter(now).stream())
                .min(Comparator.naturalOrder())
                .orElse(Later.MOST);
        return new Later(Later.Room.SERVICE, shortest);
    }
}
