// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of tables as they were when every job came by GRAM, opened with the tables of today. */
class OlderTablesTest {

    private static final String ALICE = "/O=Grid/CN=Alice";
    private static final JobId LIVE = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000001"));
    private static final JobId OVER = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000002"));
    private static final JobDescription TRUE = JobDescription.of("/bin/true");

    @TempDir
    Path directory;

    private String file;

    @BeforeEach
    void makeOlderTables() throws SQLException {
        file = "sqlite:" + directory.resolve("jobgate.db");
        Flyway.configure()
                .dataSource("jdbc:" + file, null, null)
                .locations("classpath:db/migration/store")
                .table("store_migration")
                .placeholders(Map.of("bytes", "BLOB", "key", "TEXT", "rowStorage", "WITHOUT ROWID", "hotStorage", ""))
                .target("2")
                .load()
                .migrate();
        try (Connection connection = DriverManager.getConnection("jdbc:" + file)) {
            addJob(connection, "job", LIVE, "live", JobState.PENDING);
            addJob(connection, "finished_job", OVER, "over", JobState.FAILED);
        }
    }

    private static void addJob(Connection connection, String table, JobId id, String clientId, JobState state)
            throws SQLException {
        try (var job = connection.prepareStatement("INSERT INTO " + table
                        + " (id, subject, client_key, account, lrm, created, version, state, input_ready, holding, submit_tried,"
                        + " changed, ended, destroyed) VALUES (?, ?, ?, 'alice', 'Fork', 1, 1, ?, 1, 0, 0, 1, ?, 0)");
                var submission = connection.prepareStatement(
                        "INSERT INTO submission (subject, client_key, job, digest) VALUES (?, ?, ?, ?)")) {
            Values.setId(job, 1, id);
            job.setString(2, ALICE);
            job.setString(3, clientId);
            Values.setName(job, 4, state);
            job.setObject(5, state.isTerminal() ? 1 : null);
            job.executeUpdate();
            submission.setString(1, ALICE);
            submission.setString(2, clientId);
            Values.setId(submission, 3, id);
            submission.setBytes(
                    4,
                    HexFormat.of()
                            .parseHex(new JobDescriptionCodec().encode(TRUE).digest()));
            submission.executeUpdate();
        }
    }

    private JobStore open() {
        return JobStores.open(StoreSettings.of(file), Clock.systemUTC());
    }

    @Test
    void anOlderJobCameByGramAndStillAnswersItsClient() {
        try (JobStore store = open()) {
            for (JobId id : List.of(LIVE, OVER)) {
                assertThat(store.find(id).orElseThrow().origin()).isEqualTo(new JobOrigin("gram", "jdd"));
            }
            assertThat(again(store, "gram", "live")).isInstanceOf(CreateResult.Existing.class);
            assertThat(again(store, "gram", "live").job().id()).isEqualTo(LIVE);
            assertThat(again(store, "gram", "over").job().id()).isEqualTo(OVER);
            assertThat(again(store, "other", "live")).isInstanceOf(CreateResult.Created.class);
        }
        try (JobStore store = open()) {
            assertThat(again(store, "gram", "live").job().id()).isEqualTo(LIVE);
            assertThat(again(store, "other", "live")).isInstanceOf(CreateResult.Existing.class);
            assertThat(again(store, "other", "live").job().id()).isNotEqualTo(LIVE);
        }
    }

    private static CreateResult again(JobStore store, String door, String clientId) {
        JobId id = new JobId(UUID.randomUUID());
        Job job = Job.create(
                id,
                new SubmissionKey(ALICE, door, clientId),
                "jdd",
                new Owner(ALICE, "alice"),
                "Fork",
                null,
                Clock.systemUTC().instant(),
                null);
        return store.create(new NewJob(job, TRUE, List.of())).join();
    }

    @Test
    void anOlderJobGoesOnAndIsForgottenWithItsKey() {
        try (JobStore store = open()) {
            store.update(LIVE, job -> List.of(Step.silent(job.withLocalIds(List.of("7")))))
                    .join();
            assertThat(store.find(LIVE).orElseThrow().origin()).isEqualTo(new JobOrigin("gram", "jdd"));
            assertThat(store.purge(Clock.systemUTC().instant(), 10).join()).isEqualTo(1);
            assertThat(store.find(new SubmissionKey(ALICE, "gram", "over"))).isEmpty();
            assertThat(again(store, "gram", "over")).isInstanceOf(CreateResult.Created.class);
        }
    }
}
