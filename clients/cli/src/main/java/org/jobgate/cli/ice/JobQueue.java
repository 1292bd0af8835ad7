// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The way of jobs into the queue and from there to the threads that submit them. Owners take turns. */
final class JobQueue {

    /** Jobs that are not over, of all owners: more are refused. */
    static final int UNFINISHED_MAX = 500_000;

    private static final int LOOKED_AT = 1_000;

    private final QueueFile file;
    private String lastOwner = "";

    JobQueue(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
    }

    /** When a computing element may be asked again: a time in milliseconds; one that is past where it may be asked now. */
    @FunctionalInterface
    interface Openings {
        long opens(String owner, String endpoint);

        /** Jobs are taken for it. */
        default void taken(String endpoint) {}
    }

    /**
     * Puts jobs into the queue, all or none. One whose id is there already is the same job and is not put again.
     *
     * @return empty, or why they were refused
     */
    Optional<String> add(List<JobRequest> requests, long now) {
        return file.change(it -> {
            int unfinished = QueueFile.number(
                    it,
                    "SELECT COUNT(*) FROM job WHERE state NOT IN ('DONE-OK', 'DONE-FAILED', 'ABORTED', 'CANCELLED')");
            if (unfinished + requests.size() > UNFINISHED_MAX) {
                return Optional.of("The queue holds " + unfinished + " jobs that are not over; with " + requests.size()
                        + " more it would hold more than " + UNFINISHED_MAX + ".");
            }
            try (PreparedStatement insert = it.prepareStatement(
                    "INSERT INTO job (id, owner, proxy, my_proxy, places, jdl, retries, shallow) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                            + " ON CONFLICT (id) DO NOTHING")) {
                for (JobRequest request : requests) {
                    insert.setString(1, request.id());
                    insert.setString(2, request.owner());
                    insert.setString(3, request.proxy());
                    insert.setString(4, request.myProxy());
                    insert.setString(5, String.join("\n", request.places()));
                    insert.setString(6, request.jdl());
                    insert.setInt(7, request.retries());
                    insert.setInt(8, request.shallowRetries());
                    if (insert.executeUpdate() == 1) {
                        Steps.write(it, request.id(), 1, now, "queued", null);
                    }
                }
            }
            return Optional.empty();
        });
    }

    /** Frees what a manager that was killed had taken. For a manager that has the lock, before it begins. */
    void free() {
        file.change(it -> {
            try (PreparedStatement update = it.prepareStatement(
                    "UPDATE job SET ready = 1, next = 0 WHERE state IN ('QUEUED', 'SENDING', 'REGISTERED')")) {
                return update.executeUpdate();
            }
        });
    }

    /**
     * Takes jobs of one owner that can go to one computing element now. From here on it counts as possible that a registration was sent.
     *
     * @param most how many at most
     */
    List<QueuedJob> take(int most, long now, Openings openings) {
        if (!isAnyReady(now)) {
            return List.of();
        }
        return file.change(it -> {
            String first = null;
            for (String owner = next(it, lastOwner); owner != null && !owner.equals(first); owner = next(it, owner)) {
                first = first == null ? owner : first;
                List<QueuedJob> taken = take(it, owner, most, now, openings);
                if (!taken.isEmpty()) {
                    lastOwner = owner;
                    return taken;
                }
            }
            return List.of();
        });
    }

    private boolean isAnyReady(long now) {
        return file.read(it -> {
            try (PreparedStatement query =
                    it.prepareStatement("SELECT EXISTS (SELECT 1 FROM job WHERE ready = 1 AND next <= ?)")) {
                query.setLong(1, now);
                try (ResultSet rows = query.executeQuery()) {
                    return rows.next() && rows.getBoolean(1);
                }
            }
        });
    }

    /** The owner after this one, in a circle; null where nobody waits. */
    private static @Nullable String next(Connection it, String owner) throws SQLException {
        try (PreparedStatement query =
                it.prepareStatement("SELECT MIN(owner) FROM job WHERE ready = 1 AND owner > ?")) {
            for (String after : List.of(owner, "")) {
                query.setString(1, after);
                try (ResultSet rows = query.executeQuery()) {
                    if (rows.next() && rows.getString(1) != null) {
                        return rows.getString(1);
                    }
                }
            }
            return null;
        }
    }

    private static List<QueuedJob> take(Connection it, String owner, int most, long now, Openings openings)
            throws SQLException {
        List<QueuedJob> taken = new ArrayList<>();
        boolean areMore = true;
        while (taken.isEmpty() && areMore) {
            Map<Closed, Long> closed = new HashMap<>();
            areMore = look(it, owner, most, now, openings, taken, closed);
            // however many jobs wait for what is closed, those behind them are looked at
            for (Map.Entry<Closed, Long> each : closed.entrySet()) {
                wait(it, owner, each.getKey(), now, each.getValue());
            }
        }
        if (!taken.isEmpty()) {
            openings.taken(taken.getFirst().endpoint());
        }
        for (QueuedJob job : taken) {
            mark(it, job, now);
        }
        return taken;
    }

    /** Where jobs may go that cannot go there now: all that may go to the same places wait for the same. */
    private record Closed(String places, @Nullable String sentTo) {}

    /** Looks at the first jobs of an owner; answers whether there may be more, and at least one of these is to wait. */
    private static boolean look(
            Connection it,
            String owner,
            int most,
            long now,
            Openings openings,
            List<QueuedJob> taken,
            Map<Closed, Long> closed)
            throws SQLException {
        int looked = 0;
        try (PreparedStatement query = it.prepareStatement(
                "SELECT * FROM job WHERE ready = 1 AND owner = ? AND next <= ? ORDER BY seq LIMIT " + LOOKED_AT)) {
            query.setString(1, owner);
            query.setLong(2, now);
            try (ResultSet rows = query.executeQuery()) {
                while (taken.size() < most && rows.next()) {
                    looked++;
                    Closed where = new Closed(QueueFile.text(rows, "places"), rows.getString("place"));
                    if (closed.containsKey(where)) {
                        continue;
                    }
                    Choice choice = choice(rows, openings);
                    if (choice.opens() > now) {
                        closed.put(where, choice.opens());
                        continue;
                    }
                    QueuedJob job = job(rows, choice.place());
                    QueuedJob leader = taken.isEmpty() ? job : taken.getFirst();
                    boolean isAlike = job.endpoint().equals(leader.endpoint())
                            && (job.remote() == null) == (leader.remote() == null);
                    if (isAlike) {
                        taken.add(job);
                    }
                }
            }
        }
        return looked == LOOKED_AT && !closed.isEmpty();
    }

    /** A place and when it can be asked. */
    private record Choice(String place, long opens) {}

    /**
     * The place that it was sent to, once it may have been sent; else the first that can be asked now, beginning with another one for each
     * job and each attempt, so that all get their share.
     */
    private static Choice choice(ResultSet row, Openings openings) throws SQLException {
        String owner = QueueFile.text(row, "owner");
        String sentTo = row.getString("place");
        if (sentTo != null) {
            return new Choice(sentTo, openings.opens(owner, Places.endpoint(sentTo)));
        }
        List<String> places = List.of(QueueFile.text(row, "places").split("\n", -1));
        long turn = row.getLong("seq") + attempt(row);
        Choice soonest = null;
        for (int i = 0; i < places.size(); i++) {
            String place = places.get((int) ((turn + i) % places.size()));
            Choice choice = new Choice(place, openings.opens(owner, Places.endpoint(place)));
            if (soonest == null || choice.opens() < soonest.opens()) {
                soonest = choice;
            }
            if (choice.opens() == 0) {
                break;
            }
        }
        return requireNonNull(soonest, "a job without a place");
    }

    static int attempt(ResultSet row) throws SQLException {
        return row.getInt("retried") + row.getInt("shallow_retried") + 1;
    }

    private static void wait(Connection it, String owner, Closed where, long now, long until) throws SQLException {
        try (PreparedStatement update = it.prepareStatement(
                "UPDATE job SET next = ? WHERE ready = 1 AND owner = ? AND next <= ? AND places = ? AND place IS ?")) {
            update.setLong(1, until);
            update.setString(2, owner);
            update.setLong(3, now);
            update.setString(4, where.places());
            update.setString(5, where.sentTo());
            update.executeUpdate();
        }
    }

    private static QueuedJob job(ResultSet row, String place) throws SQLException {
        String key = row.getString("reg_key");
        return new QueuedJob(
                QueueFile.text(row, "id"),
                QueueFile.text(row, "owner"),
                QueueFile.text(row, "proxy"),
                place,
                Places.endpoint(place),
                key == null ? UUID.randomUUID().toString() : key,
                row.getBoolean("sent"),
                row.getString("remote"),
                row.getString("sandbox"),
                QueueFile.text(row, "jdl"),
                attempt(row));
    }

    private static void mark(Connection it, QueuedJob job, long now) throws SQLException {
        try (PreparedStatement update = it.prepareStatement(
                "UPDATE job SET ready = 0, sent = 1, place = ?, endpoint = ?, reg_key = ?, state = CASE state WHEN 'QUEUED' THEN 'SENDING' ELSE state END WHERE id = ?")) {
            update.setString(1, job.place());
            update.setString(2, job.endpoint());
            update.setString(3, job.key());
            update.setString(4, job.id());
            update.executeUpdate();
        }
        if (!job.wasSent()) {
            Steps.write(it, job.id(), job.attempt(), now, "dequeued", job.place());
        }
    }
}
