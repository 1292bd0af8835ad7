// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SubmissionKey;
import org.jobgate.job.SuspendWish;
import org.jspecify.annotations.Nullable;
import org.sqlite.jdbc4.JDBC4ResultSet;

/**
 * Reads the jobs of one result, whose columns are {@link JobRows#SELECTED}. A list has ten thousand rows, and with SQLite each look at a column is a call
 * into the library: so one column says which others hold something, and what does not is not looked at. Texts are taken as their bytes, and most of them
 * are those of the row before: those are not made anew. Not for several threads.
 */
final class JobRowReader {

    private static final int COLUMNS = 27;

    private final StoreJson json = new StoreJson();
    private final ResultSet row;
    private final boolean isSqlite;
    private final byte[] @Nullable [] bytes = new byte[COLUMNS + 1][];
    private final @Nullable String[] texts = new String[COLUMNS + 1];
    private @Nullable Owner owner;
    private @Nullable String localIdsText;
    private List<String> localIds = List.of();
    private @Nullable String outcomeText;
    private @Nullable JobOutcome outcome;

    JobRowReader(ResultSet row) throws SQLException {
        this.row = row;
        this.isSqlite = row.isWrapperFor(JDBC4ResultSet.class);
    }

    /** The job of the row at which the result stands. */
    Job read() throws SQLException {
        long marks = row.getLong(COLUMNS);
        String subject = text(2);
        return new Job(
                Values.jobId(row.getBytes(1)),
                new SubmissionKey(subject, text(24), text(3)),
                text(25),
                owner(subject, text(4)),
                text(5),
                row.getLong(7),
                JobState.valueOf(text(8)),
                JobRows.isMarked(marks, JobRows.INPUT_READY),
                JobRows.isMarked(marks, JobRows.HOLD_AT) ? JobState.valueOf(text(10)) : null,
                JobRows.isMarked(marks, JobRows.HOLDING),
                JobRows.isMarked(marks, JobRows.LOCAL_IDS) ? localIds(text(12)) : List.of(),
                JobRows.isMarked(marks, JobRows.SUBMIT_TRIED),
                Values.instant(row.getLong(6)),
                Values.instant(row.getLong(14)),
                time(marks, JobRows.QUEUED, 15),
                time(marks, JobRows.STARTED, 16),
                time(marks, JobRows.ENDED, 17),
                time(marks, JobRows.TERMINATION_TIME, 18),
                JobRows.isMarked(marks, JobRows.OUTCOME) ? outcome(text(19)) : null,
                JobRows.isMarked(marks, JobRows.PENDING_REASON) ? pendingReason() : null,
                JobRows.isMarked(marks, JobRows.DESTROYED),
                JobRows.isMarked(marks, JobRows.KEEP_AFTER_END) ? Duration.ofSeconds(row.getLong(23)) : null,
                JobRows.isMarked(marks, JobRows.SUSPEND_WISH) ? SuspendWish.valueOf(text(26)) : null);
    }

    private PendingReason pendingReason() throws SQLException {
        return new PendingReason(Values.instant(row.getLong(20)), text(21));
    }

    private @Nullable Instant time(long marks, int mark, int column) throws SQLException {
        return JobRows.isMarked(marks, mark) ? Values.instant(row.getLong(column)) : null;
    }

    /** The text of a column that holds one. */
    private String text(int column) throws SQLException {
        if (!isSqlite) {
            return requireNonNull(row.getString(column), "a column holds nothing");
        }
        byte[] read = requireNonNull(row.getBytes(column), "a column holds nothing");
        String before = texts[column];
        if (before != null && Arrays.equals(read, bytes[column])) {
            return before;
        }
        String text = new String(read, StandardCharsets.UTF_8);
        bytes[column] = read;
        texts[column] = text;
        return text;
    }

    private Owner owner(String subject, String account) {
        Owner before = owner;
        if (before != null
                && before.subject().equals(subject)
                && before.account().equals(account)) {
            return before;
        }
        Owner made = new Owner(subject, account);
        owner = made;
        return made;
    }

    private List<String> localIds(String text) {
        if (!text.equals(localIdsText)) {
            localIds = json.readTexts(text);
            localIdsText = text;
        }
        return localIds;
    }

    private @Nullable JobOutcome outcome(String text) {
        if (!text.equals(outcomeText)) {
            outcome = json.readOutcome(text);
            outcomeText = text;
        }
        return outcome;
    }
}
