// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jobgate.cli.text.Printable;

/** What is shown of the queue. */
final class Overview {

    private static final int PAGE = 1_000;

    private final QueueFile file;

    Overview(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
    }

    /** How many jobs are in each state. */
    List<String> counts() {
        return file.read(it -> {
            List<String> lines = new ArrayList<>();
            try (PreparedStatement query = it.prepareStatement(
                            "SELECT state, COUNT(*) AS jobs FROM job GROUP BY state ORDER BY state");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    lines.add(QueueFile.text(rows, "state") + "\t" + rows.getLong("jobs"));
                }
            }
            return lines;
        });
    }

    /**
     * A line for each of these jobs: id, state, attempt, exit code, address at the computing element, reason, with tabulators between.
     *
     * @return the ids that no job has
     */
    List<String> jobs(List<String> ids, Consumer<String> out) {
        List<String> unknown = new ArrayList<>();
        for (String id : ids) {
            List<String> lines = file.read(it -> {
                try (PreparedStatement query = it.prepareStatement("SELECT * FROM job WHERE id = ?")) {
                    query.setString(1, id);
                    return lines(query);
                }
            });
            lines.forEach(out);
            if (lines.isEmpty()) {
                unknown.add(id);
            }
        }
        return unknown;
    }

    /** The same for all jobs, in their order; of these states only where some are named. */
    void all(List<String> states, Consumer<String> out) {
        long[] last = {0};
        while (true) {
            long after = last[0];
            List<String> lines = file.read(it -> {
                try (PreparedStatement query =
                        it.prepareStatement("SELECT * FROM job WHERE seq > ? ORDER BY seq LIMIT " + PAGE)) {
                    query.setLong(1, after);
                    List<String> found = new ArrayList<>();
                    try (ResultSet rows = query.executeQuery()) {
                        while (rows.next()) {
                            last[0] = rows.getLong("seq");
                            if (states.isEmpty() || states.contains(QueueFile.text(rows, "state"))) {
                                found.add(line(rows));
                            }
                        }
                    }
                    return found;
                }
            });
            lines.forEach(out);
            if (last[0] == after) {
                return;
            }
        }
    }

    private static List<String> lines(PreparedStatement query) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                lines.add(line(rows));
            }
        }
        return lines;
    }

    private static String line(ResultSet row) throws SQLException {
        String remote = row.getString("remote");
        String code = row.getString("exit_code");
        return String.join(
                "\t",
                QueueFile.text(row, "id"),
                QueueFile.text(row, "state"),
                Integer.toString(JobQueue.attempt(row)),
                code == null ? "-" : code,
                remote == null ? "-" : "https://" + row.getString("endpoint") + "/" + remote,
                plain(row.getString("reason")));
    }

    /** The steps of these jobs, or of all: time, id, attempt, step, detail. */
    void steps(List<String> ids, Consumer<String> out) {
        long[] last = {0};
        while (true) {
            long after = last[0];
            boolean unused = file.read(it -> {
                try (PreparedStatement query = it.prepareStatement(
                        "SELECT rowid AS number, * FROM step WHERE rowid > ? ORDER BY rowid LIMIT " + PAGE)) {
                    query.setLong(1, after);
                    try (ResultSet rows = query.executeQuery()) {
                        while (rows.next()) {
                            last[0] = rows.getLong("number");
                            String id = QueueFile.text(rows, "job");
                            if (ids.isEmpty() || ids.contains(id)) {
                                out.accept(String.join(
                                        "\t",
                                        Instant.ofEpochMilli(rows.getLong("at")).toString(),
                                        id,
                                        Integer.toString(rows.getInt("attempt")),
                                        QueueFile.text(rows, "step"),
                                        plain(rows.getString("detail"))));
                            }
                        }
                    }
                }
                return true;
            });
            if (last[0] == after) {
                return;
            }
        }
    }

    private static String plain(@org.jspecify.annotations.Nullable String text) {
        return text == null ? "-" : Printable.of(text);
    }

    /** Forgets jobs that ended before this time, and their steps. */
    void forget(long before) {
        int gone;
        do {
            gone = file.change(it -> {
                try (PreparedStatement steps = it.prepareStatement(
                                "DELETE FROM step WHERE job IN (SELECT id FROM job WHERE ended < ? ORDER BY seq LIMIT "
                                        + PAGE + ")");
                        PreparedStatement jobs = it.prepareStatement(
                                "DELETE FROM job WHERE seq IN (SELECT seq FROM job WHERE ended < ? ORDER BY seq LIMIT "
                                        + PAGE + ")")) {
                    steps.setLong(1, before);
                    steps.executeUpdate();
                    jobs.setLong(1, before);
                    return jobs.executeUpdate();
                }
            });
        } while (gone > 0);
    }
}
