// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.soap.Answer;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The door before a real engine and a real SQLite store, with a thousand of something. */
class RealEngineIT {

    private static final int MANY = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A Destroy may cost as much as so many creates: both answer when a change is on disk, and it also ends the job. */
    private static final int MOST_CREATES = 4;

    /** A disk or a machine that stands still for a while makes one round slow; what costs too much does so in each. */
    private static final int MOST_ROUNDS = 5;

    private static final String JOB = "ManagedExecutableJobService";
    private static final Pattern RESOURCE = Pattern.compile("ResourceID[^>]*>([0-9a-f-]{36})<");

    @TempDir
    Path directory;

    private final FakeLrm lrm = new FakeLrm("Fork");
    private JobStore store;
    private JobEngine engine;
    private Door door;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        engine = new JobEngine(
                store,
                List.of(lrm),
                null,
                null,
                JobLimits.defaults(),
                EngineSettings.defaults(),
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        door = new Door(engine, store);
    }

    @AfterEach
    void close() {
        door.close();
        engine.close();
        store.close();
    }

    private void awaitAll(List<JobId> ids, Predicate<Job> condition) {
        await().atMost(PATIENCE)
                .until(() -> store.findAll(ids).values().stream().allMatch(condition));
    }

    private static <T> List<T> atOnce(List<Callable<T>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }

    @Test
    void aThousandDestroysAtOnceTakeNotMuchLongerThanAsManyCreatesAndEveryJobEnds() throws Exception {
        List<Callable<JobId>> creates = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            creates.add(() -> JobId.parse(door.post("ManagedJobFactoryService", Envelopes42.create(Envelopes42.job()))
                    .all("ResourceID")
                    .getFirst()));
        }
        // what is not compiled yet would count for the creates only
        awaitAll(atOnce(creates), job -> job.state() == JobState.PENDING);
        boolean isQuick = false;
        for (int round = 0; round < MOST_ROUNDS && !isQuick; round++) {
            isQuick = areDestroyedQuickly(creates);
        }
        assertThat(isQuick)
                .as("at most %d times as long as the creates, in one of %d rounds", MOST_CREATES, MOST_ROUNDS)
                .isTrue();
        assertThat(engine.liveJobs()).isEqualTo(MANY);
    }

    private boolean areDestroyedQuickly(List<Callable<JobId>> creates) throws Exception {
        long created = System.nanoTime();
        List<JobId> ids = atOnce(creates);
        Duration floor = Duration.ofNanos(System.nanoTime() - created);
        awaitAll(ids, job -> job.state() == JobState.PENDING);
        List<Callable<Answer>> destroys = new ArrayList<>();
        for (JobId id : ids) {
            destroys.add(() -> door.post(JOB, Envelopes.destroy(id.toString())));
        }

        long begin = System.nanoTime();
        List<Answer> answers = atOnce(destroys);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        System.out.printf(
                "%d Destroys at once: all answered in %d ms, as many creates in %d ms%n",
                MANY, took.toMillis(), floor.toMillis());
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        awaitAll(ids, Job::isGone);
        return took.compareTo(floor.multipliedBy(MOST_CREATES)) < 0;
    }

    @Test
    void aChangeIsToldToAThousandSubscriptions() throws Exception {
        door.start();
        try (TestConsumer consumer = new TestConsumer()) {
            String request = Envelopes42.create(Envelopes42.subscribe(consumer.address()) + Envelopes42.job());
            List<Callable<JobId>> creates = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                creates.add(() -> JobId.parse(door.post("ManagedJobFactoryService", request)
                        .all("ResourceID")
                        .getFirst()));
            }
            List<JobId> ids = atOnce(creates);
            awaitAll(ids, job -> job.state() == JobState.PENDING);
            await().atMost(PATIENCE).until(() -> told(consumer, "Pending") == MANY);

            ids.forEach(lrm::start);

            await().atMost(PATIENCE).until(() -> told(consumer, "Active") == MANY);
            Duration worst = consumer.arrivals().stream()
                    .filter(registration -> registration.text().contains(">Active<"))
                    .map(this::lag)
                    .max(Duration::compareTo)
                    .orElseThrow();
            System.out.printf("push lag at %d subscriptions: at most %d ms%n", MANY, worst.toMillis());
            // how soon depends on the machine: perf/run notice measures it
            assertThat(worst).isLessThan(PATIENCE);
        }
    }

    /** Of how many jobs this state was told. A message may come twice, where its answer took too long. */
    private static long told(TestConsumer consumer, String state) {
        Pattern job = Pattern.compile("ResourceID[^>]*>([^<]+)<");
        return consumer.arrivals().stream()
                .filter(registration -> registration.text().contains(">" + state + "<"))
                .flatMap(registration ->
                        job.matcher(registration.text()).results().limit(1))
                .map(found -> found.group(1))
                .distinct()
                .count();
    }

    @Test
    void tenThousandSubscriptionsOnOneJobAreRefusedAboveTheLimitAndHoldNobodyUp() throws Exception {
        door.start();
        try (TestConsumer consumer = new TestConsumer()) {
            JobId id = JobId.parse(door.post(
                            "ManagedJobFactoryService",
                            Envelopes42.create(Envelopes42.subscribe(consumer.address()) + Envelopes42.job()))
                    .all("ResourceID")
                    .getFirst());
            awaitAll(List.of(id), job -> job.state() == JobState.PENDING);
            List<Callable<Answer>> subscribes = new ArrayList<>();
            for (int i = 0; i < 10 * MANY; i++) {
                String request = Envelopes42.toJob(id, Envelopes42.subscribe("http://127.0.0.1:9/" + i));
                subscribes.add(() -> door.post(JOB, request));
            }

            long begin = System.nanoTime();
            int accepted = 0;
            for (int first = 0; first < subscribes.size(); first += MANY) {
                for (Answer answer : atOnce(subscribes.subList(first, first + MANY))) {
                    accepted += answer.status() == 200 ? 1 : 0;
                    assertThat(answer.status() == 200 || answer.text().contains("callbacks.maxSubscriptionsPerJob = 8"))
                            .as(answer.text())
                            .isTrue();
                }
            }
            System.out.printf(
                    "%d subscriptions on one job: %d accepted, in %d ms%n",
                    subscribes.size(), accepted, (System.nanoTime() - begin) / 1_000_000);
            lrm.start(id);

            assertThat(accepted).isEqualTo(7);
            await().atMost(PATIENCE)
                    .until(() -> consumer.arrivals().stream()
                            .anyMatch(registration -> registration.text().contains(">Active<")));
            assertThat(store.countRecords(Notifications.SUBSCRIPTION_KIND)).isEqualTo(accepted + 1);
        }
    }

    private Duration lag(TestConsumer.Arrival registration) {
        Matcher id = RESOURCE.matcher(registration.text());
        assertThat(id.find()).as(registration.text()).isTrue();
        Instant changed = store.changesOf(JobId.parse(id.group(1))).stream()
                .filter(change -> change.to() == JobState.ACTIVE)
                .findFirst()
                .orElseThrow()
                .at();
        return Duration.between(changed, registration.at());
    }
}
