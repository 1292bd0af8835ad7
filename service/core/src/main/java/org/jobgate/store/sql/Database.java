// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.jobgate.job.Fault;
import org.jspecify.annotations.Nullable;

/** What the two databases do differently. Safe for many threads; {@link #openWriter} is called by one at a time. */
interface Database extends AutoCloseable {

    /** Which store this is, for messages and logs: never holds a secret. */
    String name();

    /**
     * Opens the one connection that writes, in manual commit mode. Nobody else can open one to the same store while it is held.
     *
     * @throws org.jobgate.job.FaultException of code {@code STORE_UNAVAILABLE} where another container holds the store
     */
    Connection openWriter() throws SQLException;

    /** Creates the tables or brings them up to date. Called once, after the first {@link #openWriter}. */
    void migrate();

    /** Borrows a connection for reading; closing it gives it back. */
    Connection reader() throws SQLException;

    /** The statements that are kept with a connection for reading; absent where the driver itself keeps them. */
    default @Nullable Statements kept(Connection reader) throws SQLException {
        return null;
    }

    /** Whether nobody else can write into the store as long as we hold it, whatever happens to our connections. */
    default boolean isOursAlone() {
        return false;
    }

    /**
     * Why the store cannot work at present.
     *
     * @return absent where the statement itself was refused, so that only the write it belongs to is wrong
     */
    @Nullable
    Fault outage(SQLException exception);

    /** Whether the writer's connection is of no use after this error. */
    boolean breaksConnection(SQLException exception);

    /** A name of the running transaction by which {@link #wasCommitted} knows it later; absent where a commit is never in doubt. */
    @Nullable
    String transactionName(Connection writer) throws SQLException;

    /** Whether the transaction, whose commit was never answered, was committed. */
    boolean wasCommitted(Connection writer, String transactionName) throws SQLException;

    /** Closes the connections for reading. Comes before the writer's: the last one of SQLite to close puts its log back into the file. */
    void closeReaders();

    /** Gives up the hold on the store. The writer's connection must have been closed before, by the object that opened it. */
    @Override
    void close();
}
