// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.flywaydb.core.Flyway;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Extension;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of tables as they were when every job came by GRAM, opened with the tables of today. */
class OlderTablesTest {

    private static final String ALICE = "/O=Grid/CN=Alice";
    private static final JobId LIVE = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000001"));
    private static final JobId OVER = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000002"));
    private static final JobDescription TRUE = JobDescription.of("/bin/true");
    private static final String BODY =
            "{\"executable\":\"/bin/true\",\"count\":1,\"jobType\":\"MULTIPLE\",\"transfers\":{}}";

    @TempDir
    Path directory;

    private String file;

    @BeforeEach
    void makeOlderTables() throws Exception {
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
            addJob(connection, "job", LIVE, "live", JobState.PENDING, BODY);
            addJob(connection, "finished_job", OVER, "over", JobState.FAILED, BODY);
        }
    }

    private static void addJob(
            Connection connection, String table, JobId id, String clientId, JobState state, String body)
            throws Exception {
        addJob(connection, table, id, clientId, state, body, body);
    }

    /** @param same what of the body counts for the digest */
    private static void addJob(
            Connection connection, String table, JobId id, String clientId, JobState state, String body, String same)
            throws Exception {
        try (var job = connection.prepareStatement("INSERT INTO " + table
                        + " (id, subject, client_key, account, lrm, created, version, state, input_ready, holding, submit_tried,"
                        + " changed, ended, destroyed) VALUES (?, ?, ?, 'alice', 'Fork', 1, 1, ?, 1, 0, 0, 1, ?, 0)");
                var submission = connection.prepareStatement(
                        "INSERT INTO submission (subject, client_key, job, digest) VALUES (?, ?, ?, ?)");
                var description =
                        connection.prepareStatement("INSERT INTO job_description (job, body) VALUES (?, ?)")) {
            Values.setId(job, 1, id);
            job.setString(2, ALICE);
            job.setString(3, clientId);
            Values.setName(job, 4, state);
            job.setObject(5, state.isTerminal() ? 1 : null);
            job.executeUpdate();
            submission.setString(1, ALICE);
            submission.setString(2, clientId);
            Values.setId(submission, 3, id);
            submission.setBytes(4, MessageDigest.getInstance("SHA-256").digest(same.getBytes(StandardCharsets.UTF_8)));
            submission.executeUpdate();
            Values.setId(description, 1, id);
            description.setString(2, body);
            description.executeUpdate();
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
        return again(store, door, clientId, TRUE);
    }

    private static CreateResult again(JobStore store, String door, String clientId, JobDescription description) {
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
        return store.create(new NewJob(job, description, List.of())).join();
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

    /** How a description was stored, and what it is now: its options, and the extensions that are left. */
    record Older(String extensions, UnaryOperator<JobDescription.Builder> options, List<Extension> left) {

        static Older of(String extensions, UnaryOperator<JobDescription.Builder> options, Extension... left) {
            return new Older(extensions, options, List.of(left));
        }

        String body() {
            return BODY.replace("}}", "},\"extensions\":[" + extensions + "]}");
        }

        JobDescription now() {
            return options.apply(TRUE.toBuilder().extensions(left)).build();
        }
    }

    private static String stored(String name, String text) {
        return "{\"name\":\"" + name + "\",\"text\":\"" + text + "\"}";
    }

    private static Extension extension(String name, String text) {
        return new Extension(name, Map.of(), text, List.of());
    }

    /** GRAM's door reads the same extensions in the same way: {@code OwnExtensionsTest}. */
    static List<Older> older() {
        String nodes = stored("nodes", "4");
        String hold = stored("holdAgain", "CleanUp");
        String sends = stored("stageOutOnFailure", "false");
        String follows = stored("incrementalOutput", "true");
        return List.of(
                Older.of(nodes, job -> job, extension("nodes", "4")),
                Older.of(hold, job -> job.holdAgain(JobState.CLEAN_UP)),
                Older.of(
                        String.join(",", nodes, hold, sends, follows),
                        job -> job.holdAgain(JobState.CLEAN_UP)
                                .stageOutOnFailure(false)
                                .incrementalOutput(true),
                        extension("nodes", "4")),
                Older.of(
                        hold + "," + nodes,
                        job -> job.holdAgain(JobState.CLEAN_UP),
                        extension("holdAgain", "CleanUp"),
                        extension("nodes", "4")),
                Older.of(
                        follows + "," + sends,
                        job -> job.stageOutOnFailure(false).incrementalOutput(true),
                        extension("incrementalOutput", "true"),
                        extension("stageOutOnFailure", "false")),
                Older.of(
                        stored("incrementalOutput", "false") + "," + follows,
                        job -> job.incrementalOutput(true),
                        extension("incrementalOutput", "false"),
                        extension("incrementalOutput", "true")),
                Older.of(
                        follows.replace("}", ",\"attributes\":{\"a\":\"b\"}}"),
                        job -> job.incrementalOutput(true),
                        new Extension("incrementalOutput", Map.of("a", "b"), "true", List.of())));
    }

    @ParameterizedTest
    @MethodSource("older")
    void optionsThatWereExtensionsAreTypedAndTheSameSubmissionIsStillTheSame(Older older) throws Exception {
        JobId single = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000003"));
        JobId multi = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000004"));
        JobDescription two = JobDescription.multi(List.of(new SubJob("Fork", "alice", older.now())), null);
        try (Connection connection = DriverManager.getConnection("jdbc:" + file)) {
            addJob(connection, "job", single, "single", JobState.PENDING, older.body());
            addJob(connection, "job", multi, "multi", JobState.PENDING, multi(older.body()));
        }
        try (JobStore store = open()) {
            assertThat(store.description(single)).contains(older.now());
            assertThat(again(store, "gram", "single", older.now())).isInstanceOf(CreateResult.Existing.class);
            assertThat(again(store, "gram", "single", TRUE)).isInstanceOf(CreateResult.Conflict.class);
            assertThat(store.description(multi)).contains(two);
            assertThat(again(store, "gram", "multi", two)).isInstanceOf(CreateResult.Existing.class);
        }
    }

    @Test
    void credentialsThatWereOneTextAreNamedByUseAndKey() throws Exception {
        JobId id = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000005"));
        String older = BODY.replace(
                "}}",
                "},\"credentials\":{\"fileStageIn\":\"https://gate/D?x?k1\",\"jobCredentialEndpoint\":\"https://gate/D?k2\",\"stagingCredentialEndpoint\":\"k3\"}}");
        JobDescription now = TRUE.toBuilder()
                .credentials(List.of(
                        new NamedCredential(CredentialUse.JOB, "k2", "https://gate/D"),
                        NamedCredential.of(CredentialUse.FILES, "k3"),
                        new NamedCredential(CredentialUse.STAGE_IN, "k1", "https://gate/D?x")))
                .build();
        try (Connection connection = DriverManager.getConnection("jdbc:" + file)) {
            // what was asked for is the same whatever credential it names
            addJob(connection, "job", id, "named", JobState.PENDING, older, BODY);
        }
        try (JobStore store = open()) {
            assertThat(store.description(id)).contains(now);
            assertThat(again(store, "gram", "named", now)).isInstanceOf(CreateResult.Existing.class);
            assertThat(again(store, "gram", "named", TRUE)).isInstanceOf(CreateResult.Existing.class);
        }
    }

    private static String multi(String body) {
        return "{\"executable\":\"\",\"count\":1,\"jobType\":\"MULTIPLE\",\"transfers\":{},\"subJobs\":"
                + "[{\"lrm\":\"Fork\",\"account\":\"alice\",\"description\":" + body + "}]}";
    }
}
