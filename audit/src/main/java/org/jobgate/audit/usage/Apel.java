// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit.usage;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * APEL's messages in the text form that SSM carries: single jobs (v0.3), sums of a month (v0.2) and the count that a repository compares
 * with its own (sync, v0.1). A record that is sent again takes the place of the one that is there: of a job by site, local id and end, of
 * a sum by all that it is the sum of.
 */
public final class Apel {

    private static final String END = "%%\n";
    private static final int MOST_TEXT = 255;

    private final UsageSettings settings;

    public Apel(UsageSettings settings) {
        this.settings = settings;
    }

    /** One message of single jobs. */
    String individual(List<UsageRecord> records) {
        StringBuilder message = new StringBuilder("APEL-individual-job-message: v0.3\n");
        for (UsageRecord record : records) {
            line(message, "Site", settings.site());
            line(message, "SubmitHost", settings.submitHost(record.lrm(), record.queue()));
            line(message, "Queue", record.queue());
            line(message, "LocalJobId", record.localId());
            line(message, "LocalUserId", record.account());
            line(message, "GlobalUserName", settings.subjectOf(record));
            line(message, "FQAN", record.fqan());
            line(message, "VO", record.vo());
            line(message, "WallDuration", record.wallSeconds());
            line(message, "CpuDuration", record.cpuSeconds());
            line(message, "Processors", record.slots());
            line(message, "NodeCount", record.nodes());
            line(message, "StartTime", record.start().getEpochSecond());
            line(message, "EndTime", record.ended().getEpochSecond());
            line(message, "InfrastructureDescription", UsageSettings.infrastructure(record.lrm()));
            line(message, "InfrastructureType", "grid");
            line(message, "MemoryReal", record.memoryKiB());
            line(message, "ServiceLevelType", settings.benchmark());
            line(message, "ServiceLevel", settings.benchmarkValue());
            message.append(END);
        }
        return message.toString();
    }

    /**
     * The sums of one month, each of all its jobs: a later message replaces an earlier one and never adds to it.
     *
     * @param sums rows as the audit gives them
     * @return the message; empty where the month has no jobs
     */
    public String summary(YearMonth month, List<Sum> sums) {
        if (sums.isEmpty()) {
            return "";
        }
        StringBuilder message = new StringBuilder("APEL-summary-job-message: v0.2\n");
        for (Sum sum : sums) {
            line(message, "Site", settings.site());
            line(message, "Month", month.getMonthValue());
            line(message, "Year", month.getYear());
            line(message, "GlobalUserName", settings.withSubjects() ? sum.subject() : "withheld");
            groups(message, sum.fqan());
            line(message, "SubmitHost", settings.submitHost(sum.lrm(), sum.queue()));
            line(message, "InfrastructureType", "grid");
            line(message, "InfrastructureDescription", UsageSettings.infrastructure(sum.lrm()));
            line(message, "ServiceLevelType", settings.benchmark());
            line(message, "ServiceLevel", settings.benchmarkValue());
            line(message, "NodeCount", 1);
            line(message, "Processors", sum.slots());
            line(message, "EarliestEndTime", sum.earliest().getEpochSecond());
            line(message, "LatestEndTime", sum.latest().getEpochSecond());
            line(message, "WallDuration", UsageRecord.seconds(sum.wallMillis()));
            line(message, "CpuDuration", UsageRecord.seconds(sum.cpuMillis()));
            line(message, "NumberOfJobs", sum.jobs());
            message.append(END);
        }
        return message.toString();
    }

    /** The parts of an attribute such as {@code /testvo/prod/Role=pilot}; a role that is none is {@code None}, as APEL has it. */
    private static void groups(StringBuilder message, @Nullable String fqan) {
        if (fqan == null) {
            return;
        }
        int role = fqan.indexOf("/Role=");
        int capability = fqan.indexOf("/Capability=");
        int end = role >= 0 ? role : capability >= 0 ? capability : fqan.length();
        String group = fqan.substring(0, end);
        String name = role < 0 ? "None" : fqan.substring(role + 1, capability > role ? capability : fqan.length());
        line(message, "VO", group.startsWith("/") ? group.substring(1).split("/", 2)[0] : group);
        line(message, "VOGroup", group);
        line(message, "VORole", name.equals("Role=NULL") ? "None" : name);
    }

    /** How many jobs of the month all records together speak of, for each submit host. */
    public String sync(YearMonth month, List<Sum> sums) {
        if (sums.isEmpty()) {
            return "";
        }
        Map<String, Long> jobs = new TreeMap<>();
        sums.forEach(sum -> jobs.merge(settings.submitHost(sum.lrm(), sum.queue()), sum.jobs(), Long::sum));
        StringBuilder message = new StringBuilder("APEL-sync-message: v0.1\n");
        jobs.forEach((host, number) -> {
            line(message, "Site", settings.site());
            line(message, "SubmitHost", host);
            line(message, "NumberOfJobs", number);
            line(message, "Month", month.getMonthValue());
            line(message, "Year", month.getYear());
            message.append(END);
        });
        return message.toString();
    }

    /** A sum of jobs that have all of these in common. */
    public record Sum(
            String subject,
            String lrm,
            @Nullable String queue,
            int slots,
            @Nullable String fqan,
            long jobs,
            long wallMillis,
            long cpuMillis,
            Instant earliest,
            Instant latest) {}

    /** The first of the attributes of a row. */
    public static @Nullable String primary(@Nullable String fqans) {
        return fqans == null ? null : fqans.split(";", 2)[0];
    }

    /** The month in which a job counts: that of its end, in UTC. */
    public static YearMonth monthOf(Instant end) {
        return YearMonth.from(end.atOffset(ZoneOffset.UTC));
    }

    /** No text can end its line or its record, or pass for a field that is not there. */
    private static void line(StringBuilder message, String name, @Nullable Object value) {
        if (value == null) {
            return;
        }
        String text = value.toString()
                .replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ")
                .replaceAll("%(?=%)", "% ")
                .strip();
        if (text.isEmpty()) {
            return;
        }
        message.append(name)
                .append(": ")
                .append(text, 0, Math.min(text.length(), name.equals("GlobalUserName") ? text.length() : MOST_TEXT))
                .append('\n');
    }
}
