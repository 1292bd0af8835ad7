// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jobgate.store.sql.PostgresSchema;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;

/** Where the records of one test are. */
final class AuditPlace implements AutoCloseable {

    private final AuditStore store;
    private final Path directory;
    private final AuditDatabase database;
    private final @Nullable PostgresSchema schema;

    private AuditPlace(AuditStore store, Path directory, @Nullable PostgresSchema schema) {
        this.store = store;
        this.directory = directory;
        this.schema = schema;
        this.database = AuditDatabase.open(store, directory);
    }

    static AuditPlace file(Path directory) {
        return new AuditPlace(AuditStore.FILE, directory, null);
    }

    /** In a schema of its own; skips the test, saying so, where there is no server. */
    static AuditPlace postgres(Path directory) throws Exception {
        PostgresSchema schema = new PostgresSchema(directory);
        StoreSettings settings = schema.settings();
        return new AuditPlace(
                AuditStore.postgres(settings.url(), settings.user(), settings.passwordFile()), directory, schema);
    }

    AuditStore store() {
        return store;
    }

    Path directory() {
        return directory;
    }

    AuditDatabase database() {
        return database;
    }

    /** A connection beside that of the one that writes; it commits when told to. */
    Connection beside() throws SQLException {
        if (schema == null) {
            return database.writer();
        }
        Connection connection = schema.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Ends every session on the server, as its restart would. */
    void breakConnections() throws SQLException {
        java.util.Objects.requireNonNull(schema).breakConnections();
    }

    @Override
    public void close() throws SQLException {
        database.close();
        if (schema != null) {
            schema.close();
        }
    }
}
