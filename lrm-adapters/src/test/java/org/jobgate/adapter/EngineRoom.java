// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.JobEngine;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;

/** A real LRM behind a real engine and store, which can be closed and started again. */
final class EngineRoom implements AutoCloseable {

    static final JobOrigin ORIGIN = new JobOrigin("test", "trial");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final Owner owner;
    private LrmSettings settings;
    private JobStore store;
    PerlLrm lrm;
    JobEngine engine;

    EngineRoom(Path directory, String account, LrmSettings settings) {
        this.directory = directory;
        this.owner = new Owner("/O=Test/CN=Alice", account);
        this.settings = settings;
        this.store = openStore();
        this.lrm = newLrm();
        this.engine = newEngine();
        engine.start();
    }

    private JobStore openStore() {
        return JobStores.open(StoreSettings.of("sqlite:jobs.db").resolvedAgainst(directory), Clock.systemUTC());
    }

    private PerlLrm newLrm() {
        return new PerlLrm(
                settings,
                System.getProperty("user.name", ""),
                new LeftWorkers(),
                store,
                Clock.systemUTC(),
                new SecureRandom());
    }

    private JobEngine newEngine() {
        EngineSettings quick = new EngineSettings(
                2,
                2,
                2,
                2,
                2,
                1000,
                Duration.ofMillis(200),
                Duration.ofSeconds(2),
                Duration.ofDays(1),
                Duration.ofSeconds(1));
        return new JobEngine(
                store,
                List.of(lrm),
                null,
                null,
                JobLimits.defaults(),
                quick,
                Clock.systemUTC(),
                new SecureRandom(),
                Interlude.none());
    }

    void start() {
        store = openStore();
        lrm = newLrm();
        engine = newEngine();
        engine.start();
    }

    /** Copies the store while it is in use. */
    Instant backUp(Path copy) throws SQLException {
        Instant now = Instant.now();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobs.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM INTO '" + copy + "'");
        }
        return now;
    }

    /** After a stop: goes on from the copy, as a gateway does that was restored; it takes no new jobs yet. */
    void startRestored(Path copy, Instant takenAt) throws IOException {
        for (String end : List.of("", "-wal", "-shm")) {
            Files.deleteIfExists(directory.resolve("jobs.db" + end));
        }
        Files.copy(copy, directory.resolve("jobs.db"));
        Map<String, String> options = new HashMap<>(settings.options());
        options.put("restored_at", Long.toString(System.currentTimeMillis()));
        settings = settings.withOptions(options);
        store = openStore();
        lrm = newLrm();
        engine = newEngine();
        engine.restoration().begin(takenAt, Instant.now(), Set.of(owner.account()), true);
        engine.start();
    }

    /** With a key of the client's own, as often as is wanted. */
    JobId submit(String key, String script) {
        JobDescription description = JobDescription.builder("/bin/sh")
                .arguments(List.of("-c", script))
                .directory("/tmp")
                .build();
        return engine.submit(new Submission(
                        engine.newId(owner, ORIGIN.door(), key),
                        ORIGIN,
                        owner,
                        key,
                        settings.name(),
                        description,
                        null,
                        null,
                        List.of()))
                .job()
                .id();
    }

    void stop() {
        engine.close();
        lrm.close();
        store.close();
    }

    JobId submit(String script) {
        return submitAs(owner, script);
    }

    JobId submitAs(Owner submitter, String script) {
        JobDescription description = JobDescription.builder("/bin/sh")
                .arguments(List.of("-c", script))
                .directory("/tmp")
                .build();
        return engine.submit(Submission.of(ORIGIN, submitter, "key-" + System.nanoTime(), settings.name(), description))
                .job()
                .id();
    }

    /** As its owner sees it. */
    Job find(JobId id) {
        return engine.find(owner.subject(), id).orElseThrow();
    }

    void cancel(JobId id) {
        engine.cancel(owner.subject(), id);
    }

    Job awaitJob(JobId id, Predicate<Job> condition) {
        return await().atMost(PATIENCE).until(() -> find(id), condition);
    }

    Job awaitState(JobId id, JobState state) {
        return awaitJob(id, job -> job.state() == state);
    }

    @Override
    public void close() {
        stop();
    }
}
