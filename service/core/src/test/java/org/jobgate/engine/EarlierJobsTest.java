// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.job.After;
import org.jobgate.job.After.When;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** Jobs that wait for jobs of earlier submissions, through the whole engine. */
class EarlierJobsTest extends EngineTestBase {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static JobDescription after(After... after) {
        return TRUE.toBuilder().after(List.of(after)).build();
    }

    private static After ok(Job job) {
        return new After(job.id().toString(), When.OK);
    }

    private static After failed(Job job) {
        return new After(job.id().toString(), When.FAILED);
    }

    private static After any(Job job) {
        return new After(job.id().toString(), When.ANY);
    }

    private Job submitted(String key, JobDescription description) {
        return engine.submit(submission(ALICE, key, description)).job();
    }

    private static Submission submission(Owner owner, String key, JobDescription description) {
        return Submission.of(
                TestStores.ORIGIN, owner, key, description.isMulti() ? JobsBySubject.MULTI : "Fork", description);
    }

    private void end(Job job, int exitCode) {
        await().atMost(LONG).until(() -> lrm.knows(job.id()));
        lrm.start(job.id());
        lrm.end(job.id(), exitCode);
    }

    private Job reaches(Job job, JobState state) {
        return await().atMost(LONG).until(() -> store.find(job.id()).orElseThrow(), found -> found.state() == state);
    }

    private boolean waits(Job job) {
        return store.find(job.id()).orElseThrow().waitsForOthers();
    }

    private void again() {
        engine.close();
        engine = engine(JobLimits.defaults(), null);
        lrm.replay();
    }

    @Test
    void eachBeginsOrIsLeftOutAsTheEarlierJobsEnd() {
        Job first = submit(TRUE);
        Job second = submit(TRUE);
        Job well = submit(after(ok(first)));
        Job badly = submit(after(failed(first)));
        Job both = submit(after(any(first), ok(second)));
        Job chained = submit(after(failed(well)));
        assertThat(requireNonNull(well.pendingReason()).because())
                .isEqualTo("it waits for job " + first.id() + " to end well");
        assertThat(requireNonNull(both.pendingReason()).because())
                .isEqualTo("it waits for job " + first.id() + " to be over, for job " + second.id() + " to end well");

        end(first, 3);

        Job out = reaches(well, JobState.CANCELLED);
        assertThat(fault(out).sentence())
                .isEqualTo("The job was left out: job " + first.id() + " is to end well, and it did not.");
        end(badly, 0);
        reaches(badly, JobState.DONE);
        end(chained, 0); // that it was left out is no good end
        reaches(chained, JobState.DONE);
        assertThat(waits(both)).isTrue();
        end(second, 0);
        end(both, 0);
        assertThat(reaches(both, JobState.DONE).pendingReason()).isNull();
        assertThat(store.changesOf(both.id()))
                .anyMatch(change -> "the jobs that it waited for are over".equals(change.note()));
        assertThat(lrm.knows(well.id())).isFalse();
        assertThat(engine.liveJobs()).isZero();
    }

    @Test
    void whatIsOverAlreadyCountsByItsEnd() {
        Job well = submit(TRUE);
        Job badly = submit(TRUE);
        end(well, 0);
        end(badly, 1);
        reaches(well, JobState.DONE);
        reaches(badly, JobState.DONE);

        Job begins = submit(after(ok(well), failed(badly)));
        Job never = submit(after(any(badly), failed(well)));

        end(begins, 0);
        reaches(begins, JobState.DONE);
        assertThat(fault(reaches(never, JobState.CANCELLED)).sentence())
                .isEqualTo("The job was left out: job " + well.id() + " is to fail, and it ended well.");
    }

    @Test
    void theServicesOwnEndChangesNothing() {
        Job first = submit(TRUE);
        Job second = submit(after(ok(first)));
        Job third = submit(after(ok(second)));
        Job flow = submitted(
                "flow",
                JobDescription.multi(
                        List.of(
                                new SubJob("Fork", "alice", TRUE, "a", List.of(ok(second))),
                                new SubJob("Fork", "alice", TRUE, "b", List.of(new After("a", When.OK)))),
                        null));
        await().atMost(LONG).until(() -> lrm.knows(first.id()));
        again();
        end(first, 0);
        await().atMost(LONG).until(() -> lrm.knows(second.id()));
        // what it waits for ends while nobody looks
        engine.close();
        lrm.start(second.id());
        lrm.end(second.id(), 0);
        engine = engine(JobLimits.defaults(), null);
        lrm.replay();
        end(third, 0);
        reaches(third, JobState.DONE);
        List<JobId> parts = reaches(flow, JobState.PENDING).localIds().stream()
                .map(JobId::parse)
                .toList();
        for (JobId part : parts) {
            await().atMost(LONG).until(() -> lrm.knows(part));
            lrm.start(part);
            lrm.end(part, 0);
        }
        reaches(flow, JobState.DONE);
        Stream.concat(Stream.of(first, second, third).map(Job::id), parts.stream())
                .forEach(id -> assertThat(lrm.starts(id)).isEqualTo(1));
    }

    @Test
    void aFlowWaitsForEarlierJobsAndForItsOwn() {
        Job first = submit(TRUE);
        Job flow = submitted(
                "flow",
                JobDescription.multi(
                        List.of(
                                new SubJob("Fork", "alice", TRUE, "begin", List.of()),
                                new SubJob(
                                        "Fork", "alice", TRUE, "both", List.of(ok(first), new After("begin", When.OK))),
                                new SubJob("Fork", "alice", TRUE, "tidy", List.of(failed(first)))),
                        null));
        List<Job> parts = await()
                .atMost(LONG)
                .until(
                        () -> store.find(flow.id()).orElseThrow(),
                        job -> !job.localIds().isEmpty())
                .localIds()
                .stream()
                .map(id -> store.find(JobId.parse(id)).orElseThrow())
                .toList();
        assertThat(requireNonNull(parts.get(1).pendingReason()).because())
                .isEqualTo("it waits for other jobs: job " + first.id() + " is to end well, begin is to end well");
        end(parts.get(0), 0);
        reaches(parts.get(0), JobState.DONE);
        assertThat(waits(parts.get(1))).isTrue();
        end(first, 0);
        end(parts.get(1), 0);
        assertThat(fault(reaches(parts.get(2), JobState.CANCELLED)).sentence())
                .isEqualTo("The job was left out of its flow: job " + first.id() + " is to fail, and it ended well.");
        reaches(flow, JobState.DONE);
    }

    @Test
    void whoWaitsIsHeldAndCancelledAndNotReleased() {
        Job first = submit(TRUE);
        Job cancelled = submit(after(ok(first)));
        Job held = submit(after(ok(first)));
        String alice = ALICE.subject();
        engine.release(alice, held.id());
        assertThat(waits(held)).isTrue();
        engine.hold(alice, held.id(), null);
        engine.cancel(alice, cancelled.id());
        reaches(cancelled, JobState.CANCELLED);

        end(first, 0);

        await().atMost(LONG).until(() -> store.find(held.id()).orElseThrow(), job -> job.isHeld());
        assertThat(lrm.knows(held.id())).isFalse();
        engine.release(alice, held.id());
        end(held, 0);
        reaches(held, JobState.DONE);
        assertThat(lrm.knows(cancelled.id())).isFalse();
    }

    /** Its owner sees the earlier job no more; how it ended counts all the same. */
    @Test
    void anEarlierJobThatIsDeletedMeanwhileCountsAsItEnded() {
        Job first = submit(TRUE);
        Job second = submit(after(failed(first)));
        engine.destroy(ALICE.subject(), first.id());
        end(second, 0);
        reaches(second, JobState.DONE);
    }

    @Test
    void whoseEarlierJobIsOnRecordNoMoreIsToldSo() {
        Job first = submit(TRUE);
        Job other = submit(TRUE);
        Job second = submit(after(ok(first), any(other)));
        Job third = submit(after(any(first), any(other)));
        end(first, 0);
        reaches(first, JobState.DONE);
        assertThat(store.purge(Instant.now().plusSeconds(60), 10).join()).isEqualTo(1);
        end(other, 0);
        assertThat(fault(reaches(second, JobState.CANCELLED)).sentence())
                .endsWith(first.id() + " is to end well, and how it ended is on record no more.");
        end(third, 0);
        reaches(third, JobState.DONE);
    }

    @Test
    void thoseThatAreWaitedForAreKeptUntilNobodyWaits() {
        EarlierJobs earlier = new EarlierJobs(store);
        Job first = submit(TRUE);
        Job second = submit(TRUE);
        Job one = submit(after(ok(first), ok(second)));
        Job two = submit(after(any(second)));
        earlier.remember(one);
        earlier.remember(two);
        earlier.remember(first);
        assertThat(earlier.awaited()).containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(earlier.waitersFor(second.id()))
                .extracting(WorkQueue.Item::job)
                .containsExactlyInAnyOrder(one.id(), two.id());
        earlier.forget(one.id());
        assertThat(earlier.awaited()).containsExactly(second.id());
        earlier.forget(two.id());
        assertThat(earlier.awaited()).isEmpty();
    }

    @Test
    void jobsOfOthersAndSuchAsThereAreNoneAreRefusedInTheSameWords() {
        Job bobs = engine.submit(submission(BOB, "bobs", TRUE)).job();
        JobId never = newId();
        Job deleted = submit(TRUE);
        end(deleted, 0);
        reaches(deleted, JobState.DONE);
        engine.destroy(ALICE.subject(), deleted.id());
        for (JobId id : List.of(bobs.id(), never, deleted.id())) {
            refused(
                    "The job waits for the job " + id + ", and you have no such job.",
                    after(new After(id.toString(), When.ANY)));
        }
        Job first = submit(TRUE);
        refused("twice", after(ok(first), any(first)));
        refused("The job waits for import, which is no id of a job.", after(new After("import", When.ANY)));
        refused(
                "you have no such job",
                JobDescription.multi(
                        List.of(new SubJob(
                                "Fork",
                                "alice",
                                TRUE,
                                "a",
                                List.of(new After(bobs.id().toString(), When.ANY)))),
                        null));
        engine.close();
        engine = engine(JobLimits.defaults().with(new Limit("limits.maxAfter", 1)), null);
        assertFault(() -> submit(after(ok(first), ok(submit(TRUE)))), FaultCode.LIMIT_EXCEEDED);
    }

    private void refused(String why, JobDescription description) {
        assertThatThrownBy(() -> submitted("key-" + System.nanoTime(), description))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(why);
    }

    @Test
    void theSameSubmissionAgainIsTheSameJobWhateverBecameOfTheEarlierOne() {
        Job first = submit(TRUE);
        Job second = submitted("again", after(any(first)));
        end(first, 0);
        reaches(first, JobState.DONE);
        engine.destroy(ALICE.subject(), first.id());

        assertThat(submitted("again", after(any(first))).id()).isEqualTo(second.id());
        var answers = engine.submitAll(List.of(
                submission(ALICE, "again", after(any(first))),
                submission(ALICE, "new", after(any(first))),
                submission(ALICE, "good", after(any(second)))));
        assertThat(requireNonNull(answers.get(0).submitted()).job().id()).isEqualTo(second.id());
        assertThat(requireNonNull(answers.get(1).fault()).sentence())
                .contains(first.id() + ", and you have no such job");
        Job third = requireNonNull(answers.get(2).submitted()).job();
        end(second, 0);
        end(third, 0);
        reaches(third, JobState.DONE);
        assertFault(() -> submitted("again", after(ok(first))), FaultCode.KEY_REUSED);
    }

    @Test
    void anotherAttemptBeginsAtOnce() {
        Job first = submit(TRUE);
        Job second = submit(after(ok(first)));
        end(first, 1);
        reaches(second, JobState.CANCELLED);
        engine.destroy(ALICE.subject(), first.id());

        Job next = engine.restart(ALICE.subject(), second.id()).orElseThrow().job();

        end(next, 0);
        reaches(next, JobState.DONE);
        assertThat(engine.attempts(ALICE.subject(), second.id()).orElseThrow())
                .extracting(Job::id)
                .isEqualTo(Arrays.asList(second.id(), next.id()));
    }
}
