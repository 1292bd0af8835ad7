// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.authz.Decision;
import org.jobgate.gram.Door;
import org.jobgate.gram.FakeJobs;
import org.jobgate.gram.FakeStore;
import org.jobgate.gram.rendezvous.RefusedRegistrationException.Reason;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Limit;
import org.jobgate.notify.JobChanges;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RendezvousesTest {

    private static final Clock CLOCK = Clock.fixed(Door.NOW, ZoneOffset.UTC);

    private final FakeStore store = new FakeStore();
    private final FakeJobs jobs = new FakeJobs(store, CLOCK);
    private final Rendezvouses rendezvouses = with(RendezvousLimits.defaults());

    private static final Caller ALICE = new Access(identity -> new Decision.Permit(List.of("alice")))
            .caller(new Identity(Door.ALICE, "test", false));

    private int submitted;

    private Rendezvouses with(RendezvousLimits limits) {
        return with(limits, store);
    }

    private static Rendezvouses with(RendezvousLimits limits, FakeStore store) {
        return new Rendezvouses(store, JobChanges.of(store), new Jobs(new FakeJobs(store, CLOCK)), limits, CLOCK);
    }

    private int register(Job job, Registration registration) {
        return register(rendezvouses, job, registration);
    }

    private static int register(Rendezvouses rendezvouses, Job job, Registration registration) {
        return rendezvouses.register(ALICE, job, registration);
    }

    private Job job(int processes) {
        JobDescription description =
                JobDescription.builder("/bin/date").count(processes).build();
        return jobs.submit(Submission.of(
                        Door.ORIGIN, new Owner(Door.ALICE, "alice"), "job-" + ++submitted, "Fork", description))
                .job();
    }

    private static Registration registration(String data, @Nullable Integer rank, @Nullable String message) {
        return new Registration(data.getBytes(StandardCharsets.UTF_8), rank, message);
    }

    private static String text(Rendezvouses rendezvouses, Job job) {
        return rendezvouses
                .data(job.id(), Door.ALICE)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("(not complete)");
    }

    private void assertRefused(Job job, Registration registration, Reason reason) {
        assertThatThrownBy(() -> register(job, registration))
                .isInstanceOfSatisfying(
                        RefusedRegistrationException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @Test
    void ranksAreGivenFromTheLowestThatIsFree() {
        Job job = job(4);

        assertThat(register(job, registration("b", 1, null))).isEqualTo(1);
        assertThat(register(job, registration("x", null, "m1"))).isZero();
        assertThat(register(job, registration("y", null, "m2"))).isEqualTo(2);
        assertThat(register(job, registration("z", null, null))).isEqualTo(3);
    }

    @Test
    void theDataAreThoseOfAllByRankAndOnlyWhenAllHaveCome() {
        Job job = job(3);
        register(job, registration("third", 2, null));
        register(job, registration("first", 0, null));

        assertThat(rendezvouses.isComplete(job.id(), Door.ALICE)).isFalse();
        assertThat(text(rendezvouses, job)).isEqualTo("(not complete)");
        register(job, registration("", 1, null));

        assertThat(rendezvouses.isComplete(job.id(), Door.ALICE)).isTrue();
        assertThat(text(rendezvouses, job)).isEqualTo("3 firstthird");
    }

    @Test
    void theOrderOfRanksIsThatOfNumbers() {
        Job job = job(12);
        IntStream.range(0, 12).forEach(rank -> register(job, registration(rank + ",", rank, null)));

        assertThat(text(rendezvouses, job)).isEqualTo("12 0,1,2,3,4,5,6,7,8,9,10,11,");
    }

    @Test
    void aRepetitionIsAnsweredTheSameRankAlsoByAnotherProcessOfTheGateway() {
        Job job = job(3);
        for (Rendezvouses each : List.of(rendezvouses, rendezvouses, with(RendezvousLimits.defaults()))) {
            assertThat(register(each, job, registration("a", null, "m1"))).isZero();
            assertThat(register(each, job, registration("a", 0, "m7"))).isZero();
            assertThat(register(each, job, registration("b", 2, null))).isEqualTo(2);
            assertThat(each.isComplete(job.id(), Door.ALICE)).isFalse();
        }

        // another message with the same data, and the same id with other data, are not repetitions
        assertThat(register(job, registration("a", null, "m2"))).isEqualTo(1);
        assertRefused(job, registration("c", null, "m1"), Reason.ALL_TAKEN);
        assertThat(text(with(RendezvousLimits.defaults()), job)).isEqualTo("3 aab");
    }

    @Test
    void withoutAMessageIdNothingIsARepetition() {
        Job job = job(2);

        assertThat(register(job, registration("a", null, null))).isZero();
        assertThat(register(job, registration("a", null, null))).isEqualTo(1);
    }

    @Test
    void whoHasNoPlaceIsToldWhy() {
        Job job = job(2);
        register(job, registration("a", 0, "m1"));

        assertRefused(job, registration("b", 0, "m1"), Reason.RANK_TAKEN);
        assertRefused(job, registration("b", 2, null), Reason.NO_SUCH_RANK);
        assertRefused(job, registration("b", -2, null), Reason.NO_SUCH_RANK);
        register(job, registration("b", null, null));
        assertRefused(job, registration("c", null, "m3"), Reason.ALL_TAKEN);
        assertRefused(job, registration("c", 1, "m3"), Reason.RANK_TAKEN);
    }

    @Test
    void whoComeAtOnceGetEachARankOfTheirOwn() throws Exception {
        Job job = job(64);
        List<Future<Integer>> ranks = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 64; i++) {
                String message = "m" + i;
                ranks.add(threads.submit(() -> register(job, registration("same", null, message))));
            }
        }

        List<Integer> given = new ArrayList<>();
        for (Future<Integer> rank : ranks) {
            given.add(rank.get());
        }
        assertThat(given)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 64).boxed().toList());
        assertThat(rendezvouses.isComplete(job.id(), Door.ALICE)).isTrue();
    }

    @Test
    void whatIsNotOnDiskIsNotAnsweredAndItsRankIsFreeAgain() {
        Job job = job(1);
        FaultException broken = new FaultException(Fault.of(FaultCode.STORE_UNAVAILABLE, "The disk is full.", ""));
        store.failWith(broken);

        assertThatThrownBy(() -> register(job, registration("a", null, "m1"))).isSameAs(broken);
        assertThat(rendezvouses.isComplete(job.id(), Door.ALICE)).isFalse();
        store.failWith(null);

        assertThat(register(job, registration("b", null, "m2"))).isZero();
        assertThat(text(rendezvouses, job)).isEqualTo("1 b");
    }

    @Test
    void tooMuchIsRefusedByTheNameOfItsLimit() {
        Job job = job(3);
        Rendezvouses narrow = with(new RendezvousLimits(new Limit("limits.one", 4), new Limit("limits.all", 6)));

        register(narrow, job, registration("1234", 0, null));
        assertThatThrownBy(() -> register(narrow, job, registration("12345", 1, null)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("limits.one = 4");
        assertThatThrownBy(() -> register(narrow, job, registration("123", 1, null)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("limits.all = 6");
        assertThat(register(narrow, job, registration("1234", 0, null))).isZero();
        assertThat(register(narrow, job, registration("12", 1, null))).isEqualTo(1);
    }

    @Test
    void completionIsOneChangeOfTheJob() {
        Job job = job(2);
        int before = store.changesOf(job.id()).size();

        register(job, registration("a", 0, null));
        assertThat(store.changesOf(job.id())).hasSize(before);
        register(job, registration("b", 1, null));
        register(job, registration("b", 1, null));

        assertThat(store.changesOf(job.id())).hasSize(before + 1);
        assertThat(requireNonNull(store.changesOf(job.id()).getLast().note())).contains("rendezvous");
    }

    @Test
    void theCapacityIsThatOfTheDescription() {
        JobDescription one = JobDescription.builder("/bin/date").count(5).build();
        SubJob sub = new SubJob("Fork", "alice", one);

        assertThat(Rendezvouses.capacity(one)).isEqualTo(5);
        assertThat(Rendezvouses.capacity(JobDescription.builder("/bin/date")
                        .count(5)
                        .jobType(JobType.SINGLE)
                        .build()))
                .isEqualTo(1);
        assertThat(Rendezvouses.capacity(JobDescription.multi(List.of(sub, sub, sub), null)))
                .isEqualTo(3);
    }

    @Test
    void aJobThatIsNotThereHasNoRendezvous() {
        Job job = job(1);
        Rendezvouses elsewhere = with(RendezvousLimits.defaults(), new FakeStore());

        assertThat(elsewhere.isComplete(job.id(), Door.ALICE)).isFalse();
        assertThat(elsewhere.data(job.id(), Door.ALICE)).isEmpty();
    }
}
