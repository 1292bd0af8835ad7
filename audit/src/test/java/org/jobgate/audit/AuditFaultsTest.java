// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jobgate.access.SenderRecord;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.LrmUse;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit where much comes at once, where something breaks, and what jobs used. */
class AuditFaultsTest {

    @TempDir
    Path directory;

    private AuditPlace place;

    private final SampleJobs samples = new SampleJobs(12);
    private JobStore store;
    private Audit audit;
    private volatile Function<JobDescription, String> text = description -> "said";

    @BeforeEach
    void open() throws Exception {
        place = place(directory);
        store = JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), Clock.systemUTC());
        audit = new Audit(
                store,
                new AuditSettings(
                        place.store(),
                        directory,
                        "https://gw.example.org/ManagedExecutableJobService",
                        "1.2",
                        description -> text.apply(description),
                        job -> Optional.empty(),
                        AuditKeeping.FOR_EVER));
    }

    @AfterEach
    void close() throws Exception {
        audit.close();
        store.close();
        place.close();
    }

    /** Where the records are; {@link PostgresAuditIT} has them elsewhere. */
    AuditPlace place(Path where) throws Exception {
        return AuditPlace.file(where);
    }

    private AuditSettings settings() {
        return new AuditSettings(
                place.store(), directory, "x", "1", description -> "", job -> Optional.empty(), AuditKeeping.FOR_EVER);
    }

    private void start(Function<JobDescription, String> said) {
        text = said;
        audit.start(List.of());
    }

    private JobId created(String clientId, String lrm) {
        Job job = samples.job(SampleJobs.ALICE, clientId, lrm, "alice");
        store.create(SampleJobs.newJob(job)).join();
        return job.id();
    }

    private long entries() throws SQLException {
        try (Connection reader = place.database().reader();
                Statement statement = reader.createStatement();
                ResultSet found = statement.executeQuery("SELECT count(*) FROM audit_entry")) {
            found.next();
            return found.getLong(1);
        }
    }

    @Test
    void largeDescriptionsOfManyJobsAreNotHeldInMemoryTogether() {
        int number = 30;
        for (int i = 0; i < number; i++) {
            created("large " + i, "Fork");
        }
        String large = "x".repeat(1024 * 1024);
        AtomicInteger made = new AtomicInteger();
        List<Long> held = new ArrayList<>();
        start(description -> {
            try {
                held.add(made.incrementAndGet() - entries());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return large;
        });
        await().atMost(Duration.ofSeconds(60)).until(() -> entries() == number);
        assertThat(made).hasValue(number);
        assertThat(held).allSatisfy(some -> assertThat(some).isLessThanOrEqualTo(5));
        assertThat(audit.verify()).containsEntry("jobs", (long) number).doesNotContainKey("fault");
    }

    @Test
    void anErrorDoesNotEndTheRecording() {
        JobId job = created("first", "Fork");
        AtomicInteger left = new AtomicInteger(1);
        start(description -> {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return "said";
        });
        await().until(() -> audit.trouble().isPresent());
        assertThat(audit.trouble().orElseThrow()).isEqualTo("the memory is full");
        await().until(() -> audit.job(job.toString()).isPresent());
        await().until(() -> audit.trouble().isEmpty());
    }

    private JobId endedWith(String clientId, @Nullable ResourceUse used) {
        JobId id = created(clientId, "Slurm");
        store.update(id, job -> {
                    Instant now = Instant.now();
                    JobOutcome outcome =
                            JobOutcome.done(0, Duration.ofMillis(2100)).withUse(used);
                    Job over = job.withLocalIds(List.of("4577"))
                            .withOutcome(outcome)
                            .withChanged(now)
                            .withState(JobState.CLEAN_UP);
                    return List.of(
                            Step.of(org.jobgate.job.JobEvent.CLEAN_UP_STARTED, over),
                            Step.of(
                                    org.jobgate.job.JobEvent.COMPLETED,
                                    over.withState(JobState.DONE).withEnded(now)));
                })
                .join();
        return id;
    }

    private static ResourceUse used(long cpuMillis, ResourceUse.Source source) {
        return new ResourceUse(Duration.ofMillis(cpuMillis), null, null, 5000L, 1, List.of("node1"), null, source);
    }

    /** A job can take away what its launcher has counted; that must not take it out of the accounting. */
    @Test
    void aJobThatRanAndSaysNothingOfItselfIsAskedFor() throws Exception {
        start(description -> "said");
        JobId silent = endedWith("silent", null);
        JobId told = endedWith("told", used(3000, ResourceUse.Source.LRM));
        await().until(() -> audit.lag() == 0 && audit.job(told.toString()).isPresent());
        List<JobId> asked = new ArrayList<>();
        Lrm slurm = lrm(jobs -> {
            jobs.forEach(job -> asked.add(job.tag()));
            return Map.of();
        });
        AuditRecorder recorder =
                new AuditRecorder(store, settings(), new AuditLog(place.database(), directory.resolve("audit.head")));
        try (LateUse late = new LateUse(place.database(), List.of(slurm), recorder)) {
            late.round(Instant.now());
        }
        recorder.close();
        assertThat(asked).containsExactly(silent);
    }

    @Test
    void whatTheAccountingSaysLaterTakesThePlaceOfTheJobsOwnWord() throws Exception {
        start(description -> "said");
        JobId own = endedWith("own", used(1000, ResourceUse.Source.JOB));
        JobId told = endedWith("told", used(3000, ResourceUse.Source.LRM));
        await().until(() -> audit.lag() == 0 && audit.job(told.toString()).isPresent());
        assertThat(audit.job(own.toString()).orElseThrow())
                .containsEntry("cpu_ms", 1000L)
                .containsEntry("measured_by", "JOB")
                .containsEntry("wall_ms", 2100L);
        AuditRecorder recorder =
                new AuditRecorder(store, settings(), new AuditLog(place.database(), directory.resolve("audit.head")));
        audit.close();
        List<JobId> asked = new ArrayList<>();
        Lrm slurm = lrm(jobs -> {
            jobs.forEach(job -> asked.add(job.tag()));
            return asked.size() == 1
                    ? Map.of()
                    : Map.of(own, new LrmUse(used(2750, ResourceUse.Source.LRM), Duration.ofSeconds(2)));
        });
        Thread writer = Thread.ofVirtual().start(recorder);
        try (LateUse late = new LateUse(place.database(), List.of(slurm), recorder)) {
            Instant now = Instant.now();
            late.round(now);
            late.round(now.plusSeconds(1));
            assertThat(asked)
                    .as("one that is not known yet is not asked for again at once")
                    .containsExactly(own);
            late.round(now.plusSeconds(30));
            await().until(() ->
                    "LRM".equals(audit.job(own.toString()).orElseThrow().get("measured_by")));
            late.round(now.plusSeconds(600));
        } finally {
            recorder.end();
            writer.join();
            recorder.close();
        }
        assertThat(asked).containsExactly(own, own);
        assertThat(audit.job(own.toString()).orElseThrow())
                .containsEntry("cpu_ms", 2750L)
                .containsEntry("wall_ms", 2000L)
                .containsEntry("outcome", "DONE");
        assertThat(audit.verify()).containsEntry("entries", 5L).doesNotContainKey("fault");
    }

    @Test
    void whatAdministratorsDoStandsInTheSameChain() throws Exception {
        start(description -> "said");
        JobId job = created("first", "Fork");
        await().until(() -> audit.job(job.toString()).isPresent());
        Instant before = Instant.now().minusSeconds(5);
        String nasty = "POST /lrms/Fork?maxJobs='); DROP TABLE audit_entry; --\u0000" + "x".repeat(10_000);
        assertThat(audit.act("the account root", "POST /drain", Optional.empty()))
                .isEmpty();
        assertThat(audit.act("the account jobgate", nasty, Optional.of(job))).isEmpty();
        assertThat(audit.acts(before, 10))
                .extracting(act -> act.get("who"), act -> act.get("what"), act -> act.get("job"))
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple(
                                "the account jobgate", nasty.substring(0, 4096), job.toString()),
                        org.assertj.core.api.Assertions.tuple("the account root", "POST /drain", null));
        assertThat(String.valueOf(audit.job(job.toString()).orElseThrow().get("entries")))
                .as("what was done to a job is shown with it")
                .contains("the account jobgate");
        assertThat(audit.acts(Instant.now().plusSeconds(60), 10)).isEmpty();
        assertThat(audit.verify())
                .containsEntry("entries", 3L)
                .containsEntry("jobs", 1L)
                .doesNotContainKey("fault");
        audit.close();
        try (Connection writer = place.database().writer();
                Statement statement = writer.createStatement()) {
            statement.executeUpdate("DELETE FROM audit_entry WHERE kind = 'ACT' AND body LIKE '%drain%'");
            writer.commit();
        }
        assertThat((String) audit.verify().get("fault")).isEqualTo("Entry 2 is missing.");
    }

    @Test
    void whoSentAJobAndWhyItWasAllowedIsOnRecordAndWhatWasMovedForIt() throws Exception {
        audit.close();
        audit = new Audit(
                store,
                new AuditSettings(
                        place.store(),
                        directory,
                        "x",
                        "1",
                        description -> "",
                        id -> Optional.of(new Moved(2, 1_000, 1, 77, 5, 2)),
                        AuditKeeping.FOR_EVER));
        audit.start(List.of());
        Job job = samples.job(SampleJobs.ALICE, "first", "Fork", "alice");
        DoorRecord sender = new DoorRecord(
                SenderRecord.KIND,
                job.id().toString(),
                job.id(),
                SampleJobs.ALICE,
                "method token\nbecause gridmap permit (the grid-mapfile names the subject)\nissuer https://idp\nfqan"
                        + " /testvo/prod/Role=pilot\nfqan /other\nlater words",
                Instant.now());
        store.create(new NewJob(job, JobDescription.of("/bin/true"), List.of(sender)))
                .join();
        Job element = samples.job(SampleJobs.ALICE, "attempt/" + job.id() + "/2", "Fork", "alice");
        store.create(SampleJobs.newJob(element)).join();
        store.update(job.id(), SampleJobs.event(JobEvent.STAGE_IN_STARTED, JobState.STAGE_IN, Instant.now()))
                .join();
        store.update(job.id(), SampleJobs.finish(Instant.now())).join();
        await().until(() -> audit.job(job.id().toString())
                .filter(row -> row.containsKey("ended"))
                .isPresent());
        assertThat(audit.job(job.id().toString()).orElseThrow())
                .containsEntry("method", "token")
                .containsEntry("issuer", "https://idp")
                .containsEntry("vo", "testvo")
                .containsEntry("fqans", "/testvo/prod/Role=pilot;/other")
                .containsEntry("permitted_because", "gridmap permit (the grid-mapfile names the subject)")
                .containsEntry("stage_in", cameTo(job.id(), JobState.STAGE_IN))
                .containsEntry("files_in", 2L)
                .containsEntry("bytes_in", 1_000L)
                .containsEntry("files_out", 1L)
                .containsEntry("bytes_out", 77L)
                .containsEntry("transfer_attempts", 5L)
                .containsEntry("transfer_failures", 2L)
                .containsKey("clean_up")
                .doesNotContainKeys("scopes", "stage_out");
        await().until(() -> audit.job(element.id().toString()).isPresent());
        assertThat(audit.job(element.id().toString()).orElseThrow())
                .as("a further attempt has the sender of the first")
                .containsEntry("vo", "testvo")
                .doesNotContainKeys("files_in", "stage_in");
        await().until(() -> Files.exists(directory.resolve("audit.head")));
        assertThat(audit.verify()).doesNotContainKey("fault");
    }

    /** A gateway that was killed between the states of a job has not seen all of them itself. */
    @Test
    void timesOfStatesThatPassedBeforeTheStartAreThoseOfTheStore() throws Exception {
        JobId job = created("first", "Fork");
        store.update(job, SampleJobs.event(JobEvent.STAGE_IN_STARTED, JobState.STAGE_IN, Instant.now()))
                .join();
        start(description -> "said");
        await().until(() -> audit.lag() == 0);
        audit.close();
        audit = new Audit(store, settings());
        store.update(job, SampleJobs.finish(Instant.now())).join();
        start(description -> "said");
        await().until(() -> audit.job(job.toString())
                .filter(row -> row.containsKey("ended"))
                .isPresent());
        assertThat(audit.job(job.toString()).orElseThrow()).containsEntry("stage_in", cameTo(job, JobState.STAGE_IN));
    }

    private long cameTo(JobId job, JobState state) {
        return store.changesOf(job).stream()
                .filter(change -> change.to() == state)
                .findFirst()
                .orElseThrow()
                .at()
                .toEpochMilli();
    }

    private interface Accounting {
        Map<JobId, LrmUse> used(List<Lrm.LrmJob> jobs) throws LrmUnavailableException;
    }

    @SuppressWarnings("unchecked")
    private static Lrm lrm(Accounting accounting) {
        return (Lrm) Proxy.newProxyInstance(
                Lrm.class.getClassLoader(),
                new Class<?>[] {Lrm.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> "Slurm";
                    case "used" -> accounting.used((List<Lrm.LrmJob>) arguments[1]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
