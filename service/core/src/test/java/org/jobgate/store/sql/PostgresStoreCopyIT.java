// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jobgate.job.Job;
import org.jobgate.store.JobStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a store in PostgreSQL for a backup, and its way back. Needs one: {@code eval "$(scripts/postgres up)"}. */
class PostgresStoreCopyIT {

    @TempDir
    private Path directory;

    private final SampleJobs samples = new SampleJobs(7);
    private PostgresSchema schema;
    private Path copy;

    @BeforeEach
    void prepare() throws Exception {
        schema = new PostgresSchema(directory);
        copy = directory.resolve("jobgate.copy.gz");
    }

    @AfterEach
    void remove() throws SQLException {
        for (String aside :
                texts("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'jobs\\_before\\_restore\\_%'")) {
            schema.execute("DROP SCHEMA " + aside + " CASCADE");
        }
        schema.close();
    }

    private JobStore store() {
        return JobStores.open(schema.settings(), Clock.systemUTC());
    }

    private Job created(JobStore store, String key) {
        Job job = samples.job(SampleJobs.ALICE, key, "Fork", "alice");
        store.create(SampleJobs.newJob(job)).join();
        return job;
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = schema.connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                texts.add(found.getString(1));
            }
        }
        return texts;
    }

    /** A table that a later version adds must not be missing in backups without anybody noticing. */
    @Test
    void eachTableOfTheStoreIsCopied() throws Exception {
        store().close();
        List<String> copied = new ArrayList<>(PostgresStoreCopy.TABLES.tables());
        copied.add(PostgresStoreCopy.TABLES.history());
        assertThat(texts("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"))
                .containsExactlyInAnyOrderElementsOf(copied);
    }

    /** Whoever empties a table does so for those, too, who see the rest as it was before. */
    @Test
    void theCopyIsOfTheMomentAtWhichAllTablesAreHeld() throws Exception {
        store().close();
        schema.execute("INSERT INTO store_number (name, number) VALUES ('before', 1)");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = schema.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE group_element");
            Future<?> made = threads.submit(() -> {
                PostgresStoreCopy.make(schema.settings(), copy);
                return null;
            });
            await().until(() ->
                    texts("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'group_element'::regclass")
                                    .size()
                            == 1);
            statement.execute("INSERT INTO store_number (name, number) VALUES ('with the lock', 2)");
            other.commit();
            made.get(5, TimeUnit.MINUTES);
        }

        try (InputStream in = new GZIPInputStream(Files.newInputStream(copy))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("before", "with the lock");
        }
    }

    @Test
    void whatWasCopiedIsThereAgainWhileTheStoreWasWrittenTo() throws Exception {
        Job before;
        Job ended;
        Job after;
        try (JobStore store = store()) {
            before = created(store, "é\\. \\N key");
            ended = created(store, "ended");
            store.update(ended.id(), SampleJobs.finish(Instant.now())).join();
            PostgresStoreCopy.make(schema.settings(), copy);
            after = created(store, "after");
            assertThatIOException()
                    .as("while the store is open")
                    .isThrownBy(() -> PostgresStoreCopy.restore(schema.settings(), copy, Instant.now()))
                    .withMessageContaining("in use");
        }

        List<String> lines = PostgresStoreCopy.restore(schema.settings(), copy, Instant.ofEpochSecond(77));

        assertThat(lines).hasSize(2).first().asString().contains("jobs_before_restore_77");
        assertThat(texts("SELECT count(*) FROM jobs_before_restore_77.job")).containsExactly("2");
        try (JobStore store = store()) {
            assertThat(store.find(before.id())).get().extracting(Job::key).isEqualTo(before.key());
            assertThat(store.find(ended.id())).get().matches(job -> job.state().isTerminal());
            assertThat(store.find(after.id())).isEmpty();
            long last = store.lastChange();
            created(store, "later");
            assertThat(store.lastChange()).isEqualTo(last + 1);
        }
    }

    /** Where both lie in one schema each must go back without the other in its way. */
    @Test
    void otherTablesInTheSchemaAreLeftAlone() throws Exception {
        try (JobStore store = store()) {
            created(store, "one");
            PostgresStoreCopy.make(schema.settings(), copy);
        }
        schema.execute("CREATE TABLE audit_migration (version TEXT)");
        PostgresStoreCopy.restore(schema.settings(), copy, Instant.ofEpochSecond(78));
        try (JobStore store = store()) {
            assertThat(store.countLive()).isEqualTo(1);
        }
        assertThat(texts("SELECT count(*) FROM audit_migration")).containsExactly("0");
    }
}
