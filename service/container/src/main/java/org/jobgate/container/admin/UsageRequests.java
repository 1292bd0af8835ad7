// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.audit.UsageReports;
import org.jobgate.audit.usage.Apel;
import org.jobgate.audit.usage.UsageFormat;
import org.jobgate.audit.usage.UsageSettings;
import org.jspecify.annotations.Nullable;

/** What the administrator asks of the usage of jobs. */
final class UsageRequests {

    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
    private static final Pattern CODES = Pattern.compile("[A-Z_]{1,64}(,[A-Z_]{1,64}){0,63}");

    private final UsageReports reports;

    UsageRequests(UsageReports reports) {
        this.reports = reports;
    }

    /** Sums by some keys. */
    Object totals(Function<String, @Nullable String> parameter) {
        List<UsageReports.Key> by = new ArrayList<>();
        String words = text(parameter, "by", "");
        for (String word : words.isEmpty() ? new String[0] : words.split(",")) {
            by.add(UsageReports.Key.of(word)
                    .orElseThrow(() -> AdminFault.badRequest(
                            "Jobs cannot be added up by " + word + ".",
                            "Name some of: user, vo, account, lrm, door, queue, month.")));
        }
        return Map.of(
                "rows",
                reports.totals(
                        by.stream().distinct().toList(),
                        parameter.apply("subject"),
                        time("since", parameter.apply("since"), Instant.EPOCH),
                        time("until", parameter.apply("until"), FAR),
                        uncharged(parameter)));
    }

    /**
     * Records of single jobs, a page at a time; {@code after} of one answer gives the next. By {@code order=recorded} they come as their ends came on
     * record, so that a reader that keeps {@code after} gets each once.
     */
    Object records(Function<String, @Nullable String> parameter) {
        String word = text(parameter, "format", "");
        UsageFormat format = UsageFormat.of(word)
                .orElseThrow(() -> AdminFault.badRequest(
                        "There is no form of usage records called " + word + ".",
                        "Name one of: ur1, ur2, car, apel, json, blah."));
        UsageSettings settings = settings(parameter);
        boolean isAsRecorded = "recorded".equals(parameter.apply("order"));
        Instant since = time("since", parameter.apply("since"), Instant.EPOCH);
        List<Map<String, Object>> rows;
        try {
            rows = isAsRecorded
                    ? reports.recorded(since, parameter.apply("after"), UsageFormat.MOST_RECORDS)
                    : reports.ended(
                            since,
                            time("until", parameter.apply("until"), FAR),
                            parameter.apply("after"),
                            UsageFormat.MOST_RECORDS);
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest(String.valueOf(e.getMessage()), "Leave it out, or give that of an answer.");
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("jobs", rows.size());
        answer.put("text", format.write(rows, settings, Instant.now()));
        if (!rows.isEmpty()) {
            answer.put("after", isAsRecorded ? UsageReports.entry(rows.getLast()) : UsageReports.place(rows.getLast()));
        }
        return answer;
    }

    /** APEL's sums of one month, and the count of its jobs. */
    Object month(Function<String, @Nullable String> parameter) {
        YearMonth month;
        try {
            month = YearMonth.parse(text(parameter, "month", ""));
        } catch (DateTimeException e) {
            throw AdminFault.badRequest("month is no month.", "Write it like 2026-11.");
        }
        UsageSettings settings = settings(parameter);
        List<Apel.Sum> sums = reports.month(month, settings.unchargedFaults());
        Apel apel = new Apel(settings);
        return Map.of("summary", apel.summary(month, sums), "sync", apel.sync(month, sums));
    }

    private static UsageSettings settings(Function<String, @Nullable String> parameter) {
        String value = text(parameter, "benchmarkValue", "1");
        try {
            return new UsageSettings(
                    text(parameter, "site", ""),
                    text(parameter, "submitHost", ""),
                    text(parameter, "benchmark", "HEPSPEC"),
                    Double.parseDouble(value),
                    uncharged(parameter),
                    !"true".equals(parameter.apply("withhold")));
        } catch (NumberFormatException e) {
            throw AdminFault.badRequest("The value of the benchmark is no number.", "Write it like 12.5.");
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest(String.valueOf(e.getMessage()), "Correct it.");
        }
    }

    private static Set<String> uncharged(Function<String, @Nullable String> parameter) {
        String codes = parameter.apply("uncharged");
        if (codes == null) {
            return UsageSettings.FAULTS_OF_SITE;
        }
        if (codes.isEmpty()) {
            return Set.of();
        }
        if (!CODES.matcher(codes).matches()) {
            throw AdminFault.badRequest(
                    "The faults that are not charged are no list of codes.", "Write them like NODE_FAILED,LOST.");
        }
        return Stream.of(codes.split(",")).collect(Collectors.toUnmodifiableSet());
    }

    private static String text(Function<String, @Nullable String> parameter, String name, String otherwise) {
        String text = parameter.apply(name);
        return text == null ? otherwise : text;
    }

    static Instant time(String name, @Nullable String text, Instant otherwise) {
        if (text == null) {
            return otherwise;
        }
        try {
            Instant time = Instant.parse(text);
            // no job ended before or will end after; and milliseconds do not reach as far as times do
            return time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(FAR) ? FAR : time;
        } catch (DateTimeException e) {
            throw AdminFault.badRequest(
                    name + " is " + text + "; it must be a time such as 2026-11-25T00:00:00Z.", "Change it.");
        }
    }
}
