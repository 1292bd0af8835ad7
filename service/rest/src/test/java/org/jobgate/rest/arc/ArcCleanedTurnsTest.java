// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.authz.Decision;
import org.jobgate.files.FilePlace;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Jobs of several owners that were cleaned: what goes wrong with those of one, or takes long, does not keep others waiting. */
class ArcCleanedTurnsTest extends ArcRoom {

    private static final int MANY = 250;
    private static final String TRUE = adl("<Executable><Path>/bin/true</Path></Executable>", "");
    private static final JsonMapper JSON = new JsonMapper();

    private final CompletableFuture<Void> firstIsAt = new CompletableFuture<>();
    private final CompletableFuture<Void> goOn = new CompletableFuture<>();
    private final AtomicInteger deletions = new AtomicInteger();

    /** The removal of Alice's first directory waits for the test, that of her second one fails twice: once may be in the look at all sessions. */
    @Override
    DiskFiles files() {
        return new DiskFiles() {
            @Override
            public boolean delete(String account, FilePlace place) {
                if (account.equals("Alice") && Thread.currentThread().getName().equals("arc-sessions")) {
                    int before = deletions.getAndIncrement();
                    if (before == 0) {
                        firstIsAt.complete(null);
                        goOn.join();
                    } else if (before <= 2) {
                        throw new IllegalStateException("it cannot be told how this went wrong");
                    }
                }
                return super.delete(account, place);
            }
        };
    }

    private JobId endedOf(String subject) throws Exception {
        String made = askAs(subject, "POST", "/1.1/jobs?action=new", TRUE, "Accept", "application/json")
                .body();
        JobId id = JobId.parse(JSON.readTree(made).get("job").get(0).get("id").asString());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> engine.find(id).orElseThrow().state().isTerminal());
        return id;
    }

    private void clean(String subject, JobId id) throws Exception {
        assertThat(askAs(subject, "POST", "/1.1/jobs?action=clean", ids(id), "Content-Type", "application/json")
                        .statusCode())
                .isLessThan(300);
    }

    private Path sessionsOf(String account) {
        return sessions().resolve("../../" + account + "/sessions").normalize();
    }

    @Test
    void whatFailsForOneOwnerIsTriedAgainAndDelaysNobodyElse() throws Exception {
        lrm.runByItself();
        JobId first = endedOf(ALICE);
        JobId second = endedOf(ALICE);
        JobId his = endedOf(BOB);
        clean(ALICE, first);
        firstIsAt.get(60, TimeUnit.SECONDS);
        clean(ALICE, second); // in one round, hers before his
        clean(BOB, his);
        goOn.complete(null);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(DiskFiles.names(sessionsOf("Bob"))).isEmpty();
            assertThat(DiskFiles.names(sessionsOf("Alice"))).isEmpty();
        });
        assertThat(deletions).as("two failed").hasValueGreaterThan(3);
    }

    @Test
    void aDamagedRecordKeepsNoOtherDirectoryFromBeingRemoved() throws Exception {
        Path left = Files.createDirectories(sessionsOf("Bob").resolve("left"));
        JobId none = JobId.create(Clock.systemUTC(), new Random(2));
        put(SessionRecords.DIRECTORY, "/", null, ALICE, "no job\nAlice");
        put(SessionRecords.DIRECTORY, left.toString(), null, BOB, none + "\nBob");
        restart();
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.notExists(left));
    }

    private void put(String kind, String id, @Nullable JobId job, String owner, String body) {
        store.putRecord(new DoorRecord(kind, id, job, owner, body, Instant.now()))
                .join();
    }

    @Test
    void whoTakesOneBackWaitsForAStretchOnly() throws Exception {
        Random random = new Random(3);
        Set<JobId> left = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            JobId id = JobId.create(Clock.systemUTC(), random);
            left.add(id);
            put(CleanedJobs.RECORDS, id.toString(), null, ALICE, "0");
        }
        List<Integer> stretches = new ArrayList<>();
        List<JobId> taken = new ArrayList<>();
        CleanedJobs[] staying = new CleanedJobs[1];
        List<Thread> takers = new ArrayList<>();
        JobsBySubject watched = (JobsBySubject) Proxy.newProxyInstance(
                JobsBySubject.class.getClassLoader(),
                new Class<?>[] {JobsBySubject.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("destroyAll")) {
                        List<?> ids = (List<?>) arguments[1];
                        stretches.add(ids.size());
                        ids.forEach(left::remove);
                        if (takers.isEmpty() && !left.isEmpty()) {
                            taken.addAll(left);
                            takers.add(Thread.ofPlatform().start(() -> staying[0].removeAll(ALICE, taken)));
                            await().until(() -> takers.getFirst().getState() == Thread.State.WAITING);
                        }
                    }
                    try {
                        return method.invoke(engine, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        staying[0] = new CleanedJobs(
                new Access(identity -> new Decision.Permit(List.of("somebody"))),
                new Jobs(watched),
                store,
                Duration.ZERO,
                1_000,
                Clock.systemUTC());
        staying[0].load();
        Map<String, List<JobId>> ended = staying[0].endDue();
        assertThat(stretches)
                .as("what was taken back after the first stretch is left alone")
                .containsExactly(100);
        takers.getFirst().join(60_000);
        assertThat(taken).hasSize(MANY - 100);
        assertThat(ended.get(ALICE)).hasSize(100).doesNotContainAnyElementsOf(taken);
        assertThat(staying[0].count()).isZero();
    }
}
