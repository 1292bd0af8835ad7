// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jobgate.store.Change;
import org.jobgate.store.CreatedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer's connection and what is true of the store as last committed. Opens the connection again where it was lost. Used by the
 * writer's thread only, after it was opened.
 */
final class WriterSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WriterSession.class);

    private static final String LAST_SEQUENCE = "SELECT max(n) FROM (SELECT max(sequence) AS n FROM change"
            + " UNION ALL SELECT number FROM store_number WHERE name = '" + Purge.PURGED + "') AS numbers";

    private static final String PURGED = "SELECT max(number) FROM store_number WHERE name = '" + Purge.PURGED + "'";

    private static final int CATCH_UP_CHANGES = 1_000;
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(200);

    private final Database database;
    private final Clock clock;
    private final Lookups lookups = new Lookups();
    private final JobCache cache;
    private final ChangeRing ring;
    private final LiveCounts counts;
    private final Consumer<List<Change>> listeners;
    private final Consumer<List<CreatedJob>> creations;
    private final Duration patience;
    private @Nullable Statements statements;

    WriterSession(
            Database database,
            Clock clock,
            JobCache cache,
            ChangeRing ring,
            LiveCounts counts,
            Consumer<List<Change>> listeners,
            Consumer<List<CreatedJob>> creations,
            Duration patience) {
        this.database = database;
        this.clock = clock;
        this.cache = cache;
        this.ring = ring;
        this.counts = counts;
        this.listeners = listeners;
        this.creations = creations;
        this.patience = patience;
    }

    /** Opens the store for the first time. */
    void open() throws SQLException {
        Connection connection = database.openWriter();
        statements = new Statements(connection);
        database.migrate();
        ring.restart(number(connection, LAST_SEQUENCE), number(connection, PURGED));
        counts.load(connection);
        connection.rollback();
    }

    /** Begins a transaction, on a new connection where the old one was lost. */
    Batch begin() throws SQLException {
        Statements current = statements;
        if (current == null) {
            current = reopen();
        }
        return new Batch(current, lookups, clock, ring.last());
    }

    private Statements reopen() throws SQLException {
        Connection connection = database.openWriter();
        try {
            catchUp(connection);
            counts.load(connection);
            connection.rollback();
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        LOG.debug("Connected to the store {} anew", database.name());
        statements = new Statements(connection);
        return statements;
    }

    /**
     * Tells of changes that were committed without our knowing: those of a commit whose answer was lost, or of another container that
     * held the store in between.
     */
    private void catchUp(Connection connection) throws SQLException {
        long inDatabase = number(connection, LAST_SEQUENCE);
        while (ring.last() < inDatabase) {
            List<Change> missed = changesAfter(connection, ring.last());
            if (missed.isEmpty()) {
                ring.restart(inDatabase, number(connection, PURGED));
            } else {
                ring.append(missed);
                listeners.accept(missed);
            }
        }
    }

    private static List<Change> changesAfter(Connection connection, long sequence) throws SQLException {
        try (var statement = connection.prepareStatement(ChangeRows.AFTER)) {
            statement.setLong(1, sequence);
            statement.setInt(2, CATCH_UP_CHANGES);
            List<Change> changes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    changes.add(ChangeRows.read(rows));
                }
            }
            return changes;
        }
    }

    private static long number(Connection connection, String question) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** Commits: when this returns, the batch is on disk, and reads of memory and of the database show it. */
    void commit(Batch batch) throws SQLException {
        Connection connection = batch.statements().connection();
        batch.flush();
        String name = database.transactionName(connection);
        cache.begin(batch.touchedJobs());
        try {
            connection.commit();
        } catch (SQLException e) {
            cache.clear();
            settle(name, e);
        } finally {
            cache.end();
        }
        if (!batch.created().isEmpty()) {
            creations.accept(batch.created());
        }
        ring.append(batch.changes());
        batch.commitActions().forEach(action -> action.accept(ring));
        counts.apply(batch.transitions());
    }

    /** The answer to the commit was lost: finds out what became of it. Returns if it was committed, else throws the error. */
    private void settle(@Nullable String transactionName, SQLException lost) throws SQLException {
        if (transactionName == null || !database.breaksConnection(lost)) {
            throw lost;
        }
        closeConnection();
        // not kept: the next transaction opens its own and then catches up with what others may have done in between
        try (Connection connection = openPatiently(lost)) {
            boolean committed = database.wasCommitted(connection, transactionName);
            connection.rollback();
            if (!committed) {
                throw lost;
            }
        }
        LOG.info("The commit whose answer was lost had reached the store {}", database.name());
    }

    /** A database that is being restarted needs a moment. Gives up with the first error. */
    private Connection openPatiently(SQLException lost) throws SQLException {
        long giveUp = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return database.openWriter();
            } catch (SQLException e) {
                if (System.nanoTime() > giveUp) {
                    lost.addSuppressed(e);
                    throw lost;
                }
                LockSupport.parkNanos(RECONNECT_PAUSE.toNanos());
            }
        }
    }

    /** Undoes the running transaction, if the connection still can; else the database does. */
    void rollback(@Nullable SQLException cause) {
        Statements current = statements;
        if (current == null) {
            return;
        }
        if (cause != null && database.breaksConnection(cause)) {
            closeConnection();
            return;
        }
        try {
            current.connection().rollback();
        } catch (SQLException e) {
            // SQLite has ended the transaction itself after some errors; a new connection is right in each case
            LOG.debug("Rolling back on {} failed; connecting anew", database.name(), e);
            closeConnection();
        }
    }

    private void closeConnection() {
        Statements current = statements;
        statements = null;
        if (current == null) {
            return;
        }
        try {
            current.connection().close();
        } catch (SQLException e) {
            LOG.debug("Closing a lost connection to {} failed", database.name(), e);
        }
    }

    @Override
    public void close() {
        closeConnection();
    }
}
