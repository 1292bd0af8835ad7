// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    private static final String SELECT =
            "SELECT " + String.join(", ", AuditSums.COLUMNS) + " FROM audit_job WHERE job = ?";

    private final AuditDatabase database;
    private final Connection writer;
    private final PreparedStatement insert;
    private final PreparedStatement upsert;
    private final PreparedStatement update;
    private final PreparedStatement select;
    private final AuditSums sums = new AuditSums();
    /** What the rows give to the sums, by their jobs, once it was changed here. */
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
        select = writer.prepareStatement(SELECT);
    }

    AuditSums sums() {
        return sums;
    }

    /** The entry, and what it says of its job. */
    void add(AuditEntry entry) throws SQLException {
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
        Map<String, Object> said = new LinkedHashMap<>();
        AuditRow.add(said, entry);
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
        Map<String, Object> changed = shares.get(job);
        if (changed != null) {
            return changed;
        }
        select.setString(1, job);
        try (ResultSet found = select.executeQuery()) {
            return found.next() ? AuditLog.row(found, AuditSums.COLUMNS) : null;
        }
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
        for (PreparedStatement statement : List.of(insert, upsert, update, select)) {
            statement.close();
        }
    }
}
