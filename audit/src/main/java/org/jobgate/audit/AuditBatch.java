// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction writes: entries, the rows that they change, and the sums that the rows change. Sent to the database together, as one that
 * is far away answers each statement late. What a description says is neither read nor written again where a job goes on.
 */
final class AuditBatch implements AutoCloseable {

    private static final String INSERT =
            "INSERT INTO audit_entry (number, change, job, at, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)";

    private static final String UPSERT = "INSERT INTO audit_job (job, " + String.join(", ", AuditRow.COLUMNS)
            + ") VALUES (?" + ", ?".repeat(AuditRow.COLUMNS.size()) + ") ON CONFLICT (job) DO UPDATE SET "
            + AuditRow.COLUMNS.stream()
                    .map(column -> column + " = excluded." + column)
                    .collect(Collectors.joining(", "));

    private static final String UPDATE = "UPDATE audit_job SET "
            + AuditRow.LATER_COLUMNS.stream()
                    .map(column -> column + " = COALESCE(?, " + column + ")")
                    .collect(Collectors.joining(", "))
            + " WHERE job = ?";

    private static final String SHARE = "job, " + String.join(", ", AuditSums.COLUMNS);

    /** So many rows are asked for at once. */
    private static final int AT_ONCE = 100;

    private final AuditDatabase database;
    private final Connection writer;
    private final PreparedStatement insert;
    private final PreparedStatement upsert;
    private final PreparedStatement update;
    private final AuditSums sums = new AuditSums();
    /** What the rows give to the sums, by their jobs, as it is inside the transaction; empty for jobs that have no row. */
    private final Map<String, Map<String, Object>> shares = new HashMap<>();

    private boolean hasUpserts;
    private boolean hasUpdates;
    private boolean hasEntries;

    AuditBatch(AuditDatabase database, Connection writer) throws SQLException {
        this.database = database;
        this.writer = writer;
        insert = writer.prepareStatement(INSERT);
        upsert = writer.prepareStatement(UPSERT);
        update = writer.prepareStatement(UPDATE);
    }

    AuditSums sums() {
        return sums;
    }

    /** A row that was found. */
    @FunctionalInterface
    interface Row {
        void read(ResultSet found) throws SQLException;
    }

    /** Asks for the rows of these jobs, many at once: one by one it takes longer than to write them. */
    static void find(Connection connection, String columns, Collection<String> jobs, Row row) throws SQLException {
        List<String> distinct = jobs.stream().distinct().toList();
        for (int first = 0; first < distinct.size(); first += AT_ONCE) {
            List<String> some = distinct.subList(first, Math.min(distinct.size(), first + AT_ONCE));
            // the same text for every few of them: the database prepares it once
            int places = some.size() == 1 ? 1 : AT_ONCE;
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT " + columns + " FROM audit_job WHERE job IN (?" + ", ?".repeat(places - 1) + ")")) {
                for (int place = 0; place < places; place++) {
                    select.setString(place + 1, some.get(Math.min(place, some.size() - 1)));
                }
                try (ResultSet found = select.executeQuery()) {
                    while (found.next()) {
                        row.read(found);
                    }
                }
            }
        }
    }

    /** Reads what the rows of these entries' jobs give to the sums now. */
    void look(List<AuditLog.News> news) throws SQLException {
        List<String> jobs = news.stream()
                .filter(one -> !one.kind().isOfNoJob())
                .map(AuditLog.News::job)
                .filter(job -> !shares.containsKey(job))
                .toList();
        jobs.forEach(job -> shares.put(job, Map.of()));
        find(writer, SHARE, jobs, found -> shares.put(found.getString("job"), AuditLog.row(found, AuditSums.COLUMNS)));
    }

    /** The entry, and what it says of its job: to read its body again would take as long as half of the rest. */
    void add(AuditEntry entry, AuditRow.Said news) throws SQLException {
        insert.setLong(1, entry.number());
        insert.setLong(2, entry.change());
        insert.setString(3, entry.job());
        insert.setLong(4, entry.at());
        insert.setString(5, entry.kind().name());
        insert.setString(6, entry.body());
        insert.setString(7, entry.hash());
        insert.addBatch();
        hasEntries = true;
        if (entry.kind().isOfNoJob()) {
            return;
        }
        Map<String, Object> said = new LinkedHashMap<>(news.values());
        said.replaceAll((column, value) -> switch (value) {
            case String text -> database.text(text);
            case Number number -> Long.valueOf(number.longValue());
            default -> value;
        });
        if (entry.kind() == AuditEntry.Kind.CREATED || entry.kind() == AuditEntry.Kind.CARRIED) {
            put(entry.job(), said);
        } else {
            change(entry.job(), said);
        }
    }

    private void put(String job, Map<String, Object> row) throws SQLException {
        upsert.setString(1, job);
        int place = 2;
        for (String column : AuditRow.COLUMNS) {
            upsert.setObject(place++, row.get(column));
        }
        upsert.addBatch();
        hasUpserts = true;
        Map<String, Object> before = share(job);
        sums.change(before == null ? null : UsageShare.of(before), UsageShare.of(row));
        shares.put(job, ofSums(row));
    }

    private void change(String job, Map<String, Object> said) throws SQLException {
        int place = 1;
        for (String column : AuditRow.LATER_COLUMNS) {
            update.setObject(place++, said.get(column));
        }
        update.setString(place, job);
        update.addBatch();
        hasUpdates = true;
        Map<String, Object> before = share(job);
        if (before == null) {
            throw new SQLException("there is no row of the job " + job + ", whose beginning is not on record");
        }
        Map<String, Object> after = new HashMap<>(before);
        after.putAll(ofSums(said));
        sums.change(UsageShare.of(before), UsageShare.of(after));
        shares.put(job, after);
    }

    private static Map<String, Object> ofSums(Map<String, Object> row) {
        Map<String, Object> some = new HashMap<>(row);
        some.keySet().retainAll(AuditSums.COLUMNS);
        return some;
    }

    /** What the row of a job gives to the sums as it stands now; absent where there is none. */
    @Nullable
    private Map<String, Object> share(String job) throws SQLException {
        if (!shares.containsKey(job)) {
            shares.put(job, Map.of());
            find(writer, SHARE, List.of(job), found -> shares.put(job, AuditLog.row(found, AuditSums.COLUMNS)));
        }
        Map<String, Object> share = shares.get(job);
        return share == null || share.isEmpty() ? null : share;
    }

    /** Sends all of it; it is on record when the writer has committed. */
    void send() throws SQLException {
        if (hasEntries) {
            insert.executeBatch();
        }
        // a row is there before it is changed
        if (hasUpserts) {
            upsert.executeBatch();
        }
        if (hasUpdates) {
            update.executeBatch();
        }
        sums.save(database, writer);
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : List.of(insert, upsert, update)) {
            statement.close();
        }
    }
}
