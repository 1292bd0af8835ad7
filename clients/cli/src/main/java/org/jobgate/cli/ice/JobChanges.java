// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of jobs that were taken from the queue. */
final class JobChanges {

    private final QueueFile file;

    JobChanges(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
    }

    /**
     * A job that the computing element has.
     *
     * @param isStarted whether it starts without a further request
     * @param asked when it was asked, in milliseconds
     */
    record Registered(
            QueuedJob job, String remote, @Nullable String sandbox, boolean isStarted, long asked) {}

    /**
     * How a job stands at its computing element.
     *
     * @param at when it came to this state, in milliseconds
     * @param exitCode null where none is told
     * @param reason null where none is told
     * @param isLost whether the computing element does not know it: it may still run, so it is not submitted once more
     */
    record Told(
            String remote,
            IceState state,
            long at,
            @Nullable Integer exitCode,
            @Nullable String reason,
            boolean isLost) {}

    void registered(List<Registered> jobs, long now) {
        file.update(it -> {
            try (PreparedStatement update = it.prepareStatement(
                    "UPDATE job SET remote = ?, sandbox = ?, state = ?, reason = NULL WHERE id = ? AND state = 'SENDING'")) {
                for (Registered each : jobs) {
                    update.setString(1, each.remote());
                    update.setString(2, each.sandbox());
                    update.setString(3, (each.isStarted() ? IceState.PENDING : IceState.REGISTERED).word());
                    update.setString(4, each.job().id());
                    if (update.executeUpdate() == 1) {
                        QueuedJob job = each.job();
                        Steps.write(it, job.id(), job.attempt(), each.asked(), "transfer start", job.endpoint());
                        Steps.write(it, job.id(), job.attempt(), now, "transfer ok", each.remote());
                    }
                }
            }
        });
    }

    /** After JobStart. */
    void started(Collection<QueuedJob> jobs, long now) {
        file.update(it -> {
            try (PreparedStatement update = it.prepareStatement(
                    "UPDATE job SET state = 'PENDING', heard = 0, reason = NULL WHERE id = ? AND state = 'REGISTERED'")) {
                for (QueuedJob job : jobs) {
                    update.setString(1, job.id());
                    update.executeUpdate();
                    Steps.write(it, job.id(), job.attempt(), now, "started", null);
                }
            }
        });
    }

    /**
     * Gives jobs back to the queue.
     *
     * @param next not before this time, in milliseconds
     * @param wasNotSent whether the request surely did not arrive: a job that no request before was sent for may then go elsewhere
     */
    void later(Collection<QueuedJob> jobs, long next, String reason, boolean wasNotSent) {
        file.update(it -> {
            for (QueuedJob job : jobs) {
                boolean isFree = wasNotSent && !job.wasSent() && job.remote() == null;
                try (PreparedStatement update = it.prepareStatement("UPDATE job SET ready = 1, next = ?, reason = ?"
                        + (isFree ? ", state = 'QUEUED', sent = 0, place = NULL, endpoint = NULL, reg_key = NULL" : "")
                        + " WHERE id = ? AND state IN ('SENDING', 'REGISTERED')")) {
                    update.setLong(1, next);
                    update.setString(2, Steps.shortened(reason));
                    update.setString(3, job.id());
                    update.executeUpdate();
                }
                if (isFree) {
                    cancelled(it, job.id(), next);
                }
            }
        });
    }

    /** Ends a job that went back to the queue although its owner wants it no more. */
    private static void cancelled(Connection it, String id, long now) throws SQLException {
        try (PreparedStatement update = it.prepareStatement(
                "UPDATE job SET state = 'CANCELLED', ready = 0, ended = ? WHERE id = ? AND state = 'QUEUED' AND cancelled = 1")) {
            update.setLong(1, now);
            update.setString(2, id);
            update.executeUpdate();
        }
    }

    /** The computing element does not take it. One of which an answer was lost before may be there all the same: it is not submitted once more. */
    void refused(QueuedJob job, String reason, long now) {
        file.update(it -> {
            try (PreparedStatement query =
                    it.prepareStatement("SELECT * FROM job WHERE id = ? AND state = 'SENDING'")) {
                query.setString(1, job.id());
                try (ResultSet row = query.executeQuery()) {
                    if (row.next()) {
                        end(it, row, new Told("", IceState.ABORTED, now, null, reason, job.wasSent()), now);
                    }
                }
            }
        });
    }

    /** Takes down how jobs stand at a computing element, the oldest first; and, where events told it, up to which event that was read. */
    void told(String endpoint, List<Told> states, Grants.@Nullable Cursor cursor, long now) {
        file.update(it -> {
            try (PreparedStatement query = it.prepareStatement("SELECT * FROM job WHERE endpoint = ? AND remote = ?")) {
                for (Told told : states) {
                    query.setString(1, endpoint);
                    query.setString(2, told.remote());
                    try (ResultSet row = query.executeQuery()) {
                        if (row.next()) {
                            told(it, row, told, now);
                        }
                    }
                }
            }
            if (cursor != null) {
                cursor.write(it);
            }
        });
    }

    private static void told(Connection it, ResultSet row, Told told, long now) throws SQLException {
        IceState was = IceState.of(QueueFile.text(row, "state")).orElseThrow();
        if (was.isEnd()) {
            return;
        }
        if (told.state().isEnd()) {
            end(it, row, told, now);
            return;
        }
        boolean isOlder = told.state() == IceState.REGISTERED || was == told.state();
        boolean runs = told.state() == IceState.RUNNING || told.state() == IceState.REALLY_RUNNING;
        try (PreparedStatement update = it.prepareStatement("UPDATE job SET heard = ?"
                + (isOlder ? "" : ", state = ?, ready = 0, reason = NULL" + (runs ? ", ran = 1" : ""))
                + " WHERE id = ?")) {
            update.setLong(1, now);
            if (!isOlder) {
                update.setString(2, told.state().word());
            }
            update.setString(isOlder ? 2 : 3, QueueFile.text(row, "id"));
            update.executeUpdate();
        }
        if (!isOlder) {
            Steps.write(
                    it,
                    QueueFile.text(row, "id"),
                    JobQueue.attempt(row),
                    told.at(),
                    told.state().word(),
                    null);
        }
    }

    /** The end of an attempt: that of the job, unless it may be tried once more. */
    private static void end(Connection it, ResultSet row, Told told, long now) throws SQLException {
        String id = QueueFile.text(row, "id");
        int attempt = JobQueue.attempt(row);
        Steps.write(it, id, attempt, told.at(), told.state().word(), told.reason());
        boolean isFailure = told.state() == IceState.ABORTED || told.state() == IceState.DONE_FAILED;
        boolean isUnwanted = row.getBoolean("cancelled");
        boolean ran = row.getBoolean("ran");
        String count = ran ? "retried" : "shallow_retried";
        if (isFailure && !isUnwanted && !told.isLost() && row.getInt(count) < row.getInt(ran ? "retries" : "shallow")) {
            try (PreparedStatement update = it.prepareStatement(
                    "UPDATE job SET state = 'QUEUED', ready = 1, next = ?, sent = 0, place = NULL, endpoint = NULL, reg_key = NULL,"
                            + " remote = NULL, sandbox = NULL, ran = 0, heard = 0, cancel_asked = 0, reason = ?, "
                            + count + " = " + count + " + 1 WHERE id = ?")) {
                update.setLong(1, now);
                update.setString(2, Steps.shortened(told.reason()));
                update.setString(3, id);
                update.executeUpdate();
            }
            Steps.write(it, id, attempt + 1, now, "queued", ran ? "retry" : "shallow retry");
            return;
        }
        IceState end = isFailure && isUnwanted ? IceState.CANCELLED : told.state();
        try (PreparedStatement update = it.prepareStatement(
                "UPDATE job SET state = ?, ready = 0, ended = ?, heard = ?, exit_code = ?, reason = ? WHERE id = ?")) {
            update.setString(1, end.word());
            update.setLong(2, told.at());
            update.setLong(3, now);
            update.setObject(4, told.exitCode());
            update.setString(5, Steps.shortened(told.reason()));
            update.setString(6, id);
            update.executeUpdate();
        }
    }
}
