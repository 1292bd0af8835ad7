// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A connection to SQLite that keeps the statements that were prepared on it. To prepare the question for a job takes longer than to answer it, and
 * the pool of connections does not keep statements.
 */
final class SqliteReader extends JDBC4Connection {

    private final Statements statements = new Statements(this);

    private SqliteReader(String url, String file, Properties properties) throws SQLException {
        super(url, file, properties);
    }

    /** Those of the connection that the pool's one stands for. */
    static Statements statements(Connection pooled) throws SQLException {
        return pooled.unwrap(SqliteReader.class).statements;
    }

    /** Makes them. */
    static final class Source extends SQLiteDataSource {

        private final String file;

        Source(SQLiteConfig config, String file) {
            super(config);
            this.file = file;
            setUrl("jdbc:sqlite:" + file);
        }

        @Override
        public SqliteReader getConnection() throws SQLException {
            return new SqliteReader(getUrl(), file, getConfig().toProperties());
        }
    }
}
