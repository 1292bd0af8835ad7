// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.JobUpdate;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of writes, done to a real store and to {@link StoreModel}. Answers are compared as they come, all that can be read
 * is compared by {@link #compare}. Writes of one round are handed in without waiting, so that they share transactions.
 */
final class RandomStoreHistory {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final List<String> SUBJECTS = List.of("/CN=A", "/CN=B", "/CN=Ü");

    private static final List<JobState> LIVE_STATES = Arrays.stream(JobState.values())
            .filter(state -> !state.isTerminal())
            .toList();

    private final Random random;
    private final SampleJobs samples;
    private final StoreModel model = new StoreModel();
    private final List<JobId> known = new ArrayList<>();
    private long time;

    RandomStoreHistory(long seed) {
        this.random = new Random(seed);
        this.samples = new SampleJobs(seed);
    }

    /** What the store answered must be what the model answers; the model has answered at once. */
    private record Expectation(CompletableFuture<?> actual, Object expected) {}

    void round(JobStore store, int writes) throws Exception {
        List<Expectation> expectations = new ArrayList<>();
        for (int i = 0; i < writes; i++) {
            expectations.add(write(store));
        }
        for (Expectation expectation : expectations) {
            assertThat((Object) expectation.actual().get(1, TimeUnit.MINUTES)).isEqualTo(expectation.expected());
        }
    }

    private Expectation write(JobStore store) {
        int dice = random.nextInt(100);
        if (dice < 30 || known.isEmpty()) {
            return create(store);
        } else if (dice < 35) {
            return createMany(store);
        } else if (dice < 75) {
            return update(store);
        } else if (dice < 85) {
            return putRecord(store);
        } else if (dice < 90) {
            String id = "r" + random.nextInt(20);
            return new Expectation(store.deleteRecord("k", id), model.deleteRecord(id));
        } else if (dice < 95) {
            return saveCursor(store);
        }
        return purge(store);
    }

    private NewJob newJob() {
        String subject = SUBJECTS.get(random.nextInt(SUBJECTS.size()));
        String lrm = random.nextInt(10) == 0 ? "Slurm" : "Fork";
        Job job = samples.job(subject, "k" + random.nextInt(60), lrm, "account");
        List<DoorRecord> records =
                random.nextInt(4) == 0 ? List.of(record("r" + random.nextInt(20), job.id())) : List.of();
        return new NewJob(job, JobDescription.of("/bin/echo", "d" + random.nextInt(3)), records);
    }

    private Expectation create(JobStore store) {
        NewJob newJob = newJob();
        return new Expectation(store.create(newJob), modelCreate(newJob));
    }

    private CreateResult modelCreate(NewJob newJob) {
        CreateResult result = model.create(newJob);
        if (result instanceof CreateResult.Created) {
            known.add(newJob.job().id());
        }
        return result;
    }

    private Expectation createMany(JobStore store) {
        List<NewJob> newJobs = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            newJobs.add(newJob());
        }
        CompletableFuture<List<CreateResult>> actual = store.createAll(newJobs);
        return new Expectation(actual, newJobs.stream().map(this::modelCreate).toList());
    }

    private Expectation update(JobStore store) {
        JobId id = known.get(random.nextInt(known.size()));
        JobUpdate update = randomUpdate();
        CompletableFuture<?> actual = store.update(id, update);
        boolean present = model.all().stream().anyMatch(job -> job.id().equals(id));
        Object expected = present ? Optional.of(model.update(id, update.apply(model.job(id)))) : Optional.empty();
        return new Expectation(actual, expected);
    }

    /** The same for the same job: it is run by the model and by the store. */
    private JobUpdate randomUpdate() {
        Instant at = START.plusMillis(time++);
        int dice = random.nextInt(6);
        boolean flag = random.nextBoolean();
        JobState state = LIVE_STATES.get(random.nextInt(LIVE_STATES.size()));
        return job -> switch (dice) {
            case 0 ->
                job.state().isTerminal() ? List.of() : SampleJobs.finish(at).apply(job);
            case 1 -> List.of(Step.silent(job.withDestroyed(flag)));
            case 2 -> List.of(Step.of(job.withTerminationTime(flag ? at : null), "lifetime " + at));
            case 3 -> List.of(Step.of(job.withHolding(flag), "hold"), Step.silent(job.withHolding(!flag)));
            default ->
                job.state().isTerminal()
                        ? List.of()
                        : List.of(Step.of(job.withState(state).withChanged(at), "moved"));
        };
    }

    private Expectation putRecord(JobStore store) {
        DoorRecord record =
                record("r" + random.nextInt(20), random.nextBoolean() ? known.get(random.nextInt(known.size())) : null);
        model.putRecord(record);
        return new Expectation(store.putRecord(record).thenApply(done -> "put"), "put");
    }

    private DoorRecord record(String id, @Nullable JobId job) {
        return new DoorRecord("k", id, job, null, "body " + random.nextInt(), START.plusMillis(time++));
    }

    private Expectation saveCursor(JobStore store) {
        String name = "reader" + random.nextInt(3);
        long sequence = random.nextInt(1_000);
        model.saveCursor(name, sequence);
        return new Expectation(store.saveCursor(name, sequence).thenApply(done -> "saved"), "saved");
    }

    private Expectation purge(JobStore store) {
        Instant before = START.plusMillis(random.nextInt((int) time + 1));
        int limit = 1 + random.nextInt(10);
        return new Expectation(store.purge(before, limit), model.purge(before, limit));
    }

    /** Compares everything that can be read. */
    void compare(JobStore store) {
        assertThat(store.list(JobQuery.all())).isEqualTo(model.all());
        compareQueries(store);
        assertThat(store.countByState()).isEqualTo(model.countByState());
        for (var key : model.keys()) {
            JobId id = model.jobOf(key);
            assertThat(store.find(key)).contains(model.job(id));
            assertThat(store.description(id)).contains(model.description(id));
        }
        List<Change> changes = store.changesAfter(0, 10_000);
        assertThat(changes.stream().map(RandomStoreHistory::event)).isEqualTo(model.events());
        assertThat(changes).extracting(Change::sequence).isSorted().doesNotHaveDuplicates();
        assertThat(store.listRecords("k", "", 100)).isEqualTo(model.records());
        for (String name : List.of("reader0", "reader1", "reader2")) {
            assertThat(store.cursor(name)).isEqualTo(model.cursor(name));
        }
    }

    private void compareQueries(JobStore store) {
        JobQuery some = JobQuery.all().toBuilder()
                .subject(SUBJECTS.get(random.nextInt(SUBJECTS.size())))
                .limit(1 + random.nextInt(20))
                .build();
        JobQuery held = JobQuery.builder().holding(random.nextBoolean()).build();
        JobQuery later = known.isEmpty() ? some : some.next(known.get(random.nextInt(known.size())));
        for (JobQuery query : List.of(
                some,
                held,
                later,
                JobQuery.all().toBuilder()
                        .states(JobState.DONE, JobState.ACTIVE)
                        .build())) {
            assertThat(store.list(query)).as(query.toString()).isEqualTo(model.list(query));
        }
    }

    private static StoreModel.Event event(Change change) {
        return new StoreModel.Event(
                change.job(), change.version(), change.from(), change.to(), change.holding(), change.note());
    }
}
