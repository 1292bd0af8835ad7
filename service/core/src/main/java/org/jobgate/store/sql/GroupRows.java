// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jobgate.job.ElementCounts;
import org.jobgate.job.ElementState;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.JobGroup;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;

/** A group of jobs as a row of {@code job_group}, and the statements about its elements. */
final class GroupRows {

    private static final String COLUMNS = "id, subject, door, client_key, language, account, lrm, version, first_index,"
            + " index_step, elements, max_running, next_place, counts, created, changed, ended, destroyed, keep_after_end";

    static final String INSERT = "INSERT INTO job_group (" + COLUMNS + ", digest) VALUES (?" + ", ?".repeat(19) + ")";
    static final String UPDATE = "UPDATE job_group SET version = ?, max_running = ?, next_place = ?, counts = ?,"
            + " changed = ?, ended = ?, destroyed = ? WHERE id = ?";
    static final String BY_ID = "SELECT " + COLUMNS + " FROM job_group WHERE id = ?";
    static final String BY_KEY =
            "SELECT " + COLUMNS + ", digest FROM job_group WHERE subject = ? AND door = ? AND client_key = ?";
    static final String NEWEST = "SELECT " + COLUMNS
            + " FROM job_group WHERE subject = ? AND id < ? AND (destroyed = ? OR ended IS NULL) ORDER BY id DESC LIMIT ?";
    static final String ALL_LIVE =
            "SELECT " + COLUMNS + " FROM job_group WHERE ended IS NULL AND id > ? ORDER BY id LIMIT ?";
    static final String COUNT_LIVE = "SELECT count(*) FROM job_group WHERE subject = ? AND ended IS NULL";

    static final String INSERT_TEMPLATE =
            "INSERT INTO job_group_template (job_group, description, item_values) VALUES (?, ?, ?)";
    static final String TEMPLATE = "SELECT description, item_values FROM job_group_template WHERE job_group = ?";

    static final String WAITING = "WAITING";
    static final String LIVE = "LIVE";

    static final String INSERT_ELEMENT =
            "INSERT INTO group_element (job_group, place, attempt, state) VALUES (?, ?, 1, '" + WAITING + "')";
    static final String ELEMENTS = "SELECT place, attempt, state, job, fault FROM group_element"
            + " WHERE job_group = ? AND place >= ? ORDER BY place LIMIT ?";
    static final String NEXT_WAITING = "SELECT place, attempt FROM group_element"
            + " WHERE job_group = ? AND place >= ? AND state = '" + WAITING + "' ORDER BY place LIMIT ?";
    static final String STILL_WAITING = "SELECT place, attempt FROM group_element"
            + " WHERE job_group = ? AND place BETWEEN ? AND ? AND state = '" + WAITING + "'";
    static final String JOBS = "SELECT place, job FROM group_element"
            + " WHERE job_group = ? AND place BETWEEN ? AND ? AND job IS NOT NULL ORDER BY place LIMIT ?";
    static final String LIVE_JOBS = "SELECT place, job FROM group_element"
            + " WHERE job_group = ? AND place BETWEEN ? AND ? AND state = '" + LIVE + "' ORDER BY place LIMIT ?";
    static final String SET_ELEMENT = "UPDATE group_element SET state = ?, job = ?, fault = ?"
            + " WHERE job_group = ? AND place = ? AND attempt = ?";
    static final String END_ELEMENT =
            "UPDATE group_element SET state = ? WHERE job_group = ? AND place = ? AND attempt = ?";
    /** To another state from the same attempt: parameters are the new state, the group, two places, the state before. */
    static final String MOVE =
            "UPDATE group_element SET state = ? WHERE job_group = ? AND place BETWEEN ? AND ? AND state = ?";
    /** The same for a further attempt. */
    static final String RETRY = "UPDATE group_element SET state = ?, attempt = attempt + 1, job = NULL, fault = NULL"
            + " WHERE job_group = ? AND place BETWEEN ? AND ? AND state = ?";

    private GroupRows() {}

    static JobGroup read(ResultSet row) throws SQLException {
        SubmissionKey key = new SubmissionKey(row.getString(2), row.getString(3), row.getString(4));
        return new JobGroup(
                Values.jobId(row.getBytes(1)),
                key,
                row.getString(5),
                new Owner(key.subject(), row.getString(6)),
                row.getString(7),
                row.getLong(8),
                new GroupIndexes(row.getInt(9), row.getInt(10), row.getInt(11)),
                row.getInt(12),
                row.getInt(13),
                counts(row.getString(14)),
                Values.instant(row.getLong(15)),
                Values.instant(row.getLong(16)),
                Values.time(row, 17),
                row.getBoolean(18),
                Values.seconds(row, 19));
    }

    static void bindInsert(PreparedStatement statement, JobGroup group, byte[] digest) throws SQLException {
        Values.setId(statement, 1, group.id());
        statement.setString(2, group.key().subject());
        statement.setString(3, group.key().door());
        statement.setString(4, group.key().clientId());
        statement.setString(5, group.language());
        statement.setString(6, group.owner().account());
        statement.setString(7, group.lrm());
        statement.setLong(8, group.version());
        statement.setLong(9, group.indexes().first());
        statement.setLong(10, group.indexes().step());
        statement.setLong(11, group.indexes().size());
        statement.setLong(12, group.maxRunning());
        statement.setLong(13, group.nextPlace());
        statement.setString(14, text(group.counts()));
        Values.setTime(statement, 15, group.created());
        Values.setTime(statement, 16, group.changed());
        Values.setTime(statement, 17, group.ended());
        statement.setBoolean(18, group.destroyed());
        Values.setSeconds(statement, 19, group.keepAfterEnd());
        statement.setBytes(20, digest);
    }

    static void bindUpdate(PreparedStatement statement, JobGroup group) throws SQLException {
        statement.setLong(1, group.version());
        statement.setLong(2, group.maxRunning());
        statement.setLong(3, group.nextPlace());
        statement.setString(4, text(group.counts()));
        Values.setTime(statement, 5, group.changed());
        Values.setTime(statement, 6, group.ended());
        statement.setBoolean(7, group.destroyed());
        Values.setId(statement, 8, group.id());
    }

    /** E.g. {@code WAITING=900 ACTIVE=100}. */
    private static String text(ElementCounts counts) {
        return new EnumMap<>(counts.byState())
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }

    private static ElementCounts counts(String text) {
        Map<ElementState, Long> counts = new EnumMap<>(ElementState.class);
        for (String word : text.split(" ", -1)) {
            int middle = word.indexOf('=');
            counts.put(ElementState.valueOf(word.substring(0, middle)), Long.valueOf(word.substring(middle + 1)));
        }
        return new ElementCounts(counts);
    }
}
