// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.ElementKey;
import org.jobgate.job.ElementState;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/** The groups of jobs in one transaction: their counts follow what the transaction does to the jobs of their elements. */
final class GroupBatch {

    /** No job of a group that is over moves files any more. */
    private static final String FORGET_PASSWORDS = "DELETE FROM door_record WHERE kind = ? AND job = ?";

    private final Statements statements;
    private final Map<JobId, Tracked> groups = new LinkedHashMap<>();
    private final List<Ended> ended = new ArrayList<>();

    GroupBatch(Statements statements) {
        this.statements = statements;
    }

    /** A group and what its row holds; both absent where there is none. */
    private static final class Tracked {
        private @Nullable JobGroup written;
        private @Nullable JobGroup now;

        private Tracked(@Nullable JobGroup written) {
            this.written = written;
            this.now = written;
        }
    }

    private record Ended(ElementKey key, ElementState state) {}

    /** The group as it is in this transaction. */
    Optional<JobGroup> find(JobId id) throws SQLException {
        Tracked tracked = groups.get(id);
        if (tracked == null) {
            tracked = new Tracked(read(id));
            groups.put(id, tracked);
        }
        return Optional.ofNullable(tracked.now);
    }

    private @Nullable JobGroup read(JobId id) throws SQLException {
        PreparedStatement statement = statements.get(GroupRows.BY_ID);
        Values.setId(statement, 1, id);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? GroupRows.read(row) : null;
        }
    }

    /** Takes note of a group whose row was written just now. */
    void inserted(JobGroup group) {
        groups.put(group.id(), new Tracked(group));
    }

    /** Changes a group that {@link #find} has answered. */
    void put(JobGroup group) {
        Tracked tracked = groups.get(group.id());
        if (tracked == null) {
            throw new IllegalStateException("the group " + group.id() + " was not looked for");
        }
        tracked.now = group;
    }

    /** Takes note that the rows of these are gone. */
    void forget(List<JobId> ids) {
        ids.forEach(id -> groups.put(id, new Tracked(null)));
    }

    /** A job came to stand in its row as it is now. */
    void count(@Nullable Job before, Job now) throws SQLException {
        Optional<ElementKey> key = ElementKey.of(now);
        if (key.isEmpty()) {
            return;
        }
        ElementState from = before == null ? null : ElementState.of(before);
        ElementState to = ElementState.of(now);
        Optional<JobGroup> group = find(key.get().group())
                .filter(found -> found.key().subject().equals(now.key().subject()));
        if (from == to || group.isEmpty()) {
            return;
        }
        var counts = group.get().counts();
        put(group.get().withCounts((from == null ? counts : counts.plus(from, -1)).plus(to, 1)));
        if (to.isOver()) {
            ended.add(new Ended(key.get(), to));
        }
    }

    /** Writes what has gathered, inside the transaction. */
    void flush(Instant now) throws SQLException {
        statements.forEach(GroupRows.END_ELEMENT, ended, (statement, element) -> {
            statement.setString(1, element.state().name());
            Values.setId(statement, 2, element.key().group());
            statement.setInt(3, element.key().place());
            statement.setInt(4, element.key().attempt());
        });
        ended.clear();
        List<JobGroup> changed = new ArrayList<>();
        List<JobId> over = new ArrayList<>();
        for (Tracked tracked : groups.values()) {
            if (tracked.now != null && !tracked.now.equals(tracked.written)) {
                tracked.now = tracked.now.stored(now);
                tracked.written = tracked.now;
                changed.add(tracked.now);
                if (tracked.now.isOver()) {
                    over.add(tracked.now.id());
                }
            }
        }
        statements.forEach(GroupRows.UPDATE, changed, GroupRows::bindUpdate);
        statements.forEach(FORGET_PASSWORDS, over, (statement, id) -> {
            statement.setString(1, FilePassword.KIND);
            Values.setId(statement, 2, id);
        });
    }
}
