// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.store.Change;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;

/**
 * Measures a store: {@code scripts/run-test-main service/core org.jobgate.store.sql.StoreBenchmark URL [JOBS]}. For PostgreSQL the
 * environment gives user and password file ({@code JOBGATE_TEST_POSTGRES_USER}, {@code JOBGATE_TEST_POSTGRES_PASSWORD_FILE}). The
 * store must be empty.
 */
public final class StoreBenchmark {

    private static final int THREADS = 32;
    private static final int BULK = 1_000;
    private static final PrintStream OUT = System.out;

    private final StoreSettings settings;
    private final int jobs;
    private final SampleJobs samples = new SampleJobs(1);
    private final List<JobId> ids = new ArrayList<>();

    private StoreBenchmark(StoreSettings settings, int jobs) {
        this.settings = settings;
        this.jobs = jobs;
    }

    /** Runs it and prints a table. */
    public static void main(String[] arguments) throws InterruptedException {
        StoreSettings settings = StoreSettings.of(arguments[0]);
        String user = System.getenv("JOBGATE_TEST_POSTGRES_USER");
        String passwordFile = System.getenv("JOBGATE_TEST_POSTGRES_PASSWORD_FILE");
        if (passwordFile != null) {
            settings = settings.withCredentials(user, Path.of(passwordFile));
        }
        int jobs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20_000;
        new StoreBenchmark(settings, jobs).run();
    }

    private void run() throws InterruptedException {
        try (JobStore store = JobStores.open(settings, Clock.systemUTC())) {
            warmUp(store);
            bulk(store);
            concurrentCreates(store);
            concurrentUpdates(store);
            pipelinedUpdates(store);
            reads(store);
            finishes(store);
            OUT.println("writer: " + store.statistics());
        }
        reopening();
    }

    private NewJob sample(String key) {
        JobDescription description = JobDescription.builder("/bin/sh")
                .directory("/home/alice/run")
                .arguments(List.of("-c", "exec ./simulate --input data.in --output data.out --seed " + key))
                .environment(List.of(new EnvironmentVariable("OMP_NUM_THREADS", "4")))
                .stdout("stdout." + key)
                .stderr("stderr." + key)
                .build();
        return new NewJob(samples.job(SampleJobs.ALICE, key, "Fork", "alice"), description, List.of());
    }

    private void warmUp(JobStore store) throws InterruptedException {
        List<NewJob> warm = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            warm.add(sample("w" + i));
        }
        inThreads(warm.size(), i -> store.create(warm.get(i)).join());
        inThreads(
                warm.size(),
                i -> store.update(warm.get(i).job().id(), job -> List.of(Step.of(job, "warm")))
                        .join());
    }

    private void bulk(JobStore store) {
        List<List<NewJob>> lots = new ArrayList<>();
        for (int lot = 0; lot < jobs / BULK; lot++) {
            List<NewJob> newJobs = new ArrayList<>();
            for (int i = 0; i < BULK; i++) {
                newJobs.add(sample("b" + lot + "." + i));
            }
            lots.add(newJobs);
            newJobs.forEach(newJob -> ids.add(newJob.job().id()));
        }
        long begin = System.nanoTime();
        lots.forEach(lot -> store.createAll(lot).join());
        report("createAll, " + BULK + " jobs each, one caller", lots.size() * BULK, begin, new long[0]);
    }

    private void concurrentCreates(JobStore store) throws InterruptedException {
        List<NewJob> newJobs = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            newJobs.add(sample("c" + i));
        }
        newJobs.forEach(newJob -> ids.add(newJob.job().id()));
        long begin = System.nanoTime();
        long[] latencies = inThreads(jobs, i -> store.create(newJobs.get(i)).join());
        report("create, " + THREADS + " callers that wait", jobs, begin, latencies);
    }

    private void concurrentUpdates(JobStore store) throws InterruptedException {
        long begin = System.nanoTime();
        long[] latencies = inThreads(
                jobs,
                i -> store.update(spread(i), job -> List.of(Step.of(job, "changed")))
                        .join());
        report("update, " + THREADS + " callers that wait", jobs, begin, latencies);
    }

    /** As the lifecycle does it: many updates on their way, nobody waits for a single one. */
    private void pipelinedUpdates(JobStore store) throws InterruptedException {
        Semaphore onTheWay = new Semaphore(1_000);
        long begin = System.nanoTime();
        for (int i = 0; i < jobs; i++) {
            onTheWay.acquire();
            var unused = store.update(spread(i), job -> List.of(Step.of(job, "changed")))
                    .whenComplete((job, failure) -> onTheWay.release());
        }
        onTheWay.acquire(1_000);
        report("update, 1000 on their way", jobs, begin, new long[0]);
    }

    private void reads(JobStore store) throws InterruptedException {
        long begin = System.nanoTime();
        long[] latencies =
                inThreads(jobs, i -> requirePresent(store.find(spread(i)).isPresent()));
        report("find by id, " + THREADS + " callers", jobs, begin, latencies);
        List<JobId> many = ids.subList(0, Math.min(10_000, ids.size()));
        store.findAll(many);
        begin = System.nanoTime();
        int found = store.findAll(many).size();
        report("findAll of " + found + " ids, one call", 1, begin, new long[0]);
        begin = System.nanoTime();
        int listed =
                store.list(JobQuery.builder().subject(SampleJobs.ALICE).build()).size();
        report("list of " + listed + " jobs of one owner, one call", 1, begin, new long[0]);
        begin = System.nanoTime();
        List<Change> changes = store.changesAfter(0, 10_000);
        report("changesAfter, " + changes.size() + " from the database", 1, begin, new long[0]);
    }

    private void finishes(JobStore store) throws InterruptedException {
        Instant now = Instant.now();
        int count = jobs / 2;
        long begin = System.nanoTime();
        inThreads(count, i -> store.update(spread(i), SampleJobs.finish(now)).join());
        report("finish (two steps and the move), " + THREADS + " callers", count, begin, new long[0]);
        begin = System.nanoTime();
        int purged = 0;
        int last;
        do {
            last = store.purge(now.plusSeconds(1), 1_000).join();
            purged += last;
        } while (last > 0);
        report("purge, 1000 each", purged, begin, new long[0]);
    }

    private void reopening() {
        long begin = System.nanoTime();
        try (JobStore store = JobStores.open(settings, Clock.systemUTC())) {
            report("reopen with " + store.countLive(SampleJobs.ALICE) + " live jobs", 1, begin, new long[0]);
        }
    }

    private static void requirePresent(boolean present) {
        if (!present) {
            throw new IllegalStateException("a stored job was not found");
        }
    }

    /** Steps that do not divide the number of jobs: neighbours in time are not neighbours in the store. */
    private JobId spread(int i) {
        return ids.get((int) (i * 7919L % ids.size()));
    }

    private static long[] inThreads(int count, IntConsumer work) throws InterruptedException {
        long[] latencies = new long[count];
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    long begin = System.nanoTime();
                    work.accept(i);
                    latencies[i] = System.nanoTime() - begin;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return latencies;
    }

    private static void report(String what, int count, long begin, long[] latencies) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        Arrays.sort(latencies);
        String percentiles = latencies.length == 0
                ? ""
                : String.format(
                        "   p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                        latencies[latencies.length / 2] / 1e6,
                        latencies[latencies.length * 99 / 100] / 1e6,
                        latencies[latencies.length - 1] / 1e6);
        OUT.printf("%-48s %7d in %7.3f s = %8.0f/s%s%n", what, count, seconds, count / seconds, percentiles);
    }
}
