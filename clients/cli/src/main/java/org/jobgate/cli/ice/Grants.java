// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an owner has at a computing element: one delegated proxy and one lease for all jobs from this queue, and how far its events were
 * read. The ids are always the same, so that a registration that is repeated is the same one.
 */
final class Grants {

    private final QueueFile file;
    private final String queue;

    Grants(QueueFile file) {
        this.file = requireNonNull(file, "file is null");
        this.queue = file.id();
    }

    /**
     * How it stands; times in milliseconds since 1970, 0 for never.
     *
     * @param since when the owner came there first
     * @param database whose events were read; null for none yet
     * @param nextEvent the number of the first that was not read
     */
    record Grant(
            long delegatedUntil,
            long leasedUntil,
            long since,
            @Nullable String database,
            long nextEvent) {}

    /** Up to which event was read. */
    record Cursor(String owner, String endpoint, String database, long next) {

        void write(Connection it) throws SQLException {
            try (PreparedStatement update = it.prepareStatement(
                    "UPDATE grants SET database = ?, next_event = ? WHERE owner = ? AND endpoint = ?")) {
                update.setString(1, database);
                update.setLong(2, next);
                update.setString(3, owner);
                update.setString(4, endpoint);
                update.executeUpdate();
            }
        }
    }

    /** The name of the owner's delegation, and of their lease, at every computing element. */
    String id(String owner) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((queue + "\n" + owner).getBytes(StandardCharsets.UTF_8));
            return "ice-" + HexFormat.of().formatHex(digest).substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** How it stands; made where it is not there. */
    Grant of(String owner, String endpoint, long now) {
        return find(owner, endpoint).orElseGet(() -> {
            file.update(it -> insert(it, owner, endpoint, now));
            return find(owner, endpoint).orElseThrow();
        });
    }

    private static void insert(Connection it, String owner, String endpoint, long now) throws SQLException {
        try (PreparedStatement insert = it.prepareStatement(
                "INSERT INTO grants (owner, endpoint, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")) {
            insert.setString(1, owner);
            insert.setString(2, endpoint);
            insert.setLong(3, now);
            insert.executeUpdate();
        }
    }

    private Optional<Grant> find(String owner, String endpoint) {
        return file.read(it -> {
            try (PreparedStatement query =
                    it.prepareStatement("SELECT * FROM grants WHERE owner = ? AND endpoint = ?")) {
                query.setString(1, owner);
                query.setString(2, endpoint);
                try (ResultSet row = query.executeQuery()) {
                    return row.next()
                            ? Optional.of(new Grant(
                                    row.getLong("delegated_until"),
                                    row.getLong("leased_until"),
                                    row.getLong("since"),
                                    row.getString("database"),
                                    row.getLong("next_event")))
                            : Optional.empty();
                }
            }
        });
    }

    void delegated(String owner, String endpoint, long until) {
        set("delegated_until", owner, endpoint, until);
    }

    void leased(String owner, String endpoint, long until) {
        set("leased_until", owner, endpoint, until);
    }

    private void set(String column, String owner, String endpoint, long until) {
        file.change(it -> {
            try (PreparedStatement update =
                    it.prepareStatement("UPDATE grants SET " + column + " = ? WHERE owner = ? AND endpoint = ?")) {
                update.setLong(1, until);
                update.setString(2, owner);
                update.setString(3, endpoint);
                return update.executeUpdate();
            }
        });
    }
}
