// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.engine.JobEngine;
import org.jobgate.identity.Identity;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cleaned jobs whose time is over in a second: many of them, and one that is submitted again in the instant in which it goes. */
class ArcCleanedManyTest extends ArcRoom {

    private static final int MANY = 60;
    private static final String JOB = keyed("pool#5.0");
    private static final JsonMapper JSON = new JsonMapper();

    private volatile Runnable afterSubmission = () -> {};
    private volatile Runnable beforeDestroy = () -> {};

    private static String keyed(String key) {
        return adl(
                "<Executable><Path>/bin/true</Path></Executable><Environment><Name>GRAM_CLIENT_KEY</Name><Value>" + key
                        + "</Value></Environment>",
                "");
    }

    @Override
    Duration keepCleaned() {
        return Duration.ofSeconds(1);
    }

    @Override
    JobsBySubject jobs(JobEngine real) {
        return (JobsBySubject) Proxy.newProxyInstance(
                JobsBySubject.class.getClassLoader(),
                new Class<?>[] {JobsBySubject.class},
                (self, method, arguments) -> {
                    if (method.getName().startsWith("destroy")
                            && Thread.currentThread().getName().equals("arc-sessions")) {
                        beforeDestroy.run();
                    }
                    try {
                        Object answer = method.invoke(real, arguments);
                        if (method.getName().startsWith("submit")) {
                            afterSubmission.run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private JobId ended(String description) throws Exception {
        JobId id = submit(description);
        await().atMost(Duration.ofSeconds(60)).until(() -> state(id).equals("FINISHED"));
        return id;
    }

    private void assertRefused(HttpResponse<String> answer, JobId id) {
        JsonNode job = JSON.readTree(answer.body()).get("job").get(0);
        assertThat(job.get("status-code").asString()).isEqualTo("409");
        assertThat(job.get("reason").asString()).contains(id.toString(), "not run a second time");
        assertThat(lrm.taken()).isEqualTo(1);
    }

    private HttpResponse<String> again() throws Exception {
        return ask("POST", "/jobs?action=new", JOB, "Accept", "application/json");
    }

    @Test
    void oneThatGoesWhileItIsSubmittedAgainIsNotAnsweredAsIfItWereThere() throws Exception {
        lrm.runByItself();
        JobId id = ended(JOB);
        AtomicBoolean isBetween = new AtomicBoolean();
        afterSubmission = () -> {
            isBetween.set(true);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> engine.find(ALICE, id).isEmpty());
        };
        // its second may be over before the client has asked again, however quick both are
        beforeDestroy = () -> await().atMost(Duration.ofSeconds(60)).untilTrue(isBetween);
        act("clean", id);
        assertRefused(again(), id);
        assertThat(isBetween).as("the job was found by its key before it went").isTrue();
    }

    @Test
    void oneThatIsBeingDestroyedIsNotTakenBack() throws Exception {
        lrm.runByItself();
        JobId id = ended(JOB);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        beforeDestroy = () -> {
            begun.countDown();
            goOn.join();
        };
        act("clean", id);
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        try (ExecutorService client = Executors.newSingleThreadExecutor()) {
            Future<HttpResponse<String>> answer = client.submit(this::again);
            await().during(Duration.ofMillis(300)).until(() -> !answer.isDone());
            goOn.complete(null);
            assertRefused(answer.get(60, TimeUnit.SECONDS), id);
        }
    }

    @Test
    void manyAreCleanedAndGoByFewTransactions() throws Exception {
        lrm.runByItself();
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ids.add(submit(keyed("pool#6." + i)));
        }
        await().until(() -> {
            for (JobId id : ids) {
                if (!state(id).equals("FINISHED")) {
                    return false;
                }
            }
            return true;
        });
        long before = store.statistics().commits();
        JsonNode cleaned =
                json("POST", "/jobs?action=clean", ids(ids.toArray())).get("job");
        assertThat(cleaned)
                .hasSize(MANY)
                .allMatch(job -> job.get("status-code").asString().equals("202"));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(DiskFiles.names(sessions())).isEmpty());
        // each by transactions of its own they were four times as many as the jobs: cleaned, destroyed, and two records
        // forgotten
        assertThat(store.statistics().commits() - before).isLessThan(2 * MANY);
    }

    @Test
    void ofEachOwnerSomeGoInARound() throws Exception {
        lrm.runByItself();
        List<Job> hers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            hers.add(engine.find(ended(keyed("pool#7." + i))).orElseThrow());
        }
        String his = askAs(BOB, "POST", "/1.1/jobs?action=new", JOB, "Accept", "application/json")
                .body();
        JobId id = JobId.parse(JSON.readTree(his).get("job").get(0).get("id").asString());
        CleanedJobs staying = new CleanedJobs(
                new Access(new Authorizer() {
                    @Override
                    public Decision decide(Identity identity) {
                        return new Decision.Permit(List.of("somebody"));
                    }
                }),
                new Jobs(engine),
                store,
                Duration.ZERO,
                2,
                Clock.systemUTC());
        staying.addAll(ALICE, hers);
        staying.addAll(BOB, List.of(engine.find(id).orElseThrow()));
        Map<String, List<JobId>> ended = staying.endDue();
        assertThat(ended.get(ALICE)).hasSize(2);
        assertThat(ended.get(BOB)).containsExactly(id);
        assertThat(staying.count()).isEqualTo(3);
    }
}
