// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/** A front door's record as a row of {@code door_record}. */
final class RecordRows {

    static final String COLUMNS = "kind, id, job, owner, body, created";

    static final String UPSERT = "INSERT INTO door_record (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (kind, id) DO UPDATE SET job = excluded.job, owner = excluded.owner, body = excluded.body,"
            + " created = excluded.created";
    static final String DELETE = "DELETE FROM door_record WHERE kind = ? AND id = ?";
    static final String BY_ID = "SELECT " + COLUMNS + " FROM door_record WHERE kind = ? AND id = ?";
    static final String OF_JOB =
            "SELECT " + COLUMNS + " FROM door_record WHERE kind = ? AND job = ? ORDER BY created, id";
    static final String AFTER = "SELECT " + COLUMNS + " FROM door_record WHERE kind = ? AND id > ? ORDER BY id LIMIT ?";
    static final String COUNT = "SELECT count(*) FROM door_record WHERE kind = ?";

    private RecordRows() {}

    static void bind(PreparedStatement statement, DoorRecord record) throws SQLException {
        statement.setString(1, record.kind());
        statement.setString(2, record.id());
        Values.setId(statement, 3, record.job());
        statement.setString(4, record.owner());
        statement.setString(5, record.body());
        Values.setTime(statement, 6, record.created());
    }

    static DoorRecord read(ResultSet row) throws SQLException {
        return new DoorRecord(
                row.getString(1),
                row.getString(2),
                jobId(row.getBytes(3)),
                row.getString(4),
                row.getString(5),
                Values.instant(row.getLong(6)));
    }

    private static @Nullable JobId jobId(byte @Nullable [] bytes) {
        return bytes == null ? null : Values.jobId(bytes);
    }
}
