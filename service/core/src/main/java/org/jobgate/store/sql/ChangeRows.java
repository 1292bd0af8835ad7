// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.jobgate.store.sql.Values.setId;
import static org.jobgate.store.sql.Values.setName;
import static org.jobgate.store.sql.Values.setTime;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/** An entry of the change stream as a row of {@code change}. */
final class ChangeRows {

    static final String COLUMNS = "sequence, job, version, at, event, from_state, to_state, holding, note";

    static final String INSERT = "INSERT INTO change (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    /** Each change with the owner of its job, which is in one of the two tables as long as the change is kept. */
    private static final String READ = "SELECT c.sequence, c.job, c.version, c.at, c.event, c.from_state, c.to_state,"
            + " c.holding, c.note, COALESCE(l.subject, f.subject, '') FROM change c"
            + " LEFT JOIN job l ON l.id = c.job LEFT JOIN finished_job f ON f.id = c.job";

    static final String AFTER = READ + " WHERE c.sequence > ? ORDER BY c.sequence LIMIT ?";
    static final String OF_JOB = READ + " WHERE c.job = ? ORDER BY c.sequence";

    /** The last number of a part of the stream. */
    static final String PART = "SELECT max(sequence) FROM"
            + " (SELECT sequence FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?) AS part";

    static final String OF_OWNER = READ
            + " WHERE c.sequence > ? AND c.sequence <= ? AND COALESCE(l.subject, f.subject) = ? ORDER BY c.sequence LIMIT ?";

    private ChangeRows() {}

    static void bind(PreparedStatement statement, Change change) throws SQLException {
        statement.setLong(1, change.sequence());
        setId(statement, 2, change.job());
        statement.setLong(3, change.version());
        setTime(statement, 4, change.at());
        setName(statement, 5, change.event());
        setName(statement, 6, change.from());
        setName(statement, 7, change.to());
        statement.setBoolean(8, change.holding());
        statement.setString(9, change.note());
    }

    static Change read(ResultSet row) throws SQLException {
        return new Change(
                row.getLong(1),
                Values.jobId(row.getBytes(2)),
                row.getString(10),
                row.getLong(3),
                Values.instant(row.getLong(4)),
                event(row.getString(5)),
                Values.state(row.getString(6)),
                JobState.valueOf(row.getString(7)),
                row.getBoolean(8),
                row.getString(9));
    }

    private static @Nullable JobEvent event(@Nullable String name) {
        return name == null ? null : JobEvent.valueOf(name);
    }
}
