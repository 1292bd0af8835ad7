// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.Lrm;
import org.jobgate.store.Change;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A job engine on a store of its own and LRMs that do what the test says. */
abstract class EngineTestBase {

    static final Owner ALICE = new Owner("/O=Test/CN=Alice", "alice");
    static final Owner BOB = new Owner("/O=Test/CN=Bob", "bob");
    static final JobDescription TRUE = JobDescription.of("/bin/true");
    static final TransferList LEAVING = new TransferList(List.of(), List.of(), List.of("file:///left"));
    static final JobDescription OTHER = JobDescription.of("/bin/false");
    static final EngineSettings QUICK = new EngineSettings(
            2,
            2,
            2,
            2,
            2,
            100,
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofDays(1),
            Duration.ofMillis(200));

    @TempDir
    Path directory;

    FakeLrm lrm = new FakeLrm("Fork");
    JobStore store;
    JobEngine engine;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        engine = engine(JobLimits.defaults(), null);
    }

    /** Those that the engine has: one by default. */
    List<Lrm> lrms() {
        return List.of(lrm);
    }

    JobEngine engine(JobLimits limits, @Nullable FileStager stager) {
        JobEngine fresh = new JobEngine(
                store, lrms(), stager, null, limits, QUICK, Clock.systemUTC(), new Random(1), Interlude.none());
        fresh.start();
        return fresh;
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    Job submit(JobDescription description) {
        return engine.submit(Submission.of(TestStores.ORIGIN, ALICE, "key-" + System.nanoTime(), "Fork", description))
                .job();
    }

    JobId newId() {
        return engine.newId(ALICE, TestStores.ORIGIN.door(), null);
    }

    Job awaitJob(JobId id, Predicate<Job> condition) {
        return await().atMost(Duration.ofMinutes(1)).until(() -> store.find(id).orElseThrow(), condition);
    }

    Job awaitState(JobId id, JobState state) {
        return awaitJob(id, job -> job.state() == state);
    }

    /** The store counts a moment after a change can be read. */
    void awaitLive(long number) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(engine.liveJobs()).isEqualTo(number));
    }

    static JobOutcome outcome(Job job) {
        return requireNonNull(job.outcome(), "the outcome is not settled");
    }

    static Fault fault(Job job) {
        return requireNonNull(outcome(job).fault(), "no fault");
    }

    List<JobState> states(JobId id) {
        List<JobState> states = new ArrayList<>();
        for (Change change : store.changesOf(id)) {
            if (states.isEmpty() || states.getLast() != change.to()) {
                states.add(change.to());
            }
        }
        return states;
    }

    static void assertFault(Runnable call, FaultCode code) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(code));
    }
}
