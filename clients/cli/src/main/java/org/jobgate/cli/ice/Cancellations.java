// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Wishes that jobs be cancelled, kept in the queue. */
final class Cancellations {

    private final QueueFile file;

    Cancellations(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
    }

    /**
     * Writes the wish down for each. A job that was sent to no computing element is over at once, others when they were cancelled there; those
     * that are over stay as they are.
     *
     * @return the ids that no job has
     */
    List<String> cancel(List<String> ids, long now) {
        return file.change(it -> {
            List<String> unknown = new ArrayList<>();
            for (String id : ids) {
                if (!cancel(it, id, now)) {
                    unknown.add(id);
                }
            }
            return unknown;
        });
    }

    private static boolean cancel(Connection it, String id, long now) throws SQLException {
        try (PreparedStatement query = it.prepareStatement("SELECT * FROM job WHERE id = ?")) {
            query.setString(1, id);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                IceState state = IceState.of(QueueFile.text(row, "state")).orElseThrow();
                if (state.isEnd() || row.getBoolean("cancelled")) {
                    return true;
                }
                boolean isOver = state == IceState.QUEUED;
                try (PreparedStatement update = it.prepareStatement("UPDATE job SET cancelled = 1"
                        + (isOver ? ", state = 'CANCELLED', ready = 0, ended = ?" : "") + " WHERE id = ?")) {
                    if (isOver) {
                        update.setLong(1, now);
                    }
                    update.setString(isOver ? 2 : 1, id);
                    update.executeUpdate();
                }
                Steps.write(it, id, JobQueue.attempt(row), now, isOver ? "CANCELLED" : "cancel wanted", null);
                return true;
            }
        }
    }
}
