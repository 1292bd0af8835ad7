// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobgate.job.After;
import org.jobgate.job.After.When;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.SubJob;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.NoCredentials;
import org.jobgate.jobs.NoFiles;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** What jobs that wait for earlier ones may take, and what goes on whatever is wrong with one of them. */
class EarlierJobsBoundsTest extends EngineTestBase {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Limit AFTER = new Limit("limits.maxAfter", 1_000);

    private static JobDescription waitingFor(Stream<JobId> ids) {
        return TRUE.toBuilder()
                .after(ids.map(id -> new After(id.toString(), When.ANY)).toList())
                .build();
    }

    private static JobDescription waitingForMany(int number) {
        return waitingFor(IntStream.range(0, number).mapToObj(i -> new JobId(UUID.randomUUID())));
    }

    private static Job job(String owner) {
        JobId id = new JobId(UUID.randomUUID());
        return Job.create(
                id,
                new SubmissionKey(owner, "test", id.toString()),
                "trial",
                new Owner(owner, "account"),
                "Fork",
                null,
                Instant.EPOCH,
                null);
    }

    private void refused(EarlierJobs earlier, String owner, String why) {
        assertThatThrownBy(() -> earlier.check(owner, waitingForMany(1), AFTER, 0))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(why);
    }

    @Test
    void oneOwnerAndAllOwnersWaitForSoManyAtTheMost() {
        EarlierJobs earlier = new EarlierJobs(store);
        List<Job> alices = new ArrayList<>();
        for (String owner : List.of("alice", "bob", "carol", "dave")) {
            for (int i = 0; i < 50; i++) {
                Job waiter = job(owner);
                JobDescription description = waitingForMany(1_000);
                earlier.remember(waiter, description);
                earlier.remember(waiter, description); // counts once
                if (owner.equals("alice")) {
                    alices.add(waiter);
                }
            }
            if (owner.equals("alice")) {
                refused(earlier, "alice", "your jobs would wait for more than 50000 earlier jobs");
                refused(earlier, "bob", "you have no such job");
            }
        }
        refused(earlier, "eve", "the jobs of all users would wait for more than 200000 earlier jobs");

        earlier.forget(alices.getFirst().id());
        earlier.forget(alices.getFirst().id());

        refused(earlier, "alice", "you have no such job");
        refused(earlier, "eve", "you have no such job");
        assertFault(() -> earlier.check("alice", waitingForMany(1_000), AFTER, 1), FaultCode.LIMIT_EXCEEDED);
        earlier.remember(job("alice"), waitingForMany(1_000));
        earlier.remember(job("alice"), waitingForMany(1_000)); // what was stored is never refused
        refused(earlier, "alice", "your jobs would wait");
    }

    private static Submission submission(JobDescription description) {
        return Submission.of(
                TestStores.ORIGIN,
                ALICE,
                "key-" + System.nanoTime(),
                description.isMulti() ? JobsBySubject.MULTI : "Fork",
                description);
    }

    @Test
    void theJobsOfOneRequestAreCountedTogether() {
        engine.close();
        engine = engine(JobLimits.defaults().with(AFTER), null);
        List<Submission> first =
                IntStream.range(0, 500).mapToObj(i -> submission(TRUE)).toList();
        List<JobId> ids = new ArrayList<>();
        engine.submitAll(first).forEach(answer -> {
            assertThat(answer.submitted()).isNotNull();
            if (answer.submitted() != null) {
                ids.add(answer.submitted().job().id());
            }
        });
        JobDescription waiting = waitingFor(ids.stream());

        var answers = engine.submitAll(
                IntStream.range(0, 101).mapToObj(i -> submission(waiting)).toList());

        assertThat(answers.subList(0, 100)).allMatch(answer -> answer.submitted() != null);
        assertThat(answers.getLast().fault())
                .isNotNull()
                .satisfies(fault -> assertThat(fault.code()).isEqualTo(FaultCode.LIMIT_EXCEEDED));
    }

    @Test
    void anArrayThatWaitsIsRefused() {
        JobId first = submit(TRUE).id();
        GroupTemplate template = GroupTemplate.ofIndexes(waitingFor(Stream.of(first)), new GroupIndexes(0, 1, 3));
        GroupSubmission array = new GroupSubmission(newId(), TestStores.ORIGIN, ALICE, null, "Fork", template, 1, null);
        assertFault(() -> engine.groups().submit(array), FaultCode.UNSUPPORTED_FEATURE);
    }

    @Test
    void thePasswordsOfAJobThatIsLeftOutAreRemoved() {
        Queue<JobId> removed = new ConcurrentLinkedQueue<>();
        JobCredentials credentials = (JobCredentials) Proxy.newProxyInstance(
                JobCredentials.class.getClassLoader(),
                new Class<?>[] {JobCredentials.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("remove")) {
                        removed.add(((Job) arguments[0]).id());
                    }
                    return method.invoke(NoCredentials.INSTANCE, arguments);
                });
        engine.close();
        engine = engine(store, credentials);
        Job first = submit(TRUE);
        Job left = submit(TRUE.toBuilder()
                .after(List.of(new After(first.id().toString(), When.FAILED)))
                .build());
        await().atMost(LONG).until(() -> lrm.knows(first.id()));
        lrm.start(first.id());
        lrm.end(first.id(), 0);
        awaitState(left.id(), JobState.CANCELLED);
        assertThat(removed).contains(left.id());
    }

    private JobEngine engine(JobStore on, JobCredentials credentials) {
        JobEngine fresh = new JobEngine(
                on,
                lrms(),
                null,
                credentials,
                JobLimits.defaults(),
                QUICK,
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        fresh.start();
        return fresh;
    }

    @Test
    void aFlowWhoseDescriptionCannotBeReadKeepsNoOtherJobFromBeingTakenUp() {
        Job first = submit(TRUE);
        await().atMost(LONG).until(() -> lrm.knows(first.id()));
        After after = new After(first.id().toString(), When.OK);
        JobId broken = engine.submit(submission(
                        JobDescription.multi(List.of(new SubJob("Fork", "alice", TRUE, "a", List.of(after))), null)))
                .job()
                .id();
        Job second = submit(TRUE.toBuilder().after(List.of(after)).build());
        engine.close();
        lrm.start(first.id());
        lrm.end(first.id(), 0);

        engine = engine(unreadable(broken), NoCredentials.INSTANCE);
        lrm.replay();

        await().atMost(LONG).until(() -> lrm.knows(second.id()));
    }

    private JobStore unreadable(JobId id) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("description") && id.equals(arguments[0])) {
                        throw new IllegalStateException("the description of " + id + " cannot be read");
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Its end is said once, perhaps before somebody who saw it alive remembers it. */
    @Test
    void aJobThatEndedMeanwhileIsNotRemembered() {
        EarlierJobs earlier = new EarlierJobs(store);
        Job first = submit(TRUE);
        Job second = submit(waitingFor(Stream.of(first.id())));
        earlier.remember(second);
        assertThat(earlier.awaited()).containsExactly(first.id());
        earlier.forget(second.id());
        engine.cancel(ALICE.subject(), second.id());
        awaitState(second.id(), JobState.CANCELLED);
        earlier.remember(second);
        assertThat(earlier.awaited()).isEmpty();
    }

    @Test
    void aFlowThatIsOverIsForgottenWhenItIsLookedAt() {
        EngineContext context = new EngineContext(
                store,
                new LrmRegistry(lrms(), Clock.systemUTC(), Duration.ofSeconds(1), new Random(1)),
                NoFiles.INSTANCE,
                NoCredentials.INSTANCE,
                Clock.systemUTC());
        Clock clock = Clock.systemUTC();
        JobIds ids = new JobIds(store, new AfterRestore(context, clock), clock, new Random(1));
        Job first = submit(TRUE);
        JobDescription description = JobDescription.multi(
                List.of(new SubJob(
                        "Fork", "alice", TRUE, "a", List.of(new After(first.id().toString(), When.OK)))),
                null);
        Job flow = engine.submit(submission(description)).job();
        engine.cancel(ALICE.subject(), flow.id());
        awaitState(flow.id(), JobState.CANCELLED);
        context.earlier().remember(flow, description);

        new MultiJobs(context, clock, ids).follow(flow.id());

        assertThat(context.earlier().awaited()).isEmpty();
    }

    @Test
    void nothingIsPurgedBeforeAllIsTakenUp() {
        Clock clock = Clock.systemUTC();
        JobStore untouched = (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("groups") || method.getName().equals("purge")) {
                        throw new IllegalStateException("asked for " + method.getName());
                    }
                    return method.invoke(store, arguments);
                });
        EngineContext context = new EngineContext(
                untouched,
                new LrmRegistry(lrms(), clock, Duration.ofSeconds(1), new Random(1)),
                NoFiles.INSTANCE,
                NoCredentials.INSTANCE,
                clock);
        JobIds ids = new JobIds(untouched, new AfterRestore(context, clock), clock, new Random(1));
        Admission admission = new Admission(context, JobLimits.defaults(), clock, ids);
        Phases phases = new Phases(context, QUICK, new MultiJobs(context, clock, ids), new Groups(context, admission));
        try (phases;
                Sweeper sweeper = new Sweeper(context, phases, QUICK, clock)) {
            assertThatCode(sweeper::purge).doesNotThrowAnyException();
        }
    }
}
