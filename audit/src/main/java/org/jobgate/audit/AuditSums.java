// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction changes of the sums of each day: what a row gave to them before is taken away, what it gives now is added, so that they
 * always say what the rows say. The earliest and the latest end of a sum stay where the job that had it goes to another sum.
 */
final class AuditSums {

    /** What jobs of one sum have in common. */
    private static final List<String> KEYS =
            List.of("day", "subject", "account", "lrm", "door", "queue", "vo", "fqan", "outcome", "fault", "slots");

    /** Up to here sums are exact, in whichever order they were added up: 2^53. Jobs that say of themselves that they used more than can be get there. */
    private static final String EXACT = "9007199254740992.0";

    /** Of sums above that: what adding up in another order may change, for thousands of millions of jobs. */
    private static final String ROUNDING = "1e-6";

    private static final double MOST_EXACT = Double.parseDouble(EXACT);

    private static final String SET_SUMS = "UPDATE audit_day SET wall_ms = ?, slot_ms = ?, cpu_ms = ? WHERE id = ?";

    private static final String SAVE = "INSERT INTO audit_day (id, month, kept, earliest, latest, "
            + String.join(", ", KEYS) + ", jobs, unmeasured, wall_ms, slot_ms, cpu_ms) VALUES (?" + ", ?".repeat(20)
            + ") ON CONFLICT (id) DO UPDATE SET jobs = audit_day.jobs + excluded.jobs,"
            + " unmeasured = audit_day.unmeasured + excluded.unmeasured, wall_ms = audit_day.wall_ms + excluded.wall_ms,"
            + " slot_ms = audit_day.slot_ms + excluded.slot_ms, cpu_ms = audit_day.cpu_ms + excluded.cpu_ms,"
            + " earliest = CASE WHEN excluded.earliest < audit_day.earliest THEN excluded.earliest ELSE audit_day.earliest END,"
            + " latest = CASE WHEN excluded.latest > audit_day.latest THEN excluded.latest ELSE audit_day.latest END";

    private static final String LET_GO = "DELETE FROM audit_day WHERE id = ? AND jobs = 0";

    private static final String MOST = String.format(java.util.Locale.ROOT, "%.0f.0", UsageShare.MOST);

    /** As {@link UsageShare} has it of one row. */
    private static final String WALL = bounded("CAST(COALESCE(wall_ms, 0) AS DOUBLE PRECISION)");

    private static final String SLOTS = "CASE WHEN slots > 1 THEN slots ELSE 1 END";

    /** The columns by which a row belongs to a sum, and that it adds to it. */
    static final List<String> COLUMNS = List.of(
            "subject", "account", "lrm", "door", "queue", "vo", "fqans", "outcome", "fault", "slots", "wall_ms",
            "cpu_ms", "ended");

    private static final int SAVED_TOGETHER = 2_000;

    private final Map<UsageShare.Key, Sum> changes = new HashMap<>();

    private static final class Sum {
        private long jobs;
        private long unmeasured;
        private double wall;
        private double slot;
        private double cpu;
        private long earliest = Long.MAX_VALUE;
        private long latest = Long.MIN_VALUE;
        private boolean isLess;
    }

    private static String bounded(String millis) {
        return "CASE WHEN " + millis + " > " + MOST + " THEN " + MOST + " WHEN " + millis + " < 0 THEN 0.0 ELSE "
                + millis + " END";
    }

    /** What rows of jobs give to the sums, row by row, in SQL; with the columns of the sums but the month. */
    static String ofRows(AuditDatabase database, String where) {
        String fqan = "CASE WHEN " + database.position("fqans", "';'") + " > 0 THEN substr(fqans, 1, "
                + database.position("fqans", "';'") + " - 1) ELSE COALESCE(fqans, '') END";
        return "SELECT ended / " + UsageShare.DAY
                + " AS day, subject, account, lrm, door, COALESCE(queue, '') AS queue,"
                + " COALESCE(vo, '') AS vo, " + fqan + " AS fqan, COALESCE(outcome, '') AS outcome,"
                + " COALESCE(fault, '') AS fault, " + SLOTS + " AS slots, 1 AS jobs,"
                + " CASE WHEN cpu_ms IS NULL AND wall_ms > 0 THEN 1 ELSE 0 END AS unmeasured, " + WALL + " AS wall_ms, "
                + bounded("(" + WALL + ") * " + SLOTS) + " AS slot_ms, "
                + bounded("CAST(COALESCE(cpu_ms, 0) AS DOUBLE PRECISION)") + " AS cpu_ms, ended FROM audit_job WHERE "
                + where;
    }

    /** The sums as the rows of jobs make them, in SQL. */
    static String sumsOfRows(AuditDatabase database, String where) {
        return "SELECT day, subject, account, lrm, door, queue, vo, fqan, outcome, fault, slots, sum(jobs) AS jobs,"
                + " sum(unmeasured) AS unmeasured, sum(wall_ms) AS wall_ms, sum(slot_ms) AS slot_ms, sum(cpu_ms) AS cpu_ms,"
                + " min(ended) AS earliest, max(ended) AS latest FROM (" + ofRows(database, where)
                + ") AS shares GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11";
    }

    /** Sums that the rows of jobs do not make, or make otherwise, in SQL; one row at the most. */
    static List<String> differences(AuditDatabase database) {
        String made = "(" + sumsOfRows(database, "ended IS NOT NULL") + ") AS made";
        String saved = "(SELECT * FROM audit_day WHERE kept = 0) AS saved";
        return List.of(difference(made, "made", saved, "saved"), difference(saved, "saved", made, "made"));
    }

    private static String difference(String some, String one, String others, String other) {
        // without the index on days, in which all sums of a day would be looked through for each
        String same = KEYS.stream()
                .map(key -> one + "." + key + " = " + (key.equals("day") ? "+" : "") + other + "." + key)
                .collect(Collectors.joining(" AND "));
        String differs = Stream.concat(
                        Stream.of("jobs", "unmeasured").map(count -> one + "." + count + " <> " + other + "." + count),
                        Stream.of("wall_ms", "slot_ms", "cpu_ms")
                                .map(sum -> "abs(" + one + "." + sum + " - " + other + "." + sum + ") > CASE WHEN "
                                        + one + "." + sum + " > " + EXACT + " THEN " + one + "." + sum + " * "
                                        + ROUNDING
                                        + " ELSE 0 END"))
                .collect(Collectors.joining(" OR "));
        return "SELECT " + one + ".day, " + one + ".subject FROM " + some + " LEFT JOIN " + others + " ON " + same
                + " WHERE " + other + ".day IS NULL OR " + differs + " LIMIT 1";
    }

    /** Makes the sums of the jobs that are on record from their rows, in a transaction of its own. */
    static void makeAnew(AuditDatabase database, Connection writer) throws SQLException {
        int usual = writer.getNetworkTimeout();
        try (Statement statement = writer.createStatement()) {
            // many millions of rows take longer than a server that answers is waited for otherwise
            writer.setNetworkTimeout(Runnable::run, PostgresAudit.longAnswerMillis());
            statement.executeUpdate("DELETE FROM audit_day WHERE kept = 0");
            addRows(database, writer);
            writer.commit();
            writer.setNetworkTimeout(Runnable::run, usual);
        } catch (SQLException e) {
            writer.rollback();
            throw e;
        }
    }

    /** Adds what the rows of all jobs on record give to the sums, in the writer's transaction. */
    static void addRows(AuditDatabase database, Connection writer) throws SQLException {
        AuditSums sums = new AuditSums();
        try (Statement statement = writer.createStatement()) {
            // there may be millions of sums: never all of them in memory
            statement.setFetchSize(SAVED_TOGETHER);
            try (ResultSet found = statement.executeQuery(sumsOfRows(database, "ended IS NOT NULL"))) {
                while (found.next()) {
                    sums.add(found);
                    if (sums.changes.size() >= SAVED_TOGETHER) {
                        sums.save(database, writer);
                    }
                }
            }
        }
        sums.save(database, writer);
    }

    /** A row was another before, or was not there, and is this one now, or is not there any more. */
    void change(@Nullable UsageShare before, @Nullable UsageShare after) {
        if (before != null) {
            add(before.key(), before, -1);
        }
        if (after != null) {
            add(after.key(), after, 1);
        }
    }

    /** A row is taken out, and what it gave is kept under other names. */
    void keep(UsageShare taken, String subject, String account) {
        add(taken.key(), taken, -1);
        add(taken.key().kept(subject, account), taken, 1);
    }

    private void add(UsageShare.Key key, UsageShare share, int sign) {
        Sum sum = changes.computeIfAbsent(key, any -> new Sum());
        sum.jobs += sign;
        sum.unmeasured += share.isUnmeasured() ? sign : 0;
        sum.wall += sign * share.wallMillis();
        sum.slot += sign * share.slotMillis();
        sum.cpu += sign * share.cpuMillis();
        if (sign > 0) {
            sum.earliest = Math.min(sum.earliest, share.ended());
            sum.latest = Math.max(sum.latest, share.ended());
        } else {
            sum.isLess = true;
        }
    }

    /** A sum that was read. */
    private void add(ResultSet found) throws SQLException {
        UsageShare.Key key = new UsageShare.Key(
                found.getLong("day"),
                found.getString("subject"),
                found.getString("account"),
                found.getString("lrm"),
                found.getString("door"),
                found.getString("queue"),
                found.getString("vo"),
                found.getString("fqan"),
                found.getString("outcome"),
                found.getString("fault"),
                found.getLong("slots"),
                false);
        Sum sum = changes.computeIfAbsent(key, any -> new Sum());
        sum.jobs += found.getLong("jobs");
        sum.unmeasured += found.getLong("unmeasured");
        sum.wall += found.getDouble("wall_ms");
        sum.slot += found.getDouble("slot_ms");
        sum.cpu += found.getDouble("cpu_ms");
        sum.earliest = Math.min(sum.earliest, found.getLong("earliest"));
        sum.latest = Math.max(sum.latest, found.getLong("latest"));
    }

    /** Writes it, in the transaction of the rows, which are changed already. */
    void save(AuditDatabase database, Connection writer) throws SQLException {
        changes.values()
                .removeIf(
                        sum -> sum.jobs == 0 && sum.unmeasured == 0 && sum.wall == 0 && sum.slot == 0 && sum.cpu == 0);
        if (changes.isEmpty()) {
            return;
        }
        try (PreparedStatement save = writer.prepareStatement(SAVE);
                PreparedStatement letGo = writer.prepareStatement(LET_GO)) {
            Map<String, UsageShare.Key> less = new HashMap<>();
            for (Map.Entry<UsageShare.Key, Sum> change : changes.entrySet()) {
                String id = change.getKey().id();
                add(save, id, change.getKey(), change.getValue());
                if (change.getValue().isLess) {
                    letGo.setString(1, id);
                    letGo.addBatch();
                    less.put(id, change.getKey());
                }
            }
            save.executeBatch();
            if (!less.isEmpty()) {
                letGo.executeBatch();
                makeExact(database, writer, less);
            }
        }
        changes.clear();
    }

    /**
     * Of sums that were too large to be exact and are not any more, the ends of what was added are missing: they are made anew from the rows. Only
     * numbers that cannot be, which were put right, come so far.
     */
    private void makeExact(AuditDatabase database, Connection writer, Map<String, UsageShare.Key> less)
            throws SQLException {
        List<UsageShare.Key> inexact = new ArrayList<>();
        try (PreparedStatement select =
                writer.prepareStatement("SELECT id, wall_ms, slot_ms, cpu_ms FROM audit_day WHERE kept = 0 AND id IN ("
                        + String.join(", ", Collections.nCopies(less.size(), "?")) + ")")) {
            int place = 1;
            for (String id : less.keySet()) {
                select.setString(place++, id);
            }
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    UsageShare.Key key = requireNonNull(less.get(found.getString(1)));
                    Sum change = requireNonNull(changes.get(key));
                    if (hasBecomeExact(found.getDouble(2), change.wall)
                            || hasBecomeExact(found.getDouble(3), change.slot)
                            || hasBecomeExact(found.getDouble(4), change.cpu)) {
                        inexact.add(key);
                    }
                }
            }
        }
        for (UsageShare.Key key : inexact) {
            makeAnew(database, writer, key);
        }
    }

    private static boolean hasBecomeExact(double now, double change) {
        return now <= MOST_EXACT && now - change > MOST_EXACT;
    }

    private static void makeAnew(AuditDatabase database, Connection writer, UsageShare.Key key) throws SQLException {
        try (PreparedStatement select = writer.prepareStatement("SELECT wall_ms, slot_ms, cpu_ms FROM ("
                        + sumsOfRows(database, "ended >= ? AND ended < ? AND subject = ? AND account = ?")
                        + ") AS made WHERE " + String.join(" = ? AND ", KEYS) + " = ?");
                PreparedStatement set = writer.prepareStatement(SET_SUMS)) {
            int place = 1;
            select.setLong(place++, key.day() * UsageShare.DAY);
            select.setLong(place++, (key.day() + 1) * UsageShare.DAY);
            select.setString(place++, key.subject());
            select.setString(place++, key.account());
            select.setLong(place++, key.day());
            for (String part : key.texts()) {
                select.setString(place++, part);
            }
            select.setLong(place, key.slots());
            try (ResultSet found = select.executeQuery()) {
                if (found.next()) {
                    set.setDouble(1, found.getDouble(1));
                    set.setDouble(2, found.getDouble(2));
                    set.setDouble(3, found.getDouble(3));
                    set.setString(4, key.id());
                    set.executeUpdate();
                }
            }
        }
    }

    private static void add(PreparedStatement save, String id, UsageShare.Key key, Sum sum) throws SQLException {
        int place = 1;
        save.setString(place++, id);
        save.setString(place++, key.month());
        save.setLong(place++, key.isKept() ? 1 : 0);
        save.setLong(place++, sum.earliest);
        save.setLong(place++, sum.latest);
        save.setLong(place++, key.day());
        for (String part : key.texts()) {
            save.setString(place++, part);
        }
        save.setLong(place++, key.slots());
        save.setLong(place++, sum.jobs);
        save.setLong(place++, sum.unmeasured);
        save.setDouble(place++, sum.wall);
        save.setDouble(place++, sum.slot);
        save.setDouble(place, sum.cpu);
        save.addBatch();
    }
}
