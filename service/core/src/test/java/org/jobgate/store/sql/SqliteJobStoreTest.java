// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.JobStore;
import org.junit.jupiter.api.Test;
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

    @Test
    void itsFilesAndItsNewDirectoryAreForTheServiceAlone() throws Exception {
        Path inner = directory.resolve("new/state");
        try (JobStore other = JobStores.open(StoreSettings.of("sqlite:" + inner.resolve("jobgate.db")), clock)) {
            get(other.create(samples.newJob(SampleJobs.ALICE, "k")));
            assertThat(mode(inner)).isEqualTo("rwx------");
            assertThat(mode(inner.resolve("jobgate.db"))).isEqualTo("rw-------");
            assertThat(mode(inner.resolve("jobgate.db-wal"))).isEqualTo("rw-------");
            assertThat(mode(inner.resolve("jobgate.db.lock"))).isEqualTo("rw-------");
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void itHasLargePagesAWriteAheadLogAndPutsTheLogBackWhenItCloses() throws Exception {
        assertThat(pragma("page_size")).isEqualTo("8192");
        assertThat(pragma("journal_mode")).isEqualTo("wal");
        createdFor(SampleJobs.ALICE, "k");
        assertThat(directory.resolve("jobgate.db-wal")).isNotEmptyFile();
        store.close();
        assertThat(directory.resolve("jobgate.db-wal")).doesNotExist();
        assertThat(pragma("integrity_check")).isEqualTo("ok");
    }

    private String pragma(String name) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobgate.db"));
                var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA " + name)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void aRelativePathIsTakenFromTheStateDirectory() {
        StoreSettings resolved = StoreSettings.of("sqlite:jobgate.db").resolvedAgainst(directory);
        assertThat(resolved.url()).isEqualTo("sqlite:" + directory.resolve("jobgate.db"));
        StoreSettings postgres = StoreSettings.of("jdbc:postgresql://h/d");
        assertThat(postgres.resolvedAgainst(directory)).isEqualTo(postgres);
    }

    @Test
    void settingsOutsideTheirBoundsAreRefusedByName() {
        assertThatThrownBy(() -> StoreSettings.of("jdbc:mysql://x")).hasMessageContaining("store.url");
        assertThatThrownBy(() -> settings().withMaxBatch(0)).hasMessageContaining("store.maxBatch is 0");
        assertThatThrownBy(() -> settings().withMaxReaders(65)).hasMessageContaining("store.maxReaders is 65");
        assertThatThrownBy(() -> settings().withTimeout(Duration.ZERO)).hasMessageContaining("store.timeout");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedWithASentence() throws Exception {
        Path wrong = Files.writeString(directory.resolve("wrong.db"), "this is a letter to my aunt".repeat(1_000));
        assertThatThrownBy(() -> JobStores.open(StoreSettings.of("sqlite:" + wrong), clock))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE))
                .hasMessageContaining("damaged");
        // and let go of again
        Files.delete(wrong);
        JobStores.open(StoreSettings.of("sqlite:" + wrong), clock).close();
    }
}
