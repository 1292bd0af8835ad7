// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jobgate.job.FaultCode;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.store.JobQuery;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose store is put back to what it was, while its LRM went on: no job of before runs twice. */
class RestoreTest extends EngineTestBase {

    private Instant takenAt = Instant.EPOCH;
    private Instant restoredAt = Instant.EPOCH;

    @TempDir
    Path backups;

    private void backUp() throws SQLException {
        takenAt = Instant.now();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobgate.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM INTO '" + backups.resolve("copy.db") + "'");
        }
    }

    /** Ends the engine, puts the copy in the place of its store, and starts it as one that still gathers. */
    private void restore() throws IOException {
        engine.close();
        store.close();
        for (String file : List.of("jobgate.db", "jobgate.db-wal", "jobgate.db-shm")) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.copy(backups.resolve("copy.db"), directory.resolve("jobgate.db"));
        store = TestStores.sqlite(directory);
        restoredAt = Instant.now();
        reopen(true);
    }

    private void reopen(boolean isGathering) {
        engine = new JobEngine(
                store,
                lrms(),
                null,
                null,
                JobLimits.defaults(),
                QUICK,
                Clock.systemUTC(),
                new Random(2),
                Interlude.none());
        engine.restoration().begin(takenAt, restoredAt, Set.of("alice"), isGathering);
        engine.start();
    }

    private Submitted submit(String key) {
        return engine.submit(new Submission(
                engine.newId(ALICE, TestStores.ORIGIN.door(), key),
                TestStores.ORIGIN,
                ALICE,
                key,
                "Fork",
                TRUE,
                null,
                null,
                List.of()));
    }

    private RestoreReport report() {
        return engine.restoration().report().orElseThrow();
    }

    @Test
    void aSubmissionThatComesAgainGetsTheJobThatTheLrmHasRun() throws Exception {
        submit("before");
        backUp();
        JobId running = submit("running").job().id();
        JobId over = submit("over").job().id();
        awaitState(running, JobState.PENDING);
        awaitState(over, JobState.PENDING);
        lrm.start(running);
        lrm.end(over, 7);
        awaitState(over, JobState.DONE);

        restore();
        lrm.replay();

        assertThat(report().left()).extracting(job -> job.event().tag()).containsExactlyInAnyOrder(running, over);
        assertFault(() -> submit("running"), FaultCode.SHUTTING_DOWN);
        engine.resume();
        assertThat(submit("running").job().id()).isEqualTo(running);
        assertThat(submit("over").job().id()).isEqualTo(over);
        awaitState(running, JobState.ACTIVE);
        Job ended = awaitState(over, JobState.DONE);
        assertThat(outcome(ended).exitCode()).isEqualTo(7);
        assertThat(lrm.starts(running)).isEqualTo(1);
        assertThat(lrm.starts(over)).isEqualTo(1);
        await().until(() -> report().left().isEmpty());
        lrm.end(running, 0);
        awaitState(running, JobState.DONE);
        assertThat(submit("over").isNew()).isFalse();
    }

    @Test
    void whatWasGatheredOutlivesTheNextStart() throws Exception {
        backUp();
        JobId over = submit("over").job().id();
        awaitState(over, JobState.PENDING);
        lrm.end(over, 0);
        awaitState(over, JobState.DONE);
        restore();
        lrm.replay();
        engine.close();
        reopen(false);

        assertThat(submit("over").job().id()).isEqualTo(over);
        awaitState(over, JobState.DONE);
        assertThat(lrm.starts(over)).isEqualTo(1);
    }

    @Test
    void aJobThatTheBackupHoldsAsWaitingIsNotGivenAgain() throws Exception {
        lrm.setMood(FakeLrm.Mood.SILENT);
        JobId waiting = submit("waiting").job().id();
        await().until(() -> store.find(waiting).filter(Job::submitTried).isPresent());
        backUp();
        lrm.setMood(FakeLrm.Mood.ACCEPT);
        awaitState(waiting, JobState.PENDING);
        lrm.end(waiting, 0);
        awaitState(waiting, JobState.DONE);

        restore();
        lrm.replay();
        awaitState(waiting, JobState.DONE);
        assertThat(lrm.starts(waiting)).isEqualTo(1);
    }

    @Test
    void elementsThatBeganAfterTheBackupAreNotRunTwice() throws Exception {
        GroupTemplate template = GroupTemplate.ofIndexes(TRUE, new GroupIndexes(0, 1, 3));
        JobId group = engine.groups()
                .submit(new GroupSubmission(newId(), TestStores.ORIGIN, ALICE, "array", "Fork", template, 1, null))
                .group()
                .id();
        await().until(() -> lrm.taken() == 1);
        backUp();
        JobId first = only();
        lrm.end(first, 0);
        await().until(() -> lrm.taken() == 2);
        store.list(JobQuery.builder().build()).forEach(job -> lrm.start(job.id()));

        restore();
        assertThat(lrm.taken()).isEqualTo(2);
        lrm.replay();
        awaitState(first, JobState.DONE);
        Thread.sleep(300); // more than a sweep: no element may begin now
        assertThat(lrm.taken()).isEqualTo(2);
        JobId second = report().left().getFirst().event().tag();
        engine.resume();
        await().until(() -> store.find(second).isPresent());
        awaitState(second, JobState.ACTIVE);
        assertThat(lrm.taken()).isEqualTo(2);
        assertThat(lrm.starts(second)).isEqualTo(1);
        assertThat(store.groups().find(group)).isPresent();
        await().untilAsserted(() -> assertThat(report().left()).isEmpty());
    }

    private JobId only() {
        return store.list(JobQuery.builder().build()).getFirst().id();
    }

    @Test
    void anAccountThatNamesATagOfAnothersKeyGainsNothing() throws Exception {
        backUp();
        JobId hers = submit("hers").job().id();
        awaitState(hers, JobState.PENDING);
        lrm.start(hers);
        restore();
        lrm.tellAs(
                "bob",
                new LrmEvent(
                        hers,
                        List.of("fake:1"),
                        LrmEvent.Kind.ENDED,
                        Instant.now(),
                        new LrmEvent.End(LrmEvent.Cause.EXITED, 0, null, Duration.ZERO, null, null)));
        lrm.replay();
        engine.resume();
        assertThat(submit("hers").job().id()).isEqualTo(hers);
        Job running = awaitState(hers, JobState.ACTIVE);
        assertThat(running.outcome()).isNull();
        assertThat(lrm.starts(hers)).isEqualTo(1);
    }

    @Test
    void anAccountThatTellsOfManyJobsLeavesRoomForThoseOfOthers() throws Exception {
        backUp();
        JobId hers = submit("hers").job().id();
        awaitState(hers, JobState.PENDING);
        lrm.start(hers);
        restore();
        List<String> ids = Collections.nCopies(1_000, "x".repeat(1_000));
        for (int i = 0; i < 110; i++) {
            lrm.tellAs(
                    "bob",
                    new LrmEvent(
                            JobId.create(Clock.systemUTC(), new Random(100 + i)),
                            ids,
                            LrmEvent.Kind.QUEUED,
                            Instant.now(),
                            null));
        }
        assertThat(report().left().stream().mapToLong(LeftJob::size).sum())
                .isBetween(AfterRestore.MOST_SIZE / 3, AfterRestore.MOST_SIZE / 2);
        assertThat(report().moreLeft()).isPositive();
        lrm.replay();
        engine.resume();
        assertThat(submit("hers").job().id()).isEqualTo(hers);
        awaitState(hers, JobState.ACTIVE);
        assertThat(lrm.starts(hers)).isEqualTo(1);
    }

    @Test
    void aJobThatWasMadeAfterTheRestoreIsNoneThatTheStoreHasLost() {
        takenAt = Instant.now().minus(Duration.ofHours(2));
        restoredAt = Instant.now().minus(Duration.ofHours(1));
        engine.close();
        reopen(false);
        lrm.tellAs(
                "alice",
                new LrmEvent(
                        JobId.create(Clock.systemUTC(), new Random(3)),
                        List.of("fake:1"),
                        LrmEvent.Kind.QUEUED,
                        Instant.now(),
                        null));
        assertThat(report().left()).isEmpty();
    }

    @Test
    void aLookUpThatFailsIsRepeated() throws Exception {
        JobId lost = submit("lost").job().id();
        awaitState(lost, JobState.PENDING);
        backUp();
        lrm.forget("alice", List.of(new Lrm.LrmJob(lost, List.of())));
        lrm.failLookup(new IllegalStateException("on purpose"));
        restore();
        await().until(() -> report().unknown().contains(lost));
        assertThat(report().unasked()).isEmpty();
    }

    @Test
    void whatNoLrmKnowsIsSaid() throws Exception {
        JobId lost = submit("lost").job().id();
        awaitState(lost, JobState.PENDING);
        backUp();
        lrm.forget("alice", List.of(new Lrm.LrmJob(lost, List.of())));
        restore();
        await().until(() -> report().unknown().contains(lost));
        Job job = awaitJob(lost, found -> found.pendingReason() != null);
        assertThat(job.state()).isEqualTo(JobState.PENDING);
        assertThat(requireNonNull(job.pendingReason()).because()).contains("how it ended cannot be known");
        assertThat(lrm.starts(lost)).isEqualTo(1);
    }
}
