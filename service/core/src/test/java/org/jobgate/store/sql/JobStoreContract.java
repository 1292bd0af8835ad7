// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.store.sql.SampleJobs.ALICE;
import static org.jobgate.store.sql.SampleJobs.BOB;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jobgate.job.Doubt;
import org.jobgate.job.Ending;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link JobStore} does, whatever database it lies on. */
@Timeout(60)
public abstract class JobStoreContract {

    protected static final Instant NOON = Instant.parse("2026-11-20T12:00:00.123456Z");

    protected final Clock clock = new RisingClock(NOON);
    protected final SampleJobs samples = new SampleJobs(7);
    protected JobStore store;

    /** The settings of an empty store; the same each time within one test. */
    protected abstract StoreSettings settings() throws Exception;

    /** Makes the database itself refuse every change with this note, as a fault of ours would. */
    protected abstract void refuseChangesWithNote(String note) throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = JobStores.open(settings(), clock);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    protected void reopen() throws Exception {
        reopen(UnaryOperator.identity());
    }

    protected void reopen(UnaryOperator<StoreSettings> change) throws Exception {
        store.close();
        store = JobStores.open(change.apply(settings()), clock);
    }

    protected static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    protected static FaultCode faultOf(CompletableFuture<?> future) {
        try {
            Object answer = future.get(30, TimeUnit.SECONDS);
            throw new AssertionError("it was not refused but answered " + answer);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FaultException refused) {
                return refused.fault().code();
            }
            throw new AssertionError("it failed otherwise", e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    protected Job created(NewJob newJob) {
        return ((CreateResult.Created) get(store.create(newJob))).job();
    }

    protected Job createdFor(String subject, String clientId) {
        return created(samples.newJob(subject, clientId));
    }

    protected Job updated(JobId id, org.jobgate.store.JobUpdate update) {
        return get(store.update(id, update)).orElseThrow();
    }

    // --- create

    @Test
    void aCreatedJobIsFoundByIdAndByKeyWithItsDescription() throws Exception {
        NewJob newJob = new NewJob(samples.job(BOB, "my job", "Slurm", "bob"), SampleJobs.fullDescription(), List.of());
        Job job = created(newJob);
        assertThat(job.version()).isEqualTo(1);
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.find(new SubmissionKey(BOB, "my job"))).contains(job);
        assertThat(store.description(job.id())).contains(SampleJobs.fullDescription());
        reopen();
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.find(new SubmissionKey(BOB, "my job"))).contains(job);
        assertThat(store.description(job.id())).contains(SampleJobs.fullDescription());
    }

    @Test
    void whatIsNotThereIsNotFound() {
        JobId none = samples.job(ALICE, "x", "Fork", "alice").id();
        assertThat(store.find(none)).isEmpty();
        assertThat(store.find(new SubmissionKey(ALICE, "x"))).isEmpty();
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
        Job foreign = Job.create(job.id(), new SubmissionKey(BOB, "k"), job.owner(), "Fork", null, NOON, null);
        CompletableFuture<CreateResult> answer = store.create(SampleJobs.newJob(foreign));
        assertThatThrownBy(() -> get(answer)).hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(store.list(JobQuery.all())).isEmpty();
    }

    @Test
    void anIdThatIsUsedFailsItsCreateAlone() {
        Job job = samples.job(ALICE, "1", "Fork", "alice");
        Job sameId = Job.create(job.id(), new SubmissionKey(ALICE, "2"), job.owner(), "Fork", null, NOON, null);
        created(SampleJobs.newJob(job));
        List<CompletableFuture<CreateResult>> answers = List.of(
                store.create(samples.newJob(ALICE, "3")),
                store.create(SampleJobs.newJob(sameId)),
                store.create(samples.newJob(ALICE, "4")));
        assertThat(get(answers.get(0))).isInstanceOf(CreateResult.Created.class);
        assertThatThrownBy(() -> get(answers.get(1))).isNotNull();
        assertThat(get(answers.get(2))).isInstanceOf(CreateResult.Created.class);
        assertThat(store.find(new SubmissionKey(ALICE, "2"))).isEmpty();
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

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // --- update

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
                                .withDoubt(new Doubt(NOON.plusNanos(987_654_321), "no answer from the LRM"))
                                .withDestroyed(true),
                        "everything")));
        assertThat(full.version()).isEqualTo(2);
        assertThat(full.doubt()).extracting(Doubt::since).isEqualTo(Instant.parse("2026-11-20T12:00:01.111110Z"));
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
        Job after =
                updated(job.id(), j -> List.of(Step.of(j.withDoubt(new Doubt(NOON, "a\0b\uD800c")), "n\0o\uDC00te")));
        assertThat(after.doubt()).extracting(Doubt::because).isEqualTo("a\uFFFDb\uFFFDc");
        assertThat(store.find(job.id())).contains(after);
        assertThat(store.changesOf(job.id()).getLast().note()).isEqualTo("n\uFFFDo\uFFFDte");
    }

    // --- finished jobs

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
        assertThat(destroyed.settledEnding()).map(Ending::exitCode).contains(3);
        assertThat(store.list(JobQuery.all().expiredAt(NOON.plusSeconds(5)))).containsExactly(destroyed);
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

    /** Keeps the writer busy, so that what is handed in next gathers to one batch. */
    protected void holdWriter(CountDownLatch release) {
        CountDownLatch held = new CountDownLatch(1);
        Job busy = createdFor(BOB, "busy" + System.nanoTime());
        var unused = store.update(busy.id(), j -> {
            held.countDown();
            await(release);
            return List.of();
        });
        await(held);
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

    // --- queries

    @Test
    void queriesRestrictByEachConditionAndByAllTogether() {
        Job a = createdFor(ALICE, "a");
        Job b = created(SampleJobs.newJob(samples.job(BOB, "b", "Slurm", "bob")));
        Job c = created(SampleJobs.newJob(samples.job(ALICE, "c", "Slurm", "alice")));
        Job held = updated(
                c.id(),
                j -> List.of(
                        Step.of(j.withState(JobState.PENDING).withHolding(true).withTerminationTime(NOON), "held")));
        Job settled = updated(
                b.id(),
                j -> List.of(Step.of(j.withState(JobState.CLEAN_UP).withEnding(Ending.done(0, null)), "settled")));
        JobQuery live = JobQuery.live();
        assertThat(store.list(live)).containsExactly(a, settled, held);
        assertThat(store.list(live.ofSubject(ALICE))).containsExactly(a, held);
        assertThat(store.list(live.inLrm("Slurm"))).containsExactly(settled, held);
        assertThat(store.list(live.ofAccount("bob"))).containsExactly(settled);
        assertThat(store.list(live.inStates(JobState.PENDING, JobState.UNSUBMITTED)))
                .containsExactly(a, held);
        assertThat(store.list(live.held(true))).containsExactly(held);
        assertThat(store.list(live.held(false))).containsExactly(a, settled);
        assertThat(store.list(live.settled(true))).containsExactly(settled);
        assertThat(store.list(live.settled(false))).containsExactly(a, held);
        assertThat(store.list(live.expiredAt(NOON))).containsExactly(held);
        assertThat(store.list(live.expiredAt(NOON.minusNanos(1000)))).isEmpty();
        assertThat(store.list(live.ofSubject(ALICE).inLrm("Slurm").held(true).settled(false)))
                .containsExactly(held);
        assertThat(store.list(live.ofSubject("/CN=x' OR '1'='1"))).isEmpty();
    }

    @Test
    void finishedJobsAreListedOnlyWhereAskedFor() {
        Job done = createdFor(ALICE, "1");
        Job live = createdFor(ALICE, "2");
        Job finished = updated(done.id(), SampleJobs.finish(NOON));
        assertThat(store.list(JobQuery.live().inStates(JobState.DONE))).isEmpty();
        assertThat(store.list(JobQuery.all().inStates(JobState.DONE))).containsExactly(finished);
        assertThat(store.list(JobQuery.all().inStates(JobState.UNSUBMITTED))).containsExactly(live);
        assertThat(store.list(JobQuery.all().ofSubject(ALICE))).containsExactly(finished, live);
    }

    @Test
    void pagesFollowOneAnotherWithoutGapOrOverlap() {
        List<JobId> expected = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            Job job = createdFor(ALICE, "j" + i);
            expected.add(job.id());
            if (i % 3 == 0) {
                updated(job.id(), SampleJobs.finish(NOON));
            }
        }
        List<JobId> read = new ArrayList<>();
        JobQuery page = JobQuery.all().limitedTo(5);
        List<Job> found = store.list(page);
        while (!found.isEmpty()) {
            found.forEach(job -> read.add(job.id()));
            found = store.list(page.afterId(read.getLast()));
        }
        assertThat(read).isEqualTo(expected);
    }

    @Test
    void manyJobsAreFoundAtOnce() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 1_234; i++) {
            jobs.add(samples.newJob(ALICE, "j" + i));
        }
        get(store.createAll(jobs));
        List<JobId> ids = jobs.stream().map(newJob -> newJob.job().id()).toList();
        updated(ids.get(17), SampleJobs.finish(NOON));
        assertThat(store.findAll(ids).keySet()).containsExactlyInAnyOrderElementsOf(ids);
        assertThatThrownBy(() -> store.findAll(Collections.nCopies(10_001, ids.getFirst())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10001");
    }

    @Test
    void liveJobsAreCountedByStateBySubjectAndByAccount() throws Exception {
        Job a = createdFor(ALICE, "a");
        Job b = createdFor(ALICE, "b");
        created(SampleJobs.newJob(samples.job(BOB, "c", "Fork", "bob")));
        created(SampleJobs.newJob(samples.job(BOB, "d", "Slurm", "bob")));
        updated(a.id(), j -> List.of(Step.of(j.withState(JobState.ACTIVE), "runs")));
        updated(b.id(), SampleJobs.finish(NOON));
        for (int i = 0; i < 2; i++) {
            assertThat(store.countByState()).isEqualTo(Map.of(JobState.ACTIVE, 1L, JobState.UNSUBMITTED, 2L));
            assertThat(store.countLive(ALICE)).isEqualTo(1);
            assertThat(store.countLive(BOB)).isEqualTo(2);
            assertThat(store.countLive()).isEqualTo(3);
            assertThat(store.countLive("/CN=Nobody")).isZero();
            assertThat(store.accountsWithLiveJobs("Fork")).containsExactly("alice", "bob");
            assertThat(store.accountsWithLiveJobs("Slurm")).containsExactly("bob");
            assertThat(store.accountsWithLiveJobs("PBS")).isEmpty();
            reopen();
        }
    }

    // --- change stream

    @Test
    void changesAreReadInOrderFromAnyPlace() throws Exception {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ids.add(createdFor(ALICE, "j" + i).id());
        }
        for (int i = 0; i < 2; i++) {
            assertThat(store.lastChange()).isEqualTo(30);
            assertThat(store.changesAfter(0, 100)).extracting(Change::job).isEqualTo(ids);
            assertThat(store.changesAfter(0, 100)).extracting(Change::sequence).isSorted();
            assertThat(store.changesAfter(10, 5)).extracting(Change::job).isEqualTo(ids.subList(10, 15));
            assertThat(store.changesAfter(28, 5)).extracting(Change::job).isEqualTo(ids.subList(28, 30));
            assertThat(store.changesAfter(30, 5)).isEmpty();
            // after the reopening these come from the database, before it from the ring; then from a ring too small for
            // them
            reopen(settings -> settings.withRecentChanges(4));
        }
        ids.add(createdFor(ALICE, "after").id());
        assertThat(store.changesAfter(0, 100)).extracting(Change::job).isEqualTo(ids);
    }

    @Test
    void whatIsReadFromMemoryEqualsWhatIsReadFromTheDatabase() throws Exception {
        Job job = createdFor(ALICE, "k");
        updated(job.id(), SampleJobs.finish(NOON));
        updated(job.id(), j -> List.of(Step.of(j.withDestroyed(true), "destroyed")));
        List<Change> recent = store.changesAfter(0, 10);
        assertThat(store.changesOf(job.id())).isEqualTo(recent).hasSize(4);
        reopen();
        assertThat(store.changesAfter(0, 10)).isEqualTo(recent);
    }

    @Test
    void aReaderGoesOnWhereItStoppedAfterAReopening() throws Exception {
        assertThat(store.cursor("audit")).isZero();
        createdFor(ALICE, "1");
        get(store.saveCursor("audit", store.lastChange()));
        Job missed = createdFor(ALICE, "2");
        reopen();
        assertThat(store.cursor("audit")).isEqualTo(1);
        assertThat(store.cursor("other")).isZero();
        assertThat(store.changesAfter(store.cursor("audit"), 10))
                .extracting(Change::job)
                .containsExactly(missed.id());
        get(store.saveCursor("audit", 2));
        assertThat(store.cursor("audit")).isEqualTo(2);
    }

    @Test
    void listenersAreToldOfEveryChangeInOrderAndOneThatFailsHurtsNoOther() {
        List<Long> heard = Collections.synchronizedList(new ArrayList<>());
        store.onCommit(changes -> {
            throw new IllegalStateException("a listener with a fault");
        });
        store.onCommit(changes -> changes.forEach(change -> heard.add(change.sequence())));
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            NewJob newJob = samples.newJob(ALICE, "j" + i);
            writes.add(store.create(newJob));
            writes.add(store.update(newJob.job().id(), j -> List.of(Step.of(j, "touched"))));
        }
        writes.forEach(JobStoreContract::get);
        org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> heard.size() == 400);
        assertThat(heard).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void whatWasAnsweredIsVisibleToEveryReader() {
        for (int i = 0; i < 50; i++) {
            Job job = createdFor(ALICE, "j" + i);
            assertThat(store.find(job.id())).contains(job);
            assertThat(store.lastChange()).isEqualTo(i + 1);
            assertThat(store.countLive(ALICE)).isEqualTo(i + 1);
        }
    }

    // --- records

    @Test
    void recordsAreKeptReplacedFoundAndForgotten() throws Exception {
        Job job = createdFor(ALICE, "k");
        DoorRecord b = new DoorRecord("sub", "b", job.id(), ALICE, "{\"n\":1}", NOON);
        DoorRecord a = new DoorRecord("sub", "a", job.id(), null, "", NOON.plusSeconds(1));
        DoorRecord free = new DoorRecord("sub", "c", null, BOB, "ü\n", NOON);
        DoorRecord other = new DoorRecord("other", "a", job.id(), null, "x", NOON);
        for (DoorRecord record : List.of(b, a, free, other)) {
            get(store.putRecord(record));
        }
        reopen();
        assertThat(store.findRecord("sub", "c")).contains(free);
        assertThat(store.recordsOf("sub", job.id())).containsExactly(b, a);
        assertThat(store.countRecords("sub")).isEqualTo(3);
        assertThat(store.listRecords("sub", "", 2)).containsExactly(a, b);
        assertThat(store.listRecords("sub", "b", 2)).containsExactly(free);
        DoorRecord replaced = new DoorRecord("sub", "a", null, BOB, "new", NOON.plusSeconds(9));
        get(store.putRecord(replaced));
        assertThat(store.findRecord("sub", "a")).contains(replaced);
        assertThat(store.recordsOf("sub", job.id())).containsExactly(b);
        assertThat(get(store.deleteRecord("sub", "a"))).isTrue();
        assertThat(get(store.deleteRecord("sub", "a"))).isFalse();
        assertThat(store.findRecord("sub", "a")).isEmpty();
        assertThat(store.countRecords("sub")).isEqualTo(2);
    }

    @Test
    void recordsPutAndDeletedInOneTransactionEndAsTheLastOneSays() {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var puts = List.of(
                store.putRecord(new DoorRecord("k", "1", null, null, "first", NOON)),
                store.putRecord(new DoorRecord("k", "1", null, null, "second", NOON)),
                store.putRecord(new DoorRecord("k", "2", null, null, "gone", NOON)));
        var deleted = store.deleteRecord("k", "2");
        var put = store.putRecord(new DoorRecord("k", "3", null, null, "third", NOON));
        hold.countDown();
        puts.forEach(JobStoreContract::get);
        get(put);
        assertThat(get(deleted)).isTrue();
        assertThat(store.listRecords("k", "", 10)).extracting(DoorRecord::body).containsExactly("second", "third");
    }

    // --- when things go wrong

    @Test
    void aPoisonedWriteFailsAloneAndTheOthersOfItsBatchAreStored() throws Exception {
        refuseChangesWithNote("poison");
        Job job = createdFor(ALICE, "k");
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        long before = store.lastChange();
        var first = store.create(samples.newJob(ALICE, "first"));
        var poison = store.update(job.id(), j -> List.of(Step.of(j.withHolding(true), "poison")));
        var second = store.update(job.id(), j -> List.of(Step.of(j, "fine")));
        var third = store.create(samples.newJob(ALICE, "third"));
        hold.countDown();
        assertThat(get(first)).isInstanceOf(CreateResult.Created.class);
        assertThat(faultOf(poison)).isEqualTo(FaultCode.INTERNAL);
        assertThat(get(second).orElseThrow().holding()).isFalse();
        assertThat(get(second).orElseThrow().version()).isEqualTo(2);
        assertThat(get(third)).isInstanceOf(CreateResult.Created.class);
        assertThat(store.changesAfter(before, 10)).extracting(Change::note).containsExactly(null, "fine", null);
        assertThat(store.changesAfter(before, 10)).extracting(Change::sequence).isSorted();
    }

    @Test
    void aTimeThatCannotBeStoredFailsItsWriteAlone() {
        Job job = createdFor(ALICE, "k");
        var bad = store.update(job.id(), j -> List.of(Step.of(j.withTerminationTime(Instant.MAX), "never")));
        var good = store.create(samples.newJob(ALICE, "good"));
        assertThat(faultOf(bad)).isEqualTo(FaultCode.INTERNAL);
        assertThat(get(good)).isInstanceOf(CreateResult.Created.class);
        assertThat(store.find(job.id())).contains(job);
    }

    @Test
    void aFullQueueRefusesCreatesByTheNameOfTheLimitAndLetsUpdatesWait() throws Exception {
        reopen(settings -> settings.withMaxQueuedWrites(2));
        Job job = createdFor(ALICE, "k");
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var first = store.create(samples.newJob(ALICE, "1"));
        var second = store.create(samples.newJob(ALICE, "2"));
        var refused = store.create(samples.newJob(ALICE, "3"));
        assertThat(faultOf(refused)).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThatThrownBy(() -> get(refused)).rootCause().hasMessageContaining("store.maxQueuedWrites = 2");
        CompletableFuture<Job> waiting =
                CompletableFuture.supplyAsync(() -> updated(job.id(), j -> List.of(Step.of(j, "waited"))));
        assertThat(store.statistics().queued()).isEqualTo(2);
        assertThat(waiting).isNotDone();
        hold.countDown();
        assertThat(get(first)).isInstanceOf(CreateResult.Created.class);
        assertThat(get(second)).isInstanceOf(CreateResult.Created.class);
        assertThat(get(waiting).version()).isEqualTo(2);
        assertThat(store.find(new SubmissionKey(ALICE, "3"))).isEmpty();
    }

    @Test
    void aContinuationThatBlocksDoesNotHoldUpTheWriter() {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        var blocked = store.create(samples.newJob(ALICE, "1")).thenAccept(result -> {
            entered.countDown();
            await(never);
        });
        hold.countDown();
        await(entered);
        assertThat(createdFor(ALICE, "2").version()).isEqualTo(1);
        assertThat(blocked).isNotDone();
        never.countDown();
        get(blocked);
    }

    @Test
    void theProbeWritesAndReads() {
        store.probe();
        long commits = store.statistics().commits();
        store.probe();
        assertThat(store.statistics().commits()).isEqualTo(commits + 1);
    }

    @Test
    void statisticsCountCommitsAndWrites() {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        var before = store.statistics();
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writes.add(store.create(samples.newJob(ALICE, "j" + i)));
        }
        hold.countDown();
        writes.forEach(JobStoreContract::get);
        var after = store.statistics();
        assertThat(after.commits()).isEqualTo(before.commits() + 1);
        assertThat(after.changes()).isEqualTo(before.changes() + 10);
        assertThat(after.lastBatch()).isEqualTo(10);
        assertThat(after.lastCommit()).isPositive().isLessThanOrEqualTo(after.slowestCommit());
        assertThat(after.totalCommit()).isGreaterThanOrEqualTo(after.slowestCommit());
    }

    @Test
    void aSecondOpenerIsToldWhoHoldsTheStore() throws Exception {
        StoreSettings same = settings().withTimeout(Duration.ofSeconds(1));
        assertThatThrownBy(() -> JobStores.open(same, clock))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE))
                .hasMessageContaining("is in use by")
                .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        assertThat(createdFor(ALICE, "still works").version()).isEqualTo(1);
    }

    @Test
    void closingWritesWhatWaitsAndRefusesWhatComesLater() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        holdWriter(hold);
        NewJob newJob = samples.newJob(ALICE, "late");
        var late = store.create(newJob);
        Thread closer = Thread.ofVirtual().start(store::close);
        hold.countDown();
        closer.join();
        assertThat(get(late)).isInstanceOf(CreateResult.Created.class);
        assertThat(faultOf(store.create(samples.newJob(ALICE, "too late")))).isEqualTo(FaultCode.STORE_UNAVAILABLE);
        reopen();
        assertThat(store.find(newJob.job().id())).isPresent();
    }
}
