// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.store.Change;
import org.jobgate.store.Step;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.Test;

/** What an owner asks of many jobs at once. */
class ManyJobsTest extends EngineTestBase {

    private static final JobDescription HELD =
            TRUE.toBuilder().holdAt(JobState.PENDING).build();

    private final String alice = ALICE.subject();

    private Job bobs() {
        return engine.submit(Submission.of(TestStores.ORIGIN, BOB, "bobs", "Fork", TRUE))
                .job();
    }

    private static List<Optional<JobId>> ids(List<Optional<Job>> jobs) {
        return jobs.stream().map(job -> job.map(Job::id)).toList();
    }

    @Test
    void thereIsOneAnswerForEachIdInOrderAndWhatIsAnothersIsUnknown() {
        Job first = submit(TRUE);
        Job second = submit(TRUE);
        Job bobs = bobs();
        JobId never = newId();
        List<JobId> asked = List.of(second.id(), never, bobs.id(), first.id(), second.id());
        assertThat(ids(engine.findAll(alice, asked)))
                .containsExactly(
                        Optional.of(second.id()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(first.id()),
                        Optional.of(second.id()));
        awaitState(bobs.id(), JobState.PENDING);
        List<Change> before = store.changesOf(bobs.id());
        assertThat(ids(engine.cancelAll(alice, asked))).isEqualTo(ids(engine.findAll(alice, asked)));
        awaitState(first.id(), JobState.CANCELLED);
        awaitState(second.id(), JobState.CANCELLED);
        assertThat(store.changesOf(bobs.id())).isEqualTo(before);
        assertThat(store.changesOf(second.id()).stream()
                        .filter(change -> "cancelled by its owner".equals(change.note())))
                .hasSize(1);
    }

    /** All at once: to wait for each would take its tenth of a second for each. */
    private void awaitAll(List<JobId> ids, Predicate<Job> condition) {
        await().until(() -> {
            Collection<Job> found = store.findAll(ids).values();
            return found.size() == ids.size() && found.stream().allMatch(condition);
        });
    }

    @Test
    void manyAreCancelledInOneTransaction() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ids.add(submit(HELD).id());
        }
        awaitAll(ids, Job::holding);
        List<Set<JobId>> commits = Collections.synchronizedList(new ArrayList<>());
        store.onCommit(changes -> {
            Set<JobId> cancelled = new HashSet<>();
            changes.stream()
                    .filter(change -> "cancelled by its owner".equals(change.note()))
                    .forEach(change -> cancelled.add(change.job()));
            if (!cancelled.isEmpty()) {
                commits.add(cancelled);
            }
        });
        assertThat(engine.cancelAll(alice, ids)).hasSize(300).allMatch(Optional::isPresent);
        awaitAll(ids, job -> job.state() == JobState.CANCELLED);
        assertThat(commits).containsExactly(new HashSet<>(ids));
    }

    @Test
    void manyAreReleasedAndDestroyed() {
        Job first = submit(HELD);
        Job second = submit(HELD);
        List<JobId> ids = List.of(first.id(), second.id());
        ids.forEach(id -> awaitJob(id, Job::holding));
        assertThat(engine.releaseAll(alice, ids))
                .allMatch(job -> !job.orElseThrow().holding());
        ids.forEach(id -> awaitJob(id, job -> !job.localIds().isEmpty()));
        assertThat(engine.destroyAll(alice, ids))
                .allMatch(job -> job.orElseThrow().destroyed());
        ids.forEach(id -> awaitState(id, JobState.CANCELLED));
        assertThat(engine.findAll(alice, ids)).containsExactly(Optional.empty(), Optional.empty());
        assertThat(engine.cancelAll(alice, ids)).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void moreThanTheLimitAreRefusedByItsName() {
        engine.close();
        engine = engine(JobLimits.defaults().with(new Limit("limits.maxJobsAtOnce", 1)), null);
        List<JobId> two = List.of(newId(), newId());
        assertFault(() -> engine.findAll(alice, two), FaultCode.LIMIT_EXCEEDED);
        assertFault(() -> engine.cancelAll(alice, two), FaultCode.LIMIT_EXCEEDED);
        assertFault(() -> engine.releaseAll(alice, two), FaultCode.LIMIT_EXCEEDED);
        assertFault(() -> engine.destroyAll(alice, two), FaultCode.LIMIT_EXCEEDED);
    }

    @Test
    void oneThatCannotBeChangedLeavesAllAsTheyWere() {
        Job first = submit(HELD);
        Job second = submit(HELD);
        List<JobId> ids = List.of(first.id(), second.id());
        ids.forEach(id -> awaitJob(id, Job::holding));
        long changes = store.lastChange();
        assertThatExceptionOfType(java.util.concurrent.CompletionException.class)
                .isThrownBy(() -> store.updateAll(ids, job -> {
                            if (job.id().equals(second.id())) {
                                throw new IllegalStateException("not this one");
                            }
                            return List.of(Step.of(job.withHolding(false), "let go"));
                        })
                        .join())
                .withMessageContaining("not this one");
        assertThat(store.find(first.id()).orElseThrow().holding()).isTrue();
        assertThat(store.lastChange()).isEqualTo(changes);
    }
}
