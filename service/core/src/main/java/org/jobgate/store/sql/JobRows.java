// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.jobgate.store.sql.Values.setId;
import static org.jobgate.store.sql.Values.setName;
import static org.jobgate.store.sql.Values.setSeconds;
import static org.jobgate.store.sql.Values.setTime;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.job.Job;
import org.jobgate.job.PendingReason;
import org.jspecify.annotations.Nullable;

/** A job as a row of {@code job} or {@code finished_job}. */
final class JobRows {

    /** In the order in which {@link JobRowReader} and {@link #bindInsert} count them. */
    static final String COLUMNS =
            "id, subject, client_key, account, lrm, created, version, state, input_ready, hold_at, holding,"
                    + " local_ids, submit_tried, changed, queued, started, ended, termination_time, ending, doubt_since, doubt_because,"
                    + " destroyed, keep_after_end, door, language, suspend_wish";

    // places in MARKS
    static final int QUEUED = 0;
    static final int STARTED = 1;
    static final int ENDED = 2;
    static final int TERMINATION_TIME = 3;
    static final int OUTCOME = 4;
    static final int PENDING_REASON = 5;
    static final int KEEP_AFTER_END = 6;
    static final int HOLD_AT = 7;
    static final int LOCAL_IDS = 8;
    static final int SUSPEND_WISH = 9;
    static final int INPUT_READY = 10;
    static final int HOLDING = 11;
    static final int SUBMIT_TRIED = 12;
    static final int DESTROYED = 13;

    /** A condition of each place: that a column holds something, or the truth that it holds. */
    private static final List<String> MARKS = List.of(
            "queued IS NOT NULL",
            "started IS NOT NULL",
            "ended IS NOT NULL",
            "termination_time IS NOT NULL",
            "ending IS NOT NULL",
            "doubt_since IS NOT NULL",
            "keep_after_end IS NOT NULL",
            "hold_at IS NOT NULL",
            "local_ids IS NOT NULL",
            "suspend_wish IS NOT NULL",
            "input_ready",
            "holding",
            "submit_tried",
            "destroyed");

    /** What is selected for {@link JobRowReader}: the columns, and a number whose bits are what the rows hold. */
    static final String SELECTED = COLUMNS + ", " + marks() + " AS marks";

    static final String LIVE = "job";
    static final String FINISHED = "finished_job";

    private final StoreJson json = new StoreJson();

    private static String marks() {
        return IntStream.range(0, MARKS.size())
                .mapToObj(place -> "CASE WHEN " + MARKS.get(place) + " THEN " + (1 << place) + " ELSE 0 END")
                .collect(Collectors.joining(" + "));
    }

    static boolean isMarked(long marks, int place) {
        return (marks >> place & 1) != 0;
    }

    static String tableOf(Job job) {
        return job.state().isTerminal() ? FINISHED : LIVE;
    }

    static String insert(String table) {
        return "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?" + ", ?".repeat(25) + ")";
    }

    /** Leaves the indexed columns alone: SQLite rewrites the index of every column that is named, changed or not. */
    static String update(String table) {
        return "UPDATE " + table
                + " SET version = ?, state = ?, input_ready = ?, hold_at = ?, holding = ?, local_ids = ?,"
                + " submit_tried = ?, changed = ?, queued = ?, started = ?, ending = ?, doubt_since = ?, doubt_because = ?,"
                + " destroyed = ? WHERE id = ?";
    }

    /** Changes the columns that have indexes of their own. */
    static String updateIndexed(String table) {
        return "UPDATE " + table + " SET ended = ?, termination_time = ?, suspend_wish = ? WHERE id = ?";
    }

    static boolean indexedDiffer(Job before, Job after) {
        return !Objects.equals(before.ended(), after.ended())
                || !Objects.equals(before.terminationTime(), after.terminationTime())
                || before.suspendWish() != after.suspendWish();
    }

    static String delete(String table) {
        return "DELETE FROM " + table + " WHERE id = ?";
    }

    /** The job as it will be read back: with this version, times and texts as far as the store keeps them. */
    static Job stored(Job job, long version) {
        PendingReason pendingReason = job.pendingReason();
        Duration keep = job.keepAfterEnd();
        return new Job(
                job.id(),
                job.key(),
                job.language(),
                job.owner(),
                job.lrm(),
                version,
                job.state(),
                job.inputReady(),
                job.holdAt(),
                job.holding(),
                job.localIds(),
                job.submitTried(),
                Values.stored(job.created()),
                Values.stored(job.changed()),
                Values.storedOrNull(job.queued()),
                Values.storedOrNull(job.started()),
                Values.storedOrNull(job.ended()),
                Values.storedOrNull(job.terminationTime()),
                job.outcome(),
                pendingReason == null ? null : stored(pendingReason),
                job.destroyed(),
                keep == null ? null : keep.truncatedTo(ChronoUnit.SECONDS),
                job.suspendWish());
    }

    private static PendingReason stored(PendingReason pendingReason) {
        String because = Values.readable(pendingReason.because());
        return new PendingReason(Values.stored(pendingReason.since()), because == null ? "" : because);
    }

    void bindInsert(PreparedStatement statement, Job job) throws SQLException {
        setId(statement, 1, job.id());
        statement.setString(2, job.key().subject());
        statement.setString(3, job.key().clientId());
        statement.setString(4, job.owner().account());
        statement.setString(5, job.lrm());
        setTime(statement, 6, job.created());
        statement.setLong(7, job.version());
        setName(statement, 8, job.state());
        statement.setBoolean(9, job.inputReady());
        setName(statement, 10, job.holdAt());
        statement.setBoolean(11, job.holding());
        statement.setString(12, json.writeTexts(job.localIds()));
        statement.setBoolean(13, job.submitTried());
        setTime(statement, 14, job.changed());
        setTime(statement, 15, job.queued());
        setTime(statement, 16, job.started());
        setTime(statement, 17, job.ended());
        setTime(statement, 18, job.terminationTime());
        statement.setString(19, json.writeOutcome(job.outcome()));
        bindPendingReason(statement, 20, job.pendingReason());
        statement.setBoolean(22, job.destroyed());
        setSeconds(statement, 23, job.keepAfterEnd());
        statement.setString(24, job.key().door());
        statement.setString(25, job.language());
        setName(statement, 26, job.suspendWish());
    }

    void bindUpdate(PreparedStatement statement, Job job) throws SQLException {
        statement.setLong(1, job.version());
        setName(statement, 2, job.state());
        statement.setBoolean(3, job.inputReady());
        setName(statement, 4, job.holdAt());
        statement.setBoolean(5, job.holding());
        statement.setString(6, json.writeTexts(job.localIds()));
        statement.setBoolean(7, job.submitTried());
        setTime(statement, 8, job.changed());
        setTime(statement, 9, job.queued());
        setTime(statement, 10, job.started());
        statement.setString(11, json.writeOutcome(job.outcome()));
        bindPendingReason(statement, 12, job.pendingReason());
        statement.setBoolean(14, job.destroyed());
        setId(statement, 15, job.id());
    }

    static void bindIndexed(PreparedStatement statement, Job job) throws SQLException {
        setTime(statement, 1, job.ended());
        setTime(statement, 2, job.terminationTime());
        setName(statement, 3, job.suspendWish());
        setId(statement, 4, job.id());
    }

    private static void bindPendingReason(PreparedStatement statement, int index, @Nullable PendingReason pendingReason)
            throws SQLException {
        setTime(statement, index, pendingReason == null ? null : pendingReason.since());
        statement.setString(index + 1, pendingReason == null ? null : pendingReason.because());
    }
}
