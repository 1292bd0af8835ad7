// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.store.sql.SampleJobs.ALICE;
import static org.jobgate.store.sql.SampleJobs.BOB;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.NewJob;
import org.jobgate.store.OwnerLoad;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;

/** How a store is asked: for jobs, for changes, for records. */
public abstract class JobStoreReadContract extends JobStoreWriteContract {

    @Test
    void aJobThatWaitsForOthersIsKeptBackAndNotHeld() {
        Job free = createdFor(ALICE, "free");
        Job first = createdFor(ALICE, "waits");
        Job waits = updated(first.id(), j -> List.of(Step.of(j.withHolding(true), "it waits for job 1")));
        Job second = createdFor(ALICE, "held");
        Job held = updated(
                second.id(), j -> List.of(Step.of(j.withState(JobState.PENDING).withHolding(true), "held")));
        JobQuery live = JobQuery.live();

        assertThat(store.list(live.toBuilder().held(true).build())).containsExactly(held);
        assertThat(store.list(live.toBuilder().held(false).build())).containsExactly(free, waits);
        assertThat(store.list(live.toBuilder()
                        .held(true)
                        .lrm("Fork")
                        .finished(true)
                        .limit(5)
                        .build()))
                .containsExactly(held);
        assertThat(store.list(live.toBuilder().holding(true).build())).containsExactly(waits, held);
        assertThat(waits.waitsForOthers()).isTrue();
        assertThat(waits.isHeld()).isFalse();
        assertThat(held.waitsForOthers()).isFalse();
        assertThat(held.isHeld()).isTrue();
    }

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
                j -> List.of(Step.of(j.withState(JobState.CLEAN_UP).withOutcome(JobOutcome.done(0, null)), "settled")));
        JobQuery live = JobQuery.live();
        assertThat(store.list(live)).containsExactly(a, settled, held);
        assertThat(store.list(live.toBuilder().subject(ALICE).build())).containsExactly(a, held);
        assertThat(store.list(live.toBuilder().lrm("Slurm").build())).containsExactly(settled, held);
        assertThat(store.list(live.toBuilder().account("bob").build())).containsExactly(settled);
        assertThat(store.list(live.toBuilder()
                        .states(JobState.PENDING, JobState.UNSUBMITTED)
                        .build()))
                .containsExactly(a, held);
        assertThat(store.list(live.toBuilder().holding(true).build())).containsExactly(held);
        assertThat(store.list(live.toBuilder().holding(false).build())).containsExactly(a, settled);
        assertThat(store.list(live.toBuilder().outcomeSettled(true).build())).containsExactly(settled);
        assertThat(store.list(live.toBuilder().outcomeSettled(false).build())).containsExactly(a, held);
        assertThat(store.list(live.toBuilder().terminationBefore(NOON).build())).containsExactly(held);
        assertThat(store.list(live.toBuilder()
                        .terminationBefore(NOON.minusNanos(1000))
                        .build()))
                .isEmpty();
        assertThat(store.list(live.toBuilder()
                        .subject(ALICE)
                        .lrm("Slurm")
                        .holding(true)
                        .outcomeSettled(false)
                        .build()))
                .containsExactly(held);
        assertThat(store.list(live.toBuilder().subject("/CN=x' OR '1'='1").build()))
                .isEmpty();
    }

    @Test
    void finishedJobsAreListedOnlyWhereAskedFor() {
        Job done = createdFor(ALICE, "1");
        Job live = createdFor(ALICE, "2");
        Job finished = updated(done.id(), SampleJobs.finish(NOON));
        assertThat(store.list(JobQuery.builder().states(JobState.DONE).build())).isEmpty();
        assertThat(store.list(JobQuery.all().toBuilder().states(JobState.DONE).build()))
                .containsExactly(finished);
        assertThat(store.list(
                        JobQuery.all().toBuilder().states(JobState.UNSUBMITTED).build()))
                .containsExactly(live);
        assertThat(store.list(JobQuery.all().toBuilder().subject(ALICE).build()))
                .containsExactly(finished, live);
    }

    @Test
    void jobsThatAreGoneAreLeftOutWhereAskedFor() {
        Job live = createdFor(ALICE, "live");
        Job leaving = createdFor(ALICE, "leaving");
        Job over = createdFor(ALICE, "over");
        Job gone = createdFor(ALICE, "gone");
        leaving = updated(leaving.id(), j -> List.of(Step.of(j.withDestroyed(true), "destroyed, and not over yet")));
        over = updated(over.id(), SampleJobs.finish(NOON));
        updated(gone.id(), SampleJobs.finish(NOON));
        updated(gone.id(), j -> List.of(Step.of(j.withDestroyed(true), "destroyed")));

        assertThat(store.list(JobQuery.all().toBuilder().exceptGone().build())).containsExactly(live, leaving, over);
        assertThat(store.list(JobQuery.all())).hasSize(4);
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
        JobQuery page = JobQuery.all().toBuilder().limit(5).build();
        assertThat(pages(page)).isEqualTo(expected);
        assertThat(pages(page.toBuilder().newestFirst().build())).isEqualTo(expected.reversed());
        assertThat(store.list(JobQuery.builder().newestFirst().build())
                        .getFirst()
                        .id())
                .isEqualTo(expected.getLast());
    }

    @Test
    void idsAreThoseOfTheListAndEndWhereTheQuerySays() {
        List<JobId> all = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Job job = createdFor(i % 4 == 3 ? BOB : ALICE, "j" + i);
            all.add(job.id());
            if (i % 3 == 0) {
                updated(job.id(), SampleJobs.finish(NOON));
            }
        }
        JobQuery ofAlice = JobQuery.all().toBuilder().subject(ALICE).build();
        JobQuery newest = JobQuery.all().toBuilder().newestFirst().build();
        for (JobQuery query : List.of(JobQuery.all(), JobQuery.live(), ofAlice, newest)) {
            assertThat(store.ids(query))
                    .isNotEmpty()
                    .isEqualTo(store.list(query).stream().map(Job::id).toList());
        }
        assertThat(store.ids(newest)).isEqualTo(all.reversed());
        assertThat(store.ids(newest.toBuilder().limit(2).build())).containsExactly(all.get(8), all.get(7));
        assertThat(store.ids(JobQuery.all().toBuilder()
                        .after(all.get(2))
                        .until(all.get(5))
                        .build()))
                .isEqualTo(all.subList(3, 6));
        assertThat(store.ids(
                        newest.toBuilder().after(all.get(5)).until(all.get(2)).build()))
                .isEqualTo(all.subList(2, 5).reversed());
        assertThat(list(query -> query.until(all.get(1)))).extracting(Job::id).isEqualTo(all.subList(0, 2));
    }

    @Test
    void jobsAreFoundByTheirDoorAndTheTimesOfTheirCreationAndTheirEnd() {
        Job first = createdFor(ALICE, "1");
        Job second = createdFor(ALICE, "2");
        Job third = createdFor(ALICE, "3");
        Job early = updated(first.id(), SampleJobs.finish(NOON));
        Job late = updated(third.id(), SampleJobs.finish(NOON.plusSeconds(60)));
        assertThat(list(query -> query.createdFrom(second.created()))).containsExactly(second, late);
        assertThat(list(query -> query.createdBefore(second.created()))).containsExactly(early);
        assertThat(list(query -> query.createdFrom(second.created()).createdBefore(third.created())))
                .containsExactly(second);
        assertThat(list(query -> query.endedFrom(NOON))).containsExactly(early, late);
        assertThat(list(query -> query.endedFrom(NOON.plusNanos(1_000)))).containsExactly(late);
        assertThat(list(query -> query.endedBefore(NOON.plusSeconds(60)))).containsExactly(early);
        assertThat(list(query -> query.door(first.key().door()))).containsExactly(early, second, late);
        assertThat(list(query -> query.door("other"))).isEmpty();
        assertThat(list(query -> query.endedFrom(NOON).newestFirst().limit(1))).containsExactly(late);
    }

    private List<Job> list(UnaryOperator<JobQuery.Builder> conditions) {
        return store.list(conditions.apply(JobQuery.all().toBuilder()).build());
    }

    private List<JobId> pages(JobQuery page) {
        List<JobId> read = new ArrayList<>();
        List<Job> found = store.list(page);
        while (!found.isEmpty()) {
            found.forEach(job -> read.add(job.id()));
            found = store.list(page.next(read.getLast()));
        }
        return read;
    }

    @Test
    void jobsAreFoundByTheBeginningOrTheEndOfTheirIds() {
        Job live = createdFor(ALICE, "live");
        Job done = createdFor(ALICE, "done");
        updated(done.id(), SampleJobs.finish(NOON));
        for (Job job : List.of(live, done)) {
            String digits = job.id().toString().replace("-", "");
            for (int length = 10; length <= 32; length++) {
                assertThat(store.findByPart(digits.substring(32 - length), 10))
                        .as("end of %s digits", length)
                        .containsExactly(job.id());
            }
            assertThat(store.findByPart(digits.substring(0, 31), 10)).containsExactly(job.id());
        }
        String shared = live.id().toString().substring(0, 6);
        assertThat(store.findByPart(shared, 10)).containsExactly(done.id(), live.id());
        assertThat(store.findByPart(shared, 1)).containsExactly(done.id());
        assertThat(store.findByPart("ffffffffffff", 10)).isEmpty();
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
            assertThat(store.busiestOwners(5)).containsExactly(new OwnerLoad(BOB, 2, 0), new OwnerLoad(ALICE, 1, 1));
            assertThat(store.busiestOwners(1)).containsExactly(new OwnerLoad(BOB, 2, 0));
            assertThat(store.accountsWithLiveJobs("Fork")).containsExactly("alice", "bob");
            assertThat(store.accountsWithLiveJobs("Slurm")).containsExactly("bob");
            assertThat(store.accountsWithLiveJobs("PBS")).isEmpty();
            reopen();
        }
    }

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
        writes.forEach(JobStoreFixture::get);
        org.awaitility.Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> heard.size() == 400);
        assertThat(heard).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void newJobsAreToldAsTheyAreStoredBeforeTheChangesTellOfThem() {
        List<CreatedJob> told = Collections.synchronizedList(new ArrayList<>());
        List<Long> before = Collections.synchronizedList(new ArrayList<>());
        store.onCreate(created -> {
            throw new IllegalStateException("a listener with a fault");
        });
        store.onCreate(created -> {
            before.add(store.lastChange());
            told.addAll(created);
        });
        NewJob newJob = samples.newJob(ALICE, "k");
        get(store.create(newJob));
        get(store.create(newJob));
        get(store.update(newJob.job().id(), j -> List.of(Step.of(j, "touched"))));
        assertThat(before).containsExactly(0L);
        assertThat(told).hasSize(1);
        CreatedJob one = told.getFirst();
        assertThat(one.job().version()).isEqualTo(1);
        assertThat(one.description()).isEqualTo(newJob.description());
        assertThat(one.records()).isEqualTo(newJob.records());
        assertThat(one.length())
                .isEqualTo(new JobDescriptionCodec()
                        .encode(newJob.description())
                        .json()
                        .length());
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
        puts.forEach(JobStoreFixture::get);
        get(put);
        assertThat(get(deleted)).isTrue();
        assertThat(store.listRecords("k", "", 10)).extracting(DoorRecord::body).containsExactly("second", "third");
    }
}
