// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.store.sql.SampleJobs.ALICE;
import static org.jobgate.store.sql.SampleJobs.BOB;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;

/** How jobs come into a store, change and leave it. */
public abstract class JobStoreWriteContract extends JobStoreFixture {

    @Test
    void aCreatedJobIsFoundByIdAndByKeyWithItsDescription() throws Exception {
        NewJob newJob = new NewJob(samples.job(BOB, "my job", "Slurm", "bob"), SampleJobs.fullDescription(), List.of());
        Job job = created(newJob);
        assertThat(job.version()).isEqualTo(1);
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.find(new SubmissionKey(BOB, "test", "my job"))).contains(job);
        assertThat(store.description(job.id())).contains(SampleJobs.fullDescription());
        reopen();
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.find(new SubmissionKey(BOB, "test", "my job"))).contains(job);
        assertThat(store.description(job.id())).contains(SampleJobs.fullDescription());
    }

    @Test
    void oneClientIdOfOneOwnerNamesAJobAtEachDoor() throws Exception {
        Job first = created(SampleJobs.newJob(samples.job(ALICE, "one", "Fork", "alice")));
        SubmissionKey key = new SubmissionKey(ALICE, "other", "one");
        JobId id = samples.job(ALICE, "x", "Fork", "alice").id();
        Job second = created(
                SampleJobs.newJob(Job.create(id, key, "json", first.owner(), "Slurm", null, clock.instant(), null)));
        for (int i = 0; i < 2; i++) {
            assertThat(store.find(new SubmissionKey(ALICE, "test", "one"))).contains(first);
            assertThat(store.find(key)).contains(second);
            assertThat(store.find(second.id()).map(Job::origin)).contains(new JobOrigin("other", "json"));
            assertThat(store.find(new SubmissionKey(ALICE, "third", "one"))).isEmpty();
            reopen();
        }
        updated(second.id(), SampleJobs.finish(NOON));
        get(store.purge(NOON.plusSeconds(100_000), 10));
        assertThat(store.find(key)).isEmpty();
        assertThat(store.find(new SubmissionKey(ALICE, "test", "one"))).contains(first);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        JobId none = samples.job(ALICE, "x", "Fork", "alice").id();
        assertThat(store.find(none)).isEmpty();
        assertThat(store.find(new SubmissionKey(ALICE, "test", "x"))).isEmpty();
        assertThat(store.description(none)).isEmpty();
        assertThat(store.changesOf(none)).isEmpty();
        assertThat(store.lastChange()).isZero();
        assertThat(get(store.update(none, job -> List.of()))).isEmpty();
    }

    @Test
    void theSameKeyAgainAnswersTheJobThatIsThere() throws Exception {
        Job first = createdFor(ALICE, "k");
        assertThat(get(store.create(samples.newJob(ALICE, "k")))).isEqualTo(new CreateResult.Existing(first));
        reopen();
        assertThat(get(store.create(samples.newJob(ALICE, "k")))).isEqualTo(new CreateResult.Existing(first));
        assertThat(store.list(JobQuery.all())).containsExactly(first);
        assertThat(store.changesAfter(0, 10)).hasSize(1);
    }

    @Test
    void theSameKeyForAnotherOwnerIsAnotherJob() {
        Job alices = createdFor(ALICE, "k");
        Job bobs = createdFor(BOB, "k");
        assertThat(store.list(JobQuery.live())).containsExactly(alices, bobs);
    }

    @Test
    void theSameKeyWithAnotherDescriptionLrmOrAccountIsAConflict() {
        Job first = createdFor(ALICE, "k");
        CreateResult conflict = new CreateResult.Conflict(first);
        NewJob otherDescription =
                new NewJob(samples.job(ALICE, "k", "Fork", "alice"), JobDescription.of("/bin/echo", "bye"), List.of());
        assertThat(get(store.create(otherDescription))).isEqualTo(conflict);
        assertThat(get(store.create(SampleJobs.newJob(samples.job(ALICE, "k", "Slurm", "alice")))))
                .isEqualTo(conflict);
        assertThat(get(store.create(SampleJobs.newJob(samples.job(ALICE, "k", "Fork", "bob")))))
                .isEqualTo(conflict);
        assertThat(store.list(JobQuery.all())).containsExactly(first);
    }

    @Test
    void theKeyOfAFinishedJobStillNamesIt() {
        Job job = createdFor(ALICE, "k");
        Job finished = updated(job.id(), SampleJobs.finish(NOON));
        assertThat(get(store.create(samples.newJob(ALICE, "k")))).isEqualTo(new CreateResult.Existing(finished));
    }

    @Test
    void aBulkCreateAnswersEachJobInOrder() {
        Job old = createdFor(ALICE, "old");
        List<CreateResult> results = get(store.createAll(List.of(
                samples.newJob(ALICE, "1"),
                samples.newJob(ALICE, "old"),
                samples.newJob(ALICE, "2"),
                samples.newJob(ALICE, "1"),
                SampleJobs.newJob(samples.job(ALICE, "2", "Slurm", "alice")))));
        assertThat(results)
                .hasExactlyElementsOfTypes(
                        CreateResult.Created.class,
                        CreateResult.Existing.class,
                        CreateResult.Created.class,
                        CreateResult.Existing.class,
                        CreateResult.Conflict.class);
        assertThat(results.get(1).job()).isEqualTo(old);
        assertThat(results.get(3).job()).isEqualTo(results.get(0).job());
        assertThat(results.get(4).job()).isEqualTo(results.get(2).job());
        assertThat(get(store.createAll(List.of()))).isEmpty();
    }

    @Test
    void theRecordsOfANewJobAreStoredWithIt() {
        Job job = samples.job(ALICE, "k", "Fork", "alice");
        DoorRecord record = new DoorRecord("gram.subscription", "s1", job.id(), ALICE, "{}", NOON);
        created(new NewJob(job, JobDescription.of("/bin/true"), List.of(record)));
        assertThat(store.recordsOf("gram.subscription", job.id())).containsExactly(record);
    }

    @Test
    void aJobWhoseKeyIsNotItsOwnersIsRefused() {
        Job job = samples.job(ALICE, "k", "Fork", "alice");
        Job foreign = Job.create(
                job.id(), new SubmissionKey(BOB, "test", "k"), "trial", job.owner(), "Fork", null, NOON, null);
        CompletableFuture<CreateResult> answer = store.create(SampleJobs.newJob(foreign));
        assertThatThrownBy(() -> get(answer)).hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(store.list(JobQuery.all())).isEmpty();
    }

    @Test
    void anIdThatIsUsedFailsItsCreateAlone() {
        Job job = samples.job(ALICE, "1", "Fork", "alice");
        Job sameId = Job.create(
                job.id(), new SubmissionKey(ALICE, "test", "2"), "trial", job.owner(), "Fork", null, NOON, null);
        created(SampleJobs.newJob(job));
        List<CompletableFuture<CreateResult>> answers = List.of(
                store.create(samples.newJob(ALICE, "3")),
                store.create(SampleJobs.newJob(sameId)),
                store.create(samples.newJob(ALICE, "4")));
        assertThat(get(answers.get(0))).isInstanceOf(CreateResult.Created.class);
        assertThatThrownBy(() -> get(answers.get(1))).isNotNull();
        assertThat(get(answers.get(2))).isInstanceOf(CreateResult.Created.class);
        assertThat(store.find(new SubmissionKey(ALICE, "test", "2"))).isEmpty();
        assertThat(store.list(JobQuery.all())).hasSize(3);
    }

    @Test
    void manyThreadsWithTheSameKeyMakeOneJob() throws Exception {
        int threads = 16;
        List<CreateResult> results = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch go = new CountDownLatch(1);
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            jobs.add(samples.newJob(ALICE, "same"));
        }
        List<Thread> running = jobs.stream()
                .map(job -> Thread.ofVirtual().start(() -> {
                    await(go);
                    results.add(get(store.create(job)));
                }))
                .toList();
        go.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(results).hasSize(threads);
        assertThat(results).filteredOn(CreateResult.Created.class::isInstance).hasSize(1);
        assertThat(results)
                .extracting(result -> result.job().id())
                .containsOnly(results.getFirst().job().id());
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void everyPartOfAJobIsReadBackAsItWasWritten() throws Exception {
        Job job = createdFor(ALICE, "k");
        Job full = updated(
                job.id(),
                current -> List.of(Step.of(
                        current.withState(JobState.SUSPENDED)
                                .withInputReady(true)
                                .withHoldAt(JobState.STAGE_OUT)
                                .withHolding(true)
                                .withLocalIds(List.of("1234.host", "with \"quotes\" and ü"))
                                .withSubmitTried(true)
                                .withQueued(NOON.plusSeconds(1))
                                .withStarted(NOON.plusSeconds(2))
                                .withTerminationTime(Instant.parse("9999-12-31T23:59:59Z"))
                                .withPendingReason(
                                        new PendingReason(NOON.plusNanos(987_654_321), "no answer from the LRM"))
                                .withDestroyed(true),
                        "everything")));
        assertThat(full.version()).isEqualTo(2);
        assertThat(full.pendingReason())
                .extracting(PendingReason::since)
                .isEqualTo(Instant.parse("2026-11-20T12:00:01.111110Z"));
        assertThat(store.find(job.id())).contains(full);
        reopen();
        assertThat(store.find(job.id())).contains(full);
    }

    @Test
    void theStepsOfOneUpdateAreStoredInOrderAndSilentOnesArePublishedToNobody() {
        Job job = createdFor(ALICE, "k");
        Job after = updated(
                job.id(),
                current -> List.of(
                        Step.of(JobEvent.LRM_ACCEPTED, SampleJobs.moved(current, JobState.PENDING, NOON)),
                        Step.silent(SampleJobs.moved(current, JobState.PENDING, NOON)
                                .withSubmitTried(true)),
                        Step.of(
                                SampleJobs.moved(current, JobState.PENDING, NOON)
                                        .withHolding(true),
                                "held")));
        assertThat(after.version()).isEqualTo(4);
        assertThat(after.submitTried()).isFalse();
        List<Change> changes = store.changesOf(job.id());
        assertThat(changes).extracting(Change::version).containsExactly(1L, 2L, 4L);
        assertThat(changes).extracting(Change::from).containsExactly(null, JobState.UNSUBMITTED, JobState.PENDING);
        assertThat(changes)
                .extracting(Change::to)
                .containsExactly(JobState.UNSUBMITTED, JobState.PENDING, JobState.PENDING);
        assertThat(changes).extracting(Change::event).containsExactly(null, JobEvent.LRM_ACCEPTED, null);
        assertThat(changes).extracting(Change::note).containsExactly(null, null, "held");
        assertThat(changes).extracting(Change::holding).containsExactly(false, false, true);
    }

    @Test
    void anUpdateThatThrowsFailsAloneAndChangesNothing() {
        Job job = createdFor(ALICE, "k");
        CompletableFuture<Optional<Job>> before = store.update(job.id(), j -> List.of(Step.of(j, "one")));
        CompletableFuture<Optional<Job>> bad = store.update(job.id(), j -> {
            throw new IllegalStateException("not now");
        });
        CompletableFuture<Optional<Job>> after = store.update(job.id(), j -> List.of(Step.of(j, "two")));
        assertThat(get(before).orElseThrow().version()).isEqualTo(2);
        assertThatThrownBy(() -> get(bad)).hasRootCauseMessage("not now");
        assertThat(get(after).orElseThrow().version()).isEqualTo(3);
        assertThat(store.changesOf(job.id())).extracting(Change::note).containsExactly(null, "one", "two");
    }

    @Test
    void anUpdateThatBreaksARuleOfTheRecordIsRefusedWhole() {
        Job job = createdFor(ALICE, "k");
        Job other = createdFor(ALICE, "other");
        assertThatThrownBy(() -> updated(job.id(), j -> List.of(Step.of(j, "fine"), Step.of(other, "another job"))))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> updated(job.id(), j -> List.of(Step.of(j.withState(JobState.DONE), "no end"))))
                .hasCauseInstanceOf(IllegalStateException.class);
        updated(job.id(), SampleJobs.finish(NOON));
        assertThatThrownBy(() -> updated(job.id(), j -> List.of(Step.of(j.withState(JobState.ACTIVE), "again"))))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(store.find(job.id())).map(Job::state).contains(JobState.DONE);
        assertThat(store.changesOf(job.id())).hasSize(3);
    }

    @Test
    void updatesOfOneJobFromManyThreadsNeverOverlap() throws Exception {
        Job job = createdFor(ALICE, "k");
        int threads = 8;
        int each = 50;
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofVirtual().start(() -> {
                for (int n = 0; n < each; n++) {
                    updated(job.id(), j -> List.of(Step.silent(j.withLocalIds(List.of(count(j) + 1 + "")))));
                }
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        Job after = store.find(job.id()).orElseThrow();
        assertThat(count(after)).isEqualTo(threads * each);
        assertThat(after.version()).isEqualTo(1 + threads * each);
    }

    private static int count(Job job) {
        return job.localIds().isEmpty() ? 0 : Integer.parseInt(job.localIds().getFirst());
    }

    @Test
    void anUpdateWithoutStepsAnswersTheJobAndWritesNothing() {
        Job job = createdFor(ALICE, "k");
        assertThat(updated(job.id(), j -> List.of())).isEqualTo(job);
        assertThat(store.lastChange()).isEqualTo(1);
    }

    @Test
    void textsForPeopleMayHoldAnything() {
        Job job = createdFor(ALICE, "k");
        Job after = updated(
                job.id(),
                j -> List.of(Step.of(j.withPendingReason(new PendingReason(NOON, "a\0b\uD800c")), "n\0o\uDC00te")));
        assertThat(after.pendingReason()).extracting(PendingReason::because).isEqualTo("a\uFFFDb\uFFFDc");
        assertThat(store.find(job.id())).contains(after);
        assertThat(store.changesOf(job.id()).getLast().note()).isEqualTo("n\uFFFDo\uFFFDte");
    }

    @Test
    void aFinishedJobIsFoundListedAndMayStillBeForgotten() throws Exception {
        Job live = createdFor(ALICE, "live");
        Job job = createdFor(ALICE, "over");
        Job finished = updated(job.id(), SampleJobs.finish(NOON));
        assertThat(store.find(job.id())).contains(finished);
        assertThat(store.list(JobQuery.live())).containsExactly(live);
        assertThat(store.list(JobQuery.all())).containsExactly(live, finished);
        Job destroyed = updated(
                job.id(),
                j -> List.of(Step.of(j.withDestroyed(true).withTerminationTime(NOON.plusSeconds(5)), "destroyed")));
        assertThat(destroyed.isGone()).isTrue();
        reopen();
        assertThat(store.find(job.id())).contains(destroyed);
        assertThat(destroyed.settledOutcome()).map(JobOutcome::exitCode).contains(3);
        assertThat(store.list(JobQuery.all().toBuilder()
                        .terminationBefore(NOON.plusSeconds(5))
                        .build()))
                .containsExactly(destroyed);
        assertThat(store.findAll(List.of(
                        live.id(),
                        job.id(),
                        samples.job(ALICE, "none", "Fork", "a").id())))
                .isEqualTo(Map.of(live.id(), live, job.id(), destroyed));
    }

    @Test
    void aJobCreatedUpdatedAndFinishedInOneTransactionIsWhole() {
        NewJob newJob = samples.newJob(ALICE, "k");
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var create = store.create(newJob);
        var update = store.update(newJob.job().id(), j -> List.of(Step.of(j.withHolding(true), "held")));
        var again = store.create(samples.newJob(ALICE, "k"));
        var finish = store.update(newJob.job().id(), SampleJobs.finish(NOON));
        hold.countDown();
        assertThat(get(create)).isInstanceOf(CreateResult.Created.class);
        assertThat(get(again).job()).isEqualTo(get(update).orElseThrow());
        assertThat(get(finish)).contains(store.find(newJob.job().id()).orElseThrow());
        assertThat(store.changesOf(newJob.job().id()))
                .extracting(Change::version)
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(store.countLive(ALICE)).isZero();
    }

    @Test
    void purgeForgetsOldFinishedJobsWithTheirKeysChangesAndRecords() throws Exception {
        Job live = createdFor(ALICE, "live");
        Job old = createdFor(ALICE, "old");
        Job recent = createdFor(ALICE, "recent");
        updated(old.id(), SampleJobs.finish(NOON));
        updated(recent.id(), SampleJobs.finish(NOON.plusSeconds(10)));
        get(store.putRecord(new DoorRecord("k", "1", old.id(), null, "body", NOON)));
        get(store.putRecord(new DoorRecord("k", "2", live.id(), null, "body", NOON)));
        long last = store.lastChange();

        assertThat(get(store.purge(NOON.plusSeconds(10), 100))).isEqualTo(1);

        assertThat(store.find(old.id())).isEmpty();
        assertThat(store.find(old.key())).isEmpty();
        assertThat(store.description(old.id())).isEmpty();
        assertThat(store.changesOf(old.id())).isEmpty();
        assertThat(store.changesAfter(0, 100)).extracting(Change::job).doesNotContain(old.id());
        assertThat(store.findRecord("k", "1")).isEmpty();
        assertThat(store.findRecord("k", "2")).isPresent();
        assertThat(store.list(JobQuery.all())).extracting(Job::id).containsExactly(live.id(), recent.id());
        assertThat(created(samples.newJob(ALICE, "old")).id()).isNotEqualTo(old.id());
        assertThat(store.lastChange()).isEqualTo(last + 1);
    }

    @Test
    void purgeForgetsAtMostTheLimitOldestFirst() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            jobs.add(createdFor(ALICE, "j" + i));
            updated(jobs.get(i).id(), SampleJobs.finish(NOON.plusSeconds(i)));
        }
        assertThat(get(store.purge(NOON.plusSeconds(100), 3))).isEqualTo(3);
        assertThat(store.list(JobQuery.all()))
                .extracting(Job::id)
                .containsExactly(jobs.get(3).id(), jobs.get(4).id());
        assertThat(get(store.purge(NOON.plusSeconds(100), 3))).isEqualTo(2);
        assertThat(get(store.purge(NOON.plusSeconds(100), 3))).isZero();
    }

    /** Those that still count, such as the first jobs of a flow that is not over; however many there are, others are found behind them. */
    @Test
    void purgeKeepsThoseThatItIsToldTo() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            jobs.add(createdFor(ALICE, "j" + i));
            updated(jobs.get(i).id(), SampleJobs.finish(NOON.plusSeconds(i)));
        }
        Set<JobId> kept = Set.of(jobs.get(0).id(), jobs.get(1).id(), jobs.get(3).id());
        assertThat(get(store.purge(NOON.plusSeconds(100), 1, kept))).isEqualTo(1);
        assertThat(get(store.purge(NOON.plusSeconds(100), 9, kept))).isEqualTo(1);
        assertThat(store.list(JobQuery.all())).extracting(Job::id).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(get(store.purge(NOON.plusSeconds(100), 9))).isEqualTo(3);
    }

    @Test
    void aSequenceNumberIsNeverGivenTwiceEvenAfterAllWasPurgedAndReopened() throws Exception {
        Job job = createdFor(ALICE, "k");
        updated(job.id(), SampleJobs.finish(NOON));
        long last = store.lastChange();
        get(store.purge(NOON.plusSeconds(1), 10));
        reopen();
        assertThat(store.lastChange()).isEqualTo(last);
        createdFor(ALICE, "next");
        assertThat(store.changesAfter(last, 10)).extracting(Change::sequence).containsExactly(last + 1);
    }
}
