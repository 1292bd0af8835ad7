// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobStoreTest extends JobStoreContract {

    @TempDir
    Path directory;

    @Override
    protected StoreSettings settings() {
        return StoreSettings.of("sqlite:" + directory.resolve("jobgate.db")).withTimeout(Duration.ofSeconds(5));
    }

    @Override
    protected void refuseChangesWithNote(String note) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobgate.db"));
                var statement = connection.createStatement()) {
            statement.execute("CREATE TRIGGER refuse BEFORE INSERT ON change WHEN new.note = '" + note
                    + "' BEGIN SELECT raise(ABORT, 'refused'); END");
        }
    }
}
