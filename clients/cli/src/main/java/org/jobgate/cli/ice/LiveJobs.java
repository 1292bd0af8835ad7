// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Questions about the jobs that are not over. */
final class LiveJobs {

    private static final String LIVE = "state NOT IN ('DONE-OK', 'DONE-FAILED', 'ABORTED', 'CANCELLED')";

    private final QueueFile file;

    LiveJobs(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
    }

    /** Whose jobs are where. */
    record Share(String owner, String endpoint) {}

    /** Whose jobs were registered where. */
    List<Share> shares() {
        return file.read(it -> {
            List<Share> shares = new ArrayList<>();
            try (PreparedStatement query = it.prepareStatement(
                            "SELECT DISTINCT owner, endpoint FROM job WHERE remote IS NOT NULL AND " + LIVE);
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    shares.add(new Share(QueueFile.text(rows, "owner"), QueueFile.text(rows, "endpoint")));
                }
            }
            return shares;
        });
    }

    List<String> owners() {
        return file.read(it -> {
            List<String> owners = new ArrayList<>();
            try (PreparedStatement query = it.prepareStatement("SELECT DISTINCT owner FROM job WHERE " + LIVE);
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    owners.add(QueueFile.text(rows, "owner"));
                }
            }
            return owners;
        });
    }

    boolean areThere() {
        return file.read(it -> QueueFile.number(it, "SELECT EXISTS (SELECT 1 FROM job WHERE " + LIVE + ")")) == 1;
    }

    /** The files of the owner's proxies, each with the MyProxy server that renews it, or an empty text. */
    Map<Path, String> proxies(String owner) {
        return file.read(it -> {
            Map<Path, String> proxies = new LinkedHashMap<>();
            try (PreparedStatement query = it.prepareStatement(
                    "SELECT proxy, MAX(COALESCE(my_proxy, '')) AS server FROM job WHERE owner = ? AND " + LIVE
                            + " GROUP BY proxy")) {
                query.setString(1, owner);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        proxies.put(Path.of(QueueFile.text(rows, "proxy")), QueueFile.text(rows, "server"));
                    }
                }
            }
            return proxies;
        });
    }

    /**
     * Jobs of which nothing was heard since then, by their ids at the computing element.
     *
     * @param skipped how many of them, the oldest, are left out
     */
    List<String> silent(Share share, long since, int most, int skipped) {
        return remote(share, "heard < ?", since, most, skipped);
    }

    /** Jobs whose owner wants them no more, and for which nobody asked since then to cancel them. */
    List<String> unwanted(Share share, long since, int most) {
        return remote(share, "cancelled = 1 AND cancel_asked < ?", since, most, 0);
    }

    private List<String> remote(Share share, String condition, long since, int most, int skipped) {
        return file.read(it -> {
            List<String> ids = new ArrayList<>();
            try (PreparedStatement query = it.prepareStatement(
                    "SELECT remote FROM job WHERE owner = ? AND endpoint = ? AND remote IS NOT NULL AND " + LIVE
                            + " AND " + condition + " ORDER BY seq LIMIT ? OFFSET ?")) {
                query.setString(1, share.owner());
                query.setString(2, share.endpoint());
                query.setLong(3, since);
                query.setInt(4, most);
                query.setInt(5, skipped);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        ids.add(QueueFile.text(rows, "remote"));
                    }
                }
            }
            return ids;
        });
    }

    void cancelAsked(Share share, List<String> ids, long now) {
        file.update(it -> {
            try (PreparedStatement update =
                    it.prepareStatement("UPDATE job SET cancel_asked = ? WHERE endpoint = ? AND remote = ?")) {
                for (String id : ids) {
                    update.setLong(1, now);
                    update.setString(2, share.endpoint());
                    update.setString(3, id);
                    update.executeUpdate();
                }
            }
        });
    }

    /** All jobs of the share are asked for again, for instance where the computing element has lost its memory. */
    void forgetHeard(Share share) {
        file.change(it -> {
            try (PreparedStatement update =
                    it.prepareStatement("UPDATE job SET heard = 0 WHERE owner = ? AND endpoint = ? AND " + LIVE)) {
                update.setString(1, share.owner());
                update.setString(2, share.endpoint());
                return update.executeUpdate();
            }
        });
    }
}
