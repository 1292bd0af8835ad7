// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.JobType;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmThrottle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of an LRM while nobody submits anything, and how one is noticed that does not answer. */
class LrmMonitorTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final LrmThrottle EAGER = new LrmThrottle(0, 100, 0, 0, 0, Duration.ofMillis(200));

    @TempDir
    Path root;

    private static LrmSettings asking(LrmSettings settings) {
        return settings.withThrottle(EAGER)
                .withMonitor(new MonitorSettings(Duration.ofMillis(200), true, List.of(), null));
    }

    private static LrmHealth awaitHealth(PerlLrm lrm, boolean well) {
        return await().atMost(PATIENCE).until(lrm::health, found -> found.well() == well);
    }

    @Test
    void forkSaysWhatTheMachineHas() throws IOException {
        try (LrmRoom room = new LrmRoom(root, LrmMonitorTest::asking)) {
            LrmCapabilities known = await().atMost(PATIENCE)
                    .until(room.lrm::capabilities, found -> !found.jobTypes().isEmpty());
            assertThat(known.kind()).isEqualTo("fork");
            assertThat(known.jobTypes()).containsExactlyInAnyOrder(JobType.SINGLE, JobType.MULTIPLE, JobType.MPI);
            assertThat(known.freshUntil()).isAfter(Instant.now().minusSeconds(5));
            assertThat(known.queues()).singleElement().satisfies(queue -> {
                assertThat(queue.name()).isEqualTo("Fork");
                assertThat(queue.isWhole()).isTrue();
                assertThat(queue.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
                assertThat(queue.maxRunningJobs()).isEqualTo(1000);
                assertThat(queue.memoryMiB()).isPositive();
                assertThat(queue.architecture()).isNotEmpty();
            });
        }
    }

    @Test
    void queuesAreAskedForAgainAndTheLastWordIsKeptWhenTheLrmIsDown() throws IOException {
        try (ToyLrm toy = new ToyLrm(root, LrmMonitorTest::asking)) {
            toy.write(
                    "queues",
                    "name=short processors=4 max_wall_seconds=60\nname=long default=1 max_processors=2 state=up");
            LrmCapabilities known = await().atMost(PATIENCE)
                    .until(toy.lrm::capabilities, found -> found.queues().size() == 2);
            assertThat(known.queues()).extracting(Queue::name).containsExactly("long", "short");
            assertThat(known.queues().get(1).maxWallTime()).isEqualTo(Duration.ofMinutes(1));
            assertThat(known.queues().get(0).maxProcessors()).isEqualTo(2);

            toy.write("down", "");
            LrmHealth health = awaitHealth(toy.lrm, false);
            assertThat(health.why()).contains("which queues it has", "the toy is down");
            assertThat(toy.lrm.capabilities().queues()).hasSize(2);
            await().atMost(PATIENCE)
                    .until(() ->
                            requireNonNull(toy.lrm.capabilities().freshUntil()).isBefore(Instant.now()));

            toy.remove("down");
            awaitHealth(toy.lrm, true);
        }
    }

    @Test
    void aQueueThatIsMadeBetweenTwoQuestionsIsKnownWhenSomebodyWantsToKnow() throws IOException {
        MonitorSettings seldom = new MonitorSettings(Duration.ofHours(1), true, List.of(), null);
        try (ToyLrm toy = new ToyLrm(root, settings -> settings.withMonitor(seldom))) {
            toy.write("queues", "name=old default=1");
            await().atMost(PATIENCE).until(() -> toy.lrm.capabilitiesNow().queues(), queues -> !queues.isEmpty());

            toy.write("queues", "name=old default=1\nname=new");

            await().atMost(PATIENCE).until(() -> toy.lrm.capabilitiesNow().queues(), queues -> queues.size() == 2);
            assertThat(requireNonNull(toy.lrm.capabilitiesNow().freshUntil())).isAfter(Instant.now());

            toy.write("down", "");
            await().atMost(PATIENCE).until(() -> toy.lrm.capabilitiesNow().freshUntil() == null);
            assertThat(toy.lrm.capabilities().queues()).hasSize(2);
        }
    }

    @Test
    void aWatchWithoutAnAnswerOfTheLrmIsNamedWithItsAccount() throws IOException {
        try (ToyLrm toy = new ToyLrm(root, LrmMonitorTest::asking)) {
            toy.submit();
            toy.write("live", "1");
            await().atMost(PATIENCE).until(() -> toy.lrm.health().pollAge() != null);
            assertThat(toy.lrm.health().well()).isTrue();

            toy.write("polled_at", Long.toString(Clock.systemUTC().instant().getEpochSecond() - 3600));
            LrmHealth health = awaitHealth(toy.lrm, false);
            assertThat(health.why())
                    .contains("account " + ToyLrm.ACCOUNT, "no answer of the LRM for 36", "commands answer");
            assertThat(toy.lrm.health(ToyLrm.ACCOUNT).why()).isEqualTo(health.why());
            assertThat(requireNonNull(health.pollAge())).isGreaterThan(Duration.ofMinutes(59));

            toy.remove("polled_at");
            awaitHealth(toy.lrm, true);
            toy.write("polled_at", "1");
            toy.write("live", "0"); // with no job there is nothing to ask
            await().atMost(PATIENCE).until(() -> toy.lrm.health().pollAge() == null);
            assertThat(toy.lrm.health().well()).isTrue();
        }
    }

    @Test
    void aWorkerThatHangsIsNamedAndReplaced() throws IOException {
        try (ToyLrm toy = new ToyLrm(root, LrmMonitorTest::asking)) {
            toy.submit();
            toy.write("hang", "");
            LrmHealth health = awaitHealth(toy.lrm, false);
            assertThat(health.why()).contains("the worker of account " + ToyLrm.ACCOUNT, "jobgate-worker");
            await().atMost(PATIENCE)
                    .until(() -> toy.lrm.health().why(), why -> why.contains("did not say how it is within 3 s"));
            toy.remove("hang");
            awaitHealth(toy.lrm, true);
            toy.submit();
        }
    }

    @Test
    void aChangedPollIntervalReachesTheWorkerThatRuns() throws IOException {
        try (ToyLrm toy = new ToyLrm(root, LrmMonitorTest::asking)) {
            toy.submit();
            assertThat(toy.read("poll_interval")).isEqualTo("0.2");
            toy.lrm.throttle(new LrmThrottle(0, 1, 0, 0, 0, Duration.ofSeconds(7)));
            assertThat(toy.lrm.batchLimit()).isEqualTo(1);
            await().atMost(PATIENCE).untilAsserted(() -> {
                toy.submit();
                assertThat(toy.read("poll_interval")).isEqualTo("7.0");
            });
        }
    }

    @Test
    void theAgeOfEachEventIsMeasuredWhenTheWatchSeesIt() throws IOException {
        try (LrmRoom room = new LrmRoom(root)) {
            List<Duration> lags = new java.util.concurrent.CopyOnWriteArrayList<>();
            room.lrm.onLag(lags::add);
            room.run(room.job("/bin/true"));
            await().atMost(PATIENCE).until(() -> lags.size() == 3);
            assertThat(lags).allSatisfy(lag -> assertThat(lag).isBetween(Duration.ZERO, Duration.ofMinutes(1)));
            room.lrm.close();
            List<Duration> again = new java.util.concurrent.CopyOnWriteArrayList<>();
            room.records.store();
            room.start().onLag(again::add);
            room.run(room.job("/bin/true"));
            await().atMost(PATIENCE).until(() -> again.size() >= 3);
            assertThat(again).hasSize(3); // what was told before is no news
        }
    }

    @Test
    void theStarterEndsWithTheIdleTimeOfTheGateway() throws IOException {
        try (LrmRoom room = new LrmRoom(root, settings -> settings.withIdleEnd(Duration.ofMillis(300)))) {
            room.run(room.job("/bin/true"));
            long starter = room.starterPid();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> ProcessHandle.of(starter)
                            .filter(ProcessHandle::isAlive)
                            .isEmpty());
        }
    }
}
