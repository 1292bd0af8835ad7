// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** A {@link JobQuery} as one statement: its text is made of constants, every value is a parameter. */
final class JobQuerySql {

    private final JobQuery query;
    private final List<String> conditions = new ArrayList<>();
    private final List<Binder> binders = new ArrayList<>();

    /** Sets the parameter at an index. */
    @FunctionalInterface
    private interface Binder {
        void bind(PreparedStatement statement, int index) throws SQLException;
    }

    JobQuerySql(JobQuery query) {
        this.query = query;
        textIs("subject = ?", query.subject());
        textIs("lrm = ?", query.lrm());
        textIs("account = ?", query.account());
        textIs("door = ?", query.door());
        stateIsOneOf();
        holdingIs(query.holding());
        heldIs(query.held());
        outcomeIs(query.outcomeSettled());
        time("termination_time <= ?", query.terminationBefore());
        time("created >= ?", query.createdFrom());
        time("created < ?", query.createdBefore());
        time("ended >= ?", query.endedFrom());
        time("ended < ?", query.endedBefore());
        notGone(query.exceptGone());
        wished(query.openWish());
        id(query.newestFirst() ? "id < ?" : "id > ?", query.after());
        id(query.newestFirst() ? "id >= ?" : "id <= ?", query.until());
    }

    private void textIs(String condition, @Nullable String value) {
        if (value != null) {
            conditions.add(condition);
            binders.add((statement, index) -> statement.setString(index, value));
        }
    }

    private void stateIsOneOf() {
        if (query.states().isEmpty()) {
            return;
        }
        conditions.add("state IN (?" + ", ?".repeat(query.states().size() - 1) + ")");
        for (JobState state : query.states()) {
            binders.add((statement, index) -> statement.setString(index, state.name()));
        }
    }

    private void holdingIs(@Nullable Boolean value) {
        if (value != null) {
            conditions.add("holding = ?");
            binders.add((statement, index) -> statement.setBoolean(index, value));
        }
    }

    /** As {@link org.jobgate.job.Job#isHeld}. */
    private void heldIs(@Nullable Boolean value) {
        if (value != null) {
            conditions.add(value ? "(holding = ? AND state <> ?)" : "(holding = ? OR state = ?)");
            binders.add((statement, index) -> statement.setBoolean(index, value));
            binders.add((statement, index) -> statement.setString(index, JobState.UNSUBMITTED.name()));
        }
    }

    private void outcomeIs(@Nullable Boolean settled) {
        if (settled != null) {
            conditions.add(settled ? "ending IS NOT NULL" : "ending IS NULL");
        }
    }

    private void time(String condition, @Nullable Instant time) {
        if (time != null) {
            conditions.add(condition);
            binders.add((statement, index) -> statement.setLong(index, Values.micros(time)));
        }
    }

    private void notGone(boolean exceptGone) {
        if (exceptGone) {
            conditions.add("(destroyed = ? OR ended IS NULL)");
            binders.add((statement, index) -> statement.setBoolean(index, false));
        }
    }

    private void wished(boolean value) {
        if (value) {
            conditions.add("suspend_wish IS NOT NULL");
        }
    }

    private void id(String condition, @Nullable JobId id) {
        if (id != null) {
            conditions.add(condition);
            binders.add((statement, index) -> Values.setId(statement, index, id));
        }
    }

    /** One statement for both tables, so that a job which moves meanwhile is seen exactly once. */
    String text() {
        return text(JobRows.SELECTED);
    }

    /** The same for the ids alone. */
    String idsText() {
        return text("id");
    }

    private String text(String columns) {
        if (!query.finished()) {
            return select(columns, JobRows.LIVE);
        }
        return "SELECT * FROM (" + select(columns, JobRows.LIVE) + ") AS live UNION ALL SELECT * FROM ("
                + select(columns, JobRows.FINISHED) + ") AS finished" + order();
    }

    /** Ids grow with the time of creation. */
    private String order() {
        return query.newestFirst() ? " ORDER BY id DESC LIMIT ?" : " ORDER BY id LIMIT ?";
    }

    private String select(String columns, String table) {
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        return "SELECT " + columns + " FROM " + table + where + order();
    }

    void bind(PreparedStatement statement) throws SQLException {
        int next = bindConditions(statement, 1);
        if (query.finished()) {
            next = bindConditions(statement, next);
            statement.setInt(next, query.limit());
        }
    }

    private int bindConditions(PreparedStatement statement, int first) throws SQLException {
        int index = first;
        for (Binder binder : binders) {
            binder.bind(statement, index++);
        }
        statement.setInt(index++, query.limit());
        return index;
    }
}
