// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.PostgresSchema;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A purge of very many records while jobs are made in a store on the same server, by hand: {@code -Djobgate.audit.purge=1000000} with a PostgreSQL
 * ({@code scripts/postgres up}). Jobs are made for a while before it too, so that what the machine itself does is seen.
 */
@EnabledIfSystemProperty(named = "jobgate.audit.purge", matches = "[0-9]+")
class ManyPurgedIT {

    private static final Logger LOG = LoggerFactory.getLogger(ManyPurgedIT.class);

    private static final long OLD = Duration.ofDays(100).toMillis();
    private static final AuditKeeping THIRTY_DAYS = new AuditKeeping(Duration.ofDays(30), null);
    private static final long MOST_MILLIS = 100;
    private static final Duration BEFORE = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final Duration BETWEEN = Duration.ofMillis(20);
    private static final int BATCH = 50_000;

    @TempDir
    private Path directory;

    private final SampleJobs samples = new SampleJobs(5);
    private int made;

    @Test
    void jobsAreMadeWhileMillionsAreTakenOut() throws Exception {
        int records = Integer.getInteger("jobgate.audit.purge");
        try (PostgresSchema schema = new PostgresSchema(directory)) {
            StoreSettings server = schema.settings();
            try (JobStore store = JobStores.open(server, Clock.systemUTC())) {
                purge(schema, store, AuditStore.postgres(server.url(), server.user(), server.passwordFile()), records);
            }
        }
    }

    private void purge(PostgresSchema schema, JobStore store, AuditStore where, int records) throws Exception {
        AuditDatabase.open(where, directory).close();
        try (Connection filling = schema.connect()) {
            fill(filling, records);
            // or the server would write what was filled in while jobs are made
            execute(filling, "CHECKPOINT");
        }
        AuditSettings settings =
                new AuditSettings(where, directory, "x", "1", description -> "", job -> Optional.empty(), THIRTY_DAYS);
        try (Audit audit = new Audit(store, settings);
                Connection looking = schema.connect()) {
            report("before the purge", create(store, System.nanoTime() + BEFORE.toNanos(), () -> false));
            audit.start(List.of());
            long begin = System.nanoTime();
            List<Long> beside = create(store, begin + PATIENCE.toNanos(), () -> left(looking, records) == 0);
            LOG.info("{} rows were taken out in {} ms", records, (System.nanoTime() - begin) / 1_000_000);
            report("beside the purge", beside);
            assertThat(oldRows(looking)).isZero();
            assertThat(beside).allSatisfy(took -> assertThat(took).isLessThanOrEqualTo(MOST_MILLIS));
        }
    }

    /** Whether it is time to end. */
    @FunctionalInterface
    private interface End {
        boolean isHere() throws SQLException;
    }

    /** Makes one job after the other; how long each took, in ms. */
    private List<Long> create(JobStore store, long until, End end) throws Exception {
        List<Long> took = new ArrayList<>();
        while (System.nanoTime() < until && !(took.size() % 50 == 49 && end.isHere())) {
            long begin = System.nanoTime();
            store.create(SampleJobs.newJob(samples.job(SampleJobs.ALICE, "job " + made++, "Fork", "alice")))
                    .join();
            took.add((System.nanoTime() - begin) / 1_000_000);
            Thread.sleep(BETWEEN);
        }
        return took;
    }

    private static void report(String when, List<Long> took) {
        List<Long> sorted = took.stream().sorted().toList();
        LOG.info(
                "{} jobs made {}: median {} ms, 99 % {} ms, 99.9 % {} ms, slowest {} ms",
                sorted.size(),
                when,
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 99 / 100),
                sorted.get(sorted.size() * 999 / 1000),
                sorted.getLast());
    }

    /** How many old jobs there are, of the last hundred that are taken out: all would be too many to look through again and again. */
    private static long left(Connection looking, int records) throws SQLException {
        try (PreparedStatement select = looking.prepareStatement(
                "SELECT count(*) FROM audit_entry WHERE number > ? AND number <= ? AND kind = 'ENDED'")) {
            select.setLong(1, records - 100L);
            select.setLong(2, records);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    private static long oldRows(Connection looking) throws SQLException {
        try (Statement statement = looking.createStatement();
                ResultSet found = statement.executeQuery("SELECT count(*) FROM audit_job WHERE version = 'old'")) {
            found.next();
            return found.getLong(1);
        }
    }

    /** The server makes them by itself: jobs that ended long ago, each with one entry, in the part of their month. */
    private static void fill(Connection filling, int records) throws SQLException {
        filling.setAutoCommit(false);
        long at = System.currentTimeMillis() - OLD;
        PostgresMonths.make(filling, YearMonth.from(Instant.ofEpochMilli(at).atOffset(ZoneOffset.UTC)));
        String job =
                String.format(Locale.ROOT, "'%08x-%04x-7000-8000-' || lpad(i::text, 12, '0')", at >>> 16, at & 0xFFFF);
        for (int first = 1; first <= records; first += BATCH) {
            int last = Math.min(records, first + BATCH - 1);
            run(
                    filling,
                    "INSERT INTO audit_job (job, grid_id, door, language, subject, account, lrm, created, version, ended, outcome,"
                            + " wall_ms, cpu_ms, slots, description) SELECT " + job + ", i::text, 'rest', 'json',"
                            + " '/CN=User ' || i % 1000, 'pool' || i % 1000, 'Fork', " + at + ", 'old', " + at
                            + ", 'DONE', i % 1000, i % 1000, 1, repeat('x', 500) FROM generate_series(?, ?) AS i",
                    first,
                    last);
            run(
                    filling,
                    "INSERT INTO audit_entry (number, change, job, at, kind, body, hash) SELECT i, 0, " + job + ", "
                            + at + ", 'ENDED', repeat('y', 300), 'hash ' || i FROM generate_series(?, ?) AS i",
                    first,
                    last);
            filling.commit();
        }
        filling.setAutoCommit(true);
        execute(filling, "ANALYZE");
    }

    private static void execute(Connection filling, String sql) throws SQLException {
        try (Statement statement = filling.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void run(Connection filling, String sql, int first, int last) throws SQLException {
        try (PreparedStatement statement = filling.prepareStatement(sql)) {
            statement.setInt(1, first);
            statement.setInt(2, last);
            statement.execute();
        }
    }
}
