// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.audit.usage.Apel;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Who used how much: sums over the jobs on record that are over. A job counts in the month of its end, in UTC; each attempt at a job counts
 * for itself.
 */
public final class UsageReports {

    /** Rows of one answer. */
    public static final int MOST_ROWS = 10_000;

    /** What a usage record is made of. */
    private static final String RECORD =
            "job, grid_id, subject, account, lrm, created, local_ids, queued, started, ended, outcome, exit_code, fault,"
                    + " wall_ms, cpu_ms, user_cpu_ms, system_cpu_ms, peak_memory_kib, slots, hosts, queue, vo, fqans";

    /** That parts of an answer have in common, beside the month. */
    private static final String COLUMNS =
            "subject, account, lrm, door, queue, vo, outcome, fault, jobs, unmeasured, wall_ms, slot_ms, cpu_ms";

    private final AuditDatabase database;

    UsageReports(AuditDatabase database) {
        this.database = database;
    }

    /** By what jobs are added up. */
    public enum Key {
        USER("subject"),
        ACCOUNT("account"),
        LRM("lrm"),
        DOOR("door"),
        QUEUE("queue"),
        VO("vo"),
        MONTH("month");

        private final String column;

        Key(String column) {
            this.column = column;
        }

        /** As it is asked for and named in answers. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** By its word. */
        public static Optional<Key> of(String word) {
            return Arrays.stream(values())
                    .filter(key -> key.word().equals(word))
                    .findFirst();
        }
    }

    /**
     * The sums of all jobs that ended in a time, one row for each value of the keys, in their order. Times are milliseconds: {@code wall_ms}
     * of the jobs, {@code slot_ms} of wall time on each of their slots, {@code cpu_ms}. Jobs whose fault is not charged count in
     * {@code uncharged} only. Whole days (UTC) come from the sums that are kept for each day, jobs that were taken out included, and parts of
     * days from the jobs on record. {@code unmeasured} is the number of jobs that ran, whose processor time is not known.
     *
     * @param subject only of this owner; null for all
     * @param uncharged codes of the faults that are not charged
     * @throws FaultException of code {@code LIMIT_EXCEEDED} where there were more than {@value #MOST_ROWS} rows, or PostgreSQL has not
     *     added up so much within a minute
     */
    public List<Map<String, Object>> totals(
            List<Key> by, @Nullable String subject, Instant since, Instant until, Set<String> uncharged) {
        String keys = by.stream().map(key -> key.column + " AS " + key.word()).collect(Collectors.joining(", "));
        String group =
                IntStream.rangeClosed(1, by.size()).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        List<Object> values = new ArrayList<>(uncharged);
        String parts = parts(since.toEpochMilli(), until.toEpochMilli(), values);
        if (subject != null) {
            values.add(subject);
        }
        String sql = "SELECT " + keys + (by.isEmpty() ? "" : ", ") + "sum(charged * jobs) AS jobs, "
                + with("DONE", "done") + ", " + with("FAILED", "failed") + ", " + with("CANCELLED", "cancelled")
                + ", sum((1 - charged) * jobs) AS uncharged, sum(charged * wall_ms) AS wall_ms,"
                + " sum(charged * slot_ms) AS slot_ms, sum(charged * cpu_ms) AS cpu_ms,"
                + " sum(charged * unmeasured) AS unmeasured FROM (SELECT parts.*, " + charged(uncharged)
                + " AS charged FROM (" + parts + ") AS parts" + (subject == null ? "" : " WHERE subject = ?")
                + ") AS days" + (by.isEmpty() ? "" : " GROUP BY " + group + " ORDER BY " + group) + " LIMIT "
                + (MOST_ROWS + 1);
        List<Map<String, Object>> rows = select(sql, values, true);
        if (rows.size() > MOST_ROWS) {
            throw new FaultException(Fault.of(
                    FaultCode.LIMIT_EXCEEDED,
                    "The answer has more than " + MOST_ROWS + " rows.",
                    "Ask for a shorter time, or by fewer keys."));
        }
        return by.isEmpty() && rows.getFirst().get("jobs") == null ? List.of() : rows;
    }

    private static String with(String outcome, String name) {
        return "sum(CASE WHEN outcome = '" + outcome + "' THEN charged * jobs ELSE 0 END) AS " + name;
    }

    /** What a time is made of: the sums of its whole days, and jobs of the days of which it has a part. */
    private String parts(long since, long until, List<Object> values) {
        long firstWhole = Math.ceilDiv(since, UsageShare.DAY);
        long end = Math.floorDiv(until, UsageShare.DAY);
        List<String> parts = new ArrayList<>();
        if (firstWhole > end) {
            parts.add(ofOneDay(since, until, values));
        } else {
            if (since < firstWhole * UsageShare.DAY) {
                parts.add(ofOneDay(since, firstWhole * UsageShare.DAY, values));
            }
            parts.add("SELECT month, " + COLUMNS + " FROM audit_day WHERE day >= ? AND day < ?");
            values.add(firstWhole);
            values.add(end);
            if (end * UsageShare.DAY < until) {
                parts.add(ofOneDay(end * UsageShare.DAY, until, values));
            }
        }
        return String.join(" UNION ALL ", parts);
    }

    private String ofOneDay(long since, long until, List<Object> values) {
        String month = UsageShare.monthOf(Math.floorDiv(since, UsageShare.DAY));
        values.add(since);
        values.add(until);
        // made of digits and a minus sign
        return "SELECT '" + month + "' AS month, " + COLUMNS + " FROM ("
                + AuditSums.ofRows(database, "ended >= ? AND ended < ?") + ") AS shares";
    }

    private static String charged(Collection<String> uncharged) {
        return uncharged.isEmpty()
                ? "1"
                : "CASE WHEN fault IN (" + String.join(", ", Collections.nCopies(uncharged.size(), "?"))
                        + ") THEN 0 ELSE 1 END";
    }

    /**
     * Rows of the table of jobs that ended in a time, in the order of their ends.
     *
     * @param after the place that the last row of the page before names ({@link #place}); null from the first on
     * @param limit 1 to {@value #MOST_ROWS}
     */
    public List<Map<String, Object>> ended(Instant since, Instant until, @Nullable String after, int limit) {
        if (limit < 1 || limit > MOST_ROWS) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MOST_ROWS);
        }
        long from = since.toEpochMilli();
        String job = "";
        if (after != null) {
            if (!after.matches("[0-9]{1,15}-[0-9a-f-]{1,64}")) {
                throw new IllegalArgumentException("This is no place in the records: " + after + ".");
            }
            from = Long.parseLong(after.substring(0, after.indexOf('-')));
            job = after.substring(after.indexOf('-') + 1);
        }
        return select(
                "SELECT " + RECORD + " FROM audit_job"
                        + " WHERE ended >= ? AND (ended > ? OR job > ?) AND ended < ? ORDER BY ended, job LIMIT ?",
                List.of(from, from, job, until.toEpochMilli(), limit));
    }

    /**
     * Rows of the table of jobs that are over, in the order in which their ends came on record. Whoever goes on behind the entry of the last
     * row gets each job once, however late its end became known.
     *
     * @param after the entry that the last row of the page before names ({@link #entry}); null from the first on
     * @param limit 1 to {@value #MOST_ROWS}
     * @throws IllegalArgumentException the records have no such entry (any more)
     */
    public List<Map<String, Object>> recorded(Instant since, @Nullable String after, int limit) {
        if (limit < 1 || limit > MOST_ROWS) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MOST_ROWS);
        }
        long from = 0;
        if (after != null) {
            if (!after.matches("[0-9]{1,18}-[0-9a-f]{64}")) {
                throw new IllegalArgumentException("This is no entry of the records: " + after + ".");
            }
            from = Long.parseLong(after.substring(0, after.indexOf('-')));
            requireEntry(from, after.substring(after.indexOf('-') + 1));
        }
        return select(
                "SELECT " + RECORD
                        + ", number AS entry_number, hash AS entry_hash FROM audit_entry AS entry JOIN audit_job USING (job)"
                        + " WHERE number > ? AND kind = 'ENDED' AND ended >= ? AND NOT EXISTS (SELECT 1 FROM audit_entry AS earlier"
                        + " WHERE earlier.job = entry.job AND earlier.number < entry.number AND earlier.kind = 'ENDED')"
                        + " ORDER BY number LIMIT ?",
                List.of(from, since.toEpochMilli(), limit));
    }

    /** Records that were replaced by others have other entries under the same numbers. */
    private void requireEntry(long number, String hash) {
        List<Map<String, Object>> found = select("SELECT hash FROM audit_entry WHERE number = ?", List.of(number));
        if (found.isEmpty() || !hash.equals(found.getFirst().get("hash"))) {
            throw new IllegalArgumentException("The records have no such entry " + number
                    + ": they are others than before, or were taken off up to there.");
        }
    }

    /** The entry that says that the job of a row of {@link #recorded} is over. */
    public static String entry(Map<String, Object> row) {
        return row.get("entry_number") + "-" + row.get("entry_hash");
    }

    /** Where a row stands among those that have ended. */
    public static String place(Map<String, Object> row) {
        return row.get("ended") + "-" + row.get("job");
    }

    /** The sums of a month as APEL has them: of all jobs that have owner, LRM, queue and slots in common. */
    public List<Apel.Sum> month(YearMonth month, Set<String> uncharged) {
        List<Object> values = new ArrayList<>();
        values.add(month.atDay(1).toEpochDay());
        values.add(month.plusMonths(1).atDay(1).toEpochDay());
        values.addAll(uncharged);
        return select(
                        "SELECT subject, lrm, queue, slots, fqan, sum(jobs) AS jobs, sum(wall_ms) AS wall, sum(cpu_ms) AS cpu,"
                                + " min(earliest) AS earliest, max(latest) AS latest FROM audit_day WHERE day >= ? AND day < ?"
                                + " AND " + charged(uncharged) + " = 1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5",
                        values)
                .stream()
                .map(row -> new Apel.Sum(
                        String.valueOf(row.get("subject")),
                        String.valueOf(row.get("lrm")),
                        known(row, "queue"),
                        (int) number(row, "slots"),
                        known(row, "fqan"),
                        number(row, "jobs"),
                        number(row, "wall"),
                        number(row, "cpu"),
                        Instant.ofEpochMilli(number(row, "earliest")),
                        Instant.ofEpochMilli(number(row, "latest"))))
                .toList();
    }

    private static @Nullable String known(Map<String, Object> row, String name) {
        return "".equals(row.get(name)) ? null : (String) row.get(name);
    }

    private static long number(Map<String, Object> row, String name) {
        return row.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private List<Map<String, Object>> select(String sql, List<?> values) {
        return select(sql, values, false);
    }

    private List<Map<String, Object>> select(String sql, List<?> values, boolean isBounded) {
        try (Connection reader = database.reader();
                PreparedStatement statement = reader.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            if (isBounded) {
                database.bound(statement);
            }
            List<Map<String, Object>> rows = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                int columns = found.getMetaData().getColumnCount();
                while (found.next()) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    for (int i = 1; i <= columns; i++) {
                        Object value = found.getObject(i);
                        if (value != null) {
                            row.put(
                                    found.getMetaData().getColumnLabel(i),
                                    value instanceof Number number ? Long.valueOf(number.longValue()) : value);
                        }
                    }
                    rows.add(row);
                }
            }
            return rows;
        } catch (SQLException e) {
            if (database.isTooLong(e)) {
                throw new FaultException(
                        Fault.of(
                                FaultCode.LIMIT_EXCEEDED,
                                "To add up what jobs used in that time took too long.",
                                "Ask for a shorter time with since and until."),
                        e);
            }
            throw database.unreadable(e);
        }
    }
}
