// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** Questions to the database, on connections of their own that never wait for the writer. Safe for many threads. */
final class JobReads {

    private static final String DESCRIPTION = "SELECT body FROM job_description WHERE job = ?";

    private final Database database;
    private final Lookups lookups = new Lookups();

    /** All the pool's idle connections may have been lost at once. */
    private final int maxLost;

    JobReads(Database database, int connections) {
        this.database = database;
        this.maxLost = connections;
    }

    /** A question. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** How a row, or all of them, become a value. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    /**
     * Asks on a borrowed connection; once more on another one where the connection turns out to have been lost while it lay idle.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} where the database does not answer
     */
    <T> T ask(Question<T> question) {
        int lost = 0;
        while (true) {
            try (Connection connection = database.reader()) {
                return question.ask(connection);
            } catch (SQLTransientConnectionException e) {
                throw failure(e);
            } catch (SQLException e) {
                lost++;
                if (lost > maxLost || !database.breaksConnection(e)) {
                    throw failure(e);
                }
            }
        }
    }

    private FaultException failure(SQLException e) {
        Fault outage = database.outage(e);
        Fault fault = outage != null
                ? outage
                : Fault.of(
                        FaultCode.INTERNAL,
                        "The store " + database.name() + " did not understand a question: " + e.getMessage(),
                        "Report it with the service's log: this is a fault of the service.");
        return new FaultException(fault, e);
    }

    <T> List<T> rows(String sql, Parameters parameters, RowReader<T> reader) {
        return ask(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                parameters.set(statement);
                return readAll(statement, reader);
            }
        });
    }

    /** The same by a statement whose text is always the same: it is prepared once where the database gains by that. */
    <T> List<T> rowsByKept(String sql, Parameters parameters, RowReader<T> reader) {
        return ask(connection -> withStatements(connection, preparer -> {
            PreparedStatement statement = preparer.prepare(sql);
            parameters.set(statement);
            return readAll(statement, reader);
        }));
    }

    <T> Optional<T> row(String sql, Parameters parameters, RowReader<T> reader) {
        return rowsByKept(sql, parameters, reader).stream().findFirst();
    }

    private static <T> List<T> readAll(PreparedStatement statement, RowReader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                found.add(reader.read(result));
            }
        }
        return found;
    }

    Map<JobId, Job> jobs(Collection<JobId> ids) {
        return ask(connection -> withStatements(connection, preparer -> lookups.jobs(preparer, ids)));
    }

    Optional<JobId> jobOf(SubmissionKey key) {
        return ask(connection -> withStatements(
                connection,
                preparer -> Optional.ofNullable(
                                lookups.submissions(preparer, List.of(key)).get(key))
                        .map(Lookups.StoredSubmission::job)));
    }

    /** A question of several statements. */
    private interface Lookup<T> {
        T find(Lookups.Preparer preparer) throws SQLException;
    }

    private <T> T withStatements(Connection connection, Lookup<T> lookup) throws SQLException {
        Statements kept = database.kept(connection);
        if (kept != null) {
            return lookup.find(kept::get);
        }
        List<PreparedStatement> opened = new ArrayList<>();
        try {
            return lookup.find(Lookups.fresh(connection, opened));
        } finally {
            for (PreparedStatement statement : opened) {
                statement.close();
            }
        }
    }

    Optional<String> description(JobId id) {
        return row(DESCRIPTION, statement -> Values.setId(statement, 1, id), row -> row.getString(1));
    }

    Map<JobId, String> descriptions(Collection<JobId> ids) {
        return ask(connection -> withStatements(connection, preparer -> lookups.descriptions(preparer, ids)));
    }

    List<Job> list(JobQuery query) {
        JobQuerySql sql = new JobQuerySql(query);
        return list(sql, sql.text(), result -> {
            List<Job> found = new ArrayList<>();
            JobRowReader reader = new JobRowReader(result);
            while (result.next()) {
                found.add(reader.read());
            }
            return found;
        });
    }

    List<JobId> ids(JobQuery query) {
        JobQuerySql sql = new JobQuerySql(query);
        return list(sql, sql.idsText(), result -> {
            List<JobId> found = new ArrayList<>();
            while (result.next()) {
                found.add(Values.jobId(result.getBytes(1)));
            }
            return found;
        });
    }

    private <T> List<T> list(JobQuerySql sql, String text, RowReader<List<T>> reader) {
        return ask(connection -> {
            Statements kept = database.kept(connection);
            // beside the pool's connection: that would pass on each look at a column
            try (PreparedStatement statement = (kept == null ? connection : kept.connection()).prepareStatement(text)) {
                sql.bind(statement);
                try (ResultSet result = statement.executeQuery()) {
                    return reader.read(result);
                }
            }
        });
    }

    /** The number that a statement answers; 0 if it answers none. */
    long number(String sql, @Nullable String name) {
        return row(sql, statement -> bindName(statement, name), row -> row.getLong(1))
                .orElse(0L);
    }

    private static void bindName(PreparedStatement statement, @Nullable String name) throws SQLException {
        if (name != null) {
            statement.setString(1, name);
        }
    }
}
