// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The prepared statements of one connection, made once each. The number of different texts is bounded by the code. Not thread-safe. */
final class Statements {

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();

    Statements(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    PreparedStatement get(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** Runs the statement once for each value, in as few round trips as the driver can. */
    <T> void forEach(String sql, Iterable<T> values, Binder<T> binder) throws SQLException {
        var iterator = values.iterator();
        if (!iterator.hasNext()) {
            return;
        }
        PreparedStatement statement = get(sql);
        try {
            while (iterator.hasNext()) {
                binder.bind(statement, iterator.next());
                statement.addBatch();
            }
            statement.executeBatch();
        } finally {
            // also where a value could not be bound: nothing of it may be left for the next transaction
            statement.clearBatch();
        }
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Binder<T> {
        void bind(PreparedStatement statement, T value) throws SQLException;
    }
}
