// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One job over HTTP, from its submission to its end. */
class JobOperationsTest extends ApiRoom {

    @Test
    void aJobIsRunAndSeenToItsEnd() throws Exception {
        Answer created = post(
                        ALICE,
                        "/jobs",
                        "{\"executable\": \"/bin/echo\", \"arguments\": [\"hello\", \"\"], \"environment\": {\"A\": \"b\"}}")
                .is(201);
        String id = created.at("/id");
        assertThat(created.header("Location")).isEqualTo("/api/v1/jobs/" + id);
        assertThat(created.header("ETag"))
                .isEqualTo("\"" + created.json().get("version").asLong() + "\"");
        assertThat(created.at("/account")).isEqualTo("alice");
        assertThat(created.at("/lrm")).isEqualTo("Fork");
        assertThat(created.at("/owner")).isEqualTo(ALICE);
        assertThat(created.at("/links/stdout")).isEqualTo("/jobs/" + id + "/stdout");
        assertThat(created.json().has("idempotencyKey")).isFalse();
        finish(id, 3);
        assertThat(lrm.descriptionOf(JobId.parse(id)).arguments()).containsExactly("hello", "");
        Answer over = get(ALICE, "/jobs/" + id).is(200);
        assertThat(over.at("/state")).isEqualTo("Done");
        assertThat(over.json().get("final").asBoolean()).isTrue();
        assertThat(over.json().get("exitCode").asInt()).isEqualTo(3);
        assertThat(over.at("/ended")).endsWith("Z");
    }

    @Test
    void theDescriptionComesBackAsItWasSent() throws Exception {
        String description = """
                {"executable":"/bin/x","arguments":["a","ü"],"directory":"/w","environment":{"A":"1","B":"2"},"stdin":"i","stdout":"o",\
                "stderr":"e","count":2,"hostCount":1,"jobType":"single","libraryPath":["/l"],"queue":"q","project":"p","maxTimeSeconds":60,\
                "maxWallTimeSeconds":120,"maxCpuTimeSeconds":180,"maxMemoryMiB":64,"minMemoryMiB":32,"holdAt":"Pending",\
                "stageOutOnFailure":true,"extensions":[{"name":"n","attributes":{"x":"y"},"text":"t","children":[{"name":"c"}]}],\
                "lrm":"Slurm","account":"project"}""";
        String id = submit(ALICE, description);
        assertThat(get(ALICE, "/jobs/" + id + "/description").is(200).text()).isEqualTo(description);
        String again = submit(ALICE, get(ALICE, "/jobs/" + id + "/description").text());
        assertThat(get(ALICE, "/jobs/" + again + "/description").text()).isEqualTo(description);
    }

    @Test
    void jobsOfOthersJobsThatAreGoneAndJobsThatNeverWereLookAlike() throws Exception {
        String ofBob = submit(BOB, TRUE);
        String gone = submit(ALICE, TRUE);
        finish(gone, 0);
        delete(ALICE, "/jobs/" + gone).is(204);
        String never = UUID.randomUUID().toString();
        for (String id : List.of(ofBob, gone, never, "not-an-id")) {
            for (String path : List.of("", "/description", "?wait=1")) {
                assertUnknown(get(ALICE, "/jobs/" + id + path), id);
            }
            for (String action : List.of("/cancel", "/hold", "/release", "/suspend", "/resume", "/restart")) {
                assertUnknown(order(ALICE, "/jobs/" + id + action), id);
                assertUnknown(order(ALICE, "/jobs/" + id + action, "If-Match", "\"1\""), id);
            }
            assertUnknown(post(ALICE, "/jobs/" + id + "/extend", "{\"terminationTime\": null}"), id);
            assertUnknown(delete(ALICE, "/jobs/" + id), id);
        }
        get(BOB, "/jobs/" + ofBob).is(200);
    }

    private static void assertUnknown(Answer answer, String id) {
        answer.isProblem(404, "JOB_UNKNOWN");
        assertThat(answer.at("/detail")).isEqualTo("There is no job '" + id + "'.");
    }

    @Test
    void aRepeatWithTheSameKeyAnswersTheSameJobAndAnotherRequestIsRefusedWithTheDifference() throws Exception {
        String key = "run 7/a";
        String job = "{\"executable\": \"/bin/echo\", \"arguments\": [\"1\"], \"queue\": \"a\"}";
        Answer first = post(ALICE, "/jobs", job, "Idempotency-Key", key).is(201);
        assertThat(first.at("/idempotencyKey")).isEqualTo(key);
        String id = first.at("/id");
        assertThat(post(ALICE, "/jobs", job, "Idempotency-Key", key).is(200).at("/id"))
                .isEqualTo(id);
        assertThat(post(ALICE, "/jobs", job, "Idempotency-Key", "\"" + key + "\"")
                        .is(200)
                        .at("/id"))
                .isEqualTo(id);
        String named = job.replace("{", "{\"idempotencyKey\": \"" + key + "\", ");
        assertThat(post(ALICE, "/jobs", named).is(200).at("/id")).isEqualTo(id);
        Answer refused = post(
                        ALICE,
                        "/jobs",
                        "{\"executable\": \"/bin/echo\", \"arguments\": [\"2\"], \"count\": 2, \"lrm\": \"Slurm\", \"queue\": \"a\"}",
                        "Idempotency-Key",
                        key)
                .isProblem(409, "KEY_REUSED");
        assertThat(refused.at("/job")).isEqualTo(id);
        assertThat(refused.json().get("differences").toString()).isEqualTo("[\"lrm\",\"arguments\",\"count\"]");
        post(BOB, "/jobs", job, "Idempotency-Key", key).is(201);
        post(ALICE, "/jobs", named, "Idempotency-Key", "another").isProblem(400, "INVALID_FIELD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ü"})
    void aKeyIsPlainText(String key) throws Exception {
        post(ALICE, "/jobs", "{\"executable\":\"/bin/true\",\"idempotencyKey\":\"" + "x".repeat(257) + "\"}")
                .isProblem(400, "INVALID_FIELD");
        post(ALICE, "/jobs", "{\"executable\":\"/bin/true\",\"idempotencyKey\":\"" + key + "\"}")
                .is(key.isEmpty() ? 400 : 201);
    }

    @Test
    void aWaitEndsWithTheNextChange() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        long version = get(ALICE, "/jobs/" + id).json().get("version").asLong();
        assertThat(get(ALICE, "/jobs/" + id + "?wait=20&version=0")
                        .json()
                        .get("version")
                        .asLong())
                .isEqualTo(version);
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return get(ALICE, "/jobs/" + id + "?wait=120", "If-None-Match", "\"" + version + "\"");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep(200);
        assertThat(waiting).isNotDone();
        lrm.start(JobId.parse(id));
        Answer changed = waiting.get(1, TimeUnit.MINUTES).is(200);
        assertThat(changed.at("/state")).isEqualTo("Active");
        long begin = System.nanoTime();
        get(ALICE, "/jobs/" + id + "?wait=1", "If-None-Match", changed.header("ETag"))
                .is(304);
        assertThat(System.nanoTime() - begin).isGreaterThan(900_000_000L);
    }

    @Test
    void whoFindsNoPlaceToWaitIsAnsweredAtOnce() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        List<CompletableFuture<Integer>> waiting = java.util.stream.IntStream.range(0, 5)
                .mapToObj(i -> client.sendAsync(
                                request("/jobs/" + id + "?wait=120")
                                        .header("Subject", ALICE)
                                        .build(),
                                java.net.http.HttpResponse.BodyHandlers.discarding())
                        .thenApply(java.net.http.HttpResponse::statusCode))
                .toList();
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofMinutes(1))
                .until(() -> waiting.stream().filter(CompletableFuture::isDone).count() == 3);
        engine.endWaits();
        for (CompletableFuture<Integer> one : waiting) {
            assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo(200);
        }
    }

    @Test
    void aConditionThatDoesNotHoldChangesNothing() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        String now = get(ALICE, "/jobs/" + id).header("ETag");
        Answer refused =
                order(ALICE, "/jobs/" + id + "/cancel", "If-Match", "\"1\"").isProblem(412, "CHANGED");
        assertThat(refused.header("ETag")).isEqualTo(now);
        assertThat(get(ALICE, "/jobs/" + id).header("ETag")).isEqualTo(now);
        order(ALICE, "/jobs/" + id + "/cancel", "If-Match", now).is(200);
        delete(ALICE, "/jobs/" + id, "If-Match", "\"1\"").isProblem(412, "CHANGED");
    }

    /** Two that look first and write then would both find the version that they have seen. */
    @Test
    void ofThoseWhoChangeTheSameVersionOneIsFirst() throws Exception {
        String id = submit(ALICE, "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}");
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).json().get("holding").asBoolean());
        for (int round = 0; round < 10; round++) {
            String seen = get(ALICE, "/jobs/" + id).header("ETag");
            int turn = round;
            List<Integer> answers = java.util.stream.IntStream.range(0, 6)
                    .mapToObj(writer -> client.sendAsync(
                            request("/jobs/" + id + "/extend", "If-Match", seen)
                                    .header("Subject", ALICE)
                                    .header("Content-Type", "application/json")
                                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString(
                                            "{\"terminationTime\": \"2037-05-" + (10 + turn) + "T10:0" + writer
                                                    + ":00Z\"}"))
                                    .build(),
                            java.net.http.HttpResponse.BodyHandlers.discarding()))
                    .toList()
                    .stream()
                    .map(answer -> answer.join().statusCode())
                    .sorted()
                    .toList();
            assertThat(answers).containsExactly(200, 412, 412, 412, 412, 412);
        }
    }

    @Test
    void aJobIsHeldReleasedCancelledExtendedAndForgotten() throws Exception {
        String id = submit(ALICE, "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}");
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).json().get("holding").asBoolean());
        order(ALICE, "/jobs/" + id + "/release").is(200);
        awaitInLrm(id);
        String time = "2037-05-01T10:00:00Z";
        assertThat(post(ALICE, "/jobs/" + id + "/extend", "{\"terminationTime\": \"" + time + "\"}")
                        .is(200)
                        .at("/terminationTime"))
                .isEqualTo(time);
        assertThat(post(ALICE, "/jobs/" + id + "/extend", "{\"terminationTime\": null}")
                        .is(200)
                        .json()
                        .has("terminationTime"))
                .isFalse();
        post(ALICE, "/jobs/" + id + "/extend", "{\"terminationTime\": \"2001-01-01T00:00:00Z\"}")
                .isProblem(422, "INVALID_TERMINATION_TIME");
        post(ALICE, "/jobs/" + id + "/extend", "{}").isProblem(400, "INVALID_FIELD");
        order(ALICE, "/jobs/" + id + "/cancel").is(200);
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Cancelled"));
        assertThat(get(ALICE, "/jobs/" + id).at("/fault/code")).isEqualTo("CANCELLED_BY_USER");
        delete(ALICE, "/jobs/" + id).is(204);
        String live = submit(ALICE, TRUE);
        awaitInLrm(live);
        delete(ALICE, "/jobs/" + live).is(202);
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + live).status() == 404);
    }

    @Test
    void aJobThatWaitsIsHeldByItsOwnerAndReleased() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        order(ALICE, "/jobs/" + id + "/hold").isProblem(422, "UNSUPPORTED_FEATURE");
        post(ALICE, "/jobs/" + id + "/hold", "{\"at\": \"Active\"}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/jobs/" + id + "/hold", "{\"until\": 1}").isProblem(400, "UNKNOWN_FIELD");
        post(ALICE, "/jobs/" + id + "/hold", "{\"at\": \"StageIn\"}").isProblem(409, "WRONG_STATE");
        lrm.suspendsIn(org.jobgate.job.JobState.PENDING);
        order(ALICE, "/jobs/" + id + "/hold").is(200);
        org.awaitility.Awaitility.await().until(() -> {
            Answer now = get(ALICE, "/jobs/" + id);
            return now.at("/state").equals("Suspended")
                    && now.json().get("holding").asBoolean();
        });
        assertThat(get(ALICE, "/jobs?holding=true").at("/jobs/0/id")).isEqualTo(id);
        order(ALICE, "/jobs/" + id + "/release").is(200);
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Active"));
        order(ALICE, "/jobs/" + id + "/hold").isProblem(409, "WRONG_STATE");
        Answer many = post(ALICE, "/bulk/jobs/hold", "{\"ids\": [\"" + id + "\"], \"at\": \"StageOut\"}")
                .is(200);
        assertThat(many.at("/results/0/status")).isEqualTo("200");
        assertThat(get(ALICE, "/jobs/" + id).at("/holdAt")).isEqualTo("StageOut");
    }

    @Test
    void aJobIsSuspendedAndResumedWhereItsLrmCan() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        lrm.start(JobId.parse(id));
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Active"));
        order(ALICE, "/jobs/" + id + "/suspend").isProblem(422, "UNSUPPORTED_FEATURE");
        lrm.suspendsIn(org.jobgate.job.JobState.ACTIVE);
        order(ALICE, "/jobs/" + id + "/suspend").is(200);
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Suspended"));
        order(ALICE, "/jobs/" + id + "/resume").is(200);
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Active"));
    }

    @Test
    void aMultiJobHasItsJobs() throws Exception {
        String multi =
                "{\"subJobs\": [{\"executable\": \"/bin/a\"}, {\"executable\": \"/bin/b\", \"lrm\": \"Slurm\", \"account\": \"project\"}]}";
        Answer created = post(ALICE, "/jobs", multi).is(201);
        assertThat(created.at("/lrm")).isEqualTo("Multi");
        Answer description =
                get(ALICE, "/jobs/" + created.at("/id") + "/description").is(200);
        assertThat(description.at("/subJobs/0/executable")).isEqualTo("/bin/a");
        assertThat(description.at("/subJobs/1/account")).isEqualTo("project");
        post(ALICE, "/jobs", "{\"executable\":\"/bin/a\",\"subJobs\":[]}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/jobs", "{\"subJobs\": [{\"executable\": \"/bin/a\", \"account\": \"root\"}]}")
                .isProblem(403, "NOT_AUTHORIZED");
    }

    @Test
    void whoMayNotIsToldWhy() throws Exception {
        send(request("/jobs").GET()).isProblem(401, "NOT_AUTHENTICATED");
        assertThat(send(request("/jobs").GET()).header("WWW-Authenticate")).isEqualTo("Bearer");
        Answer refused = post("/O=Grid/CN=Mallory", "/jobs", TRUE).isProblem(403, "NOT_AUTHORIZED");
        assertThat(refused.at("/detail")).contains("nobody knows");
        send(request("/jobs")
                        .header("Subject", ALICE)
                        .header("Limited", "1")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(TRUE)))
                .isProblem(403, "NOT_AUTHORIZED");
        assertThat(post(ALICE, "/jobs", "{\"executable\":\"/bin/true\",\"account\":\"root\"}")
                        .isProblem(403, "NOT_AUTHORIZED")
                        .at("/attribute"))
                .isEqualTo("account");
    }
}
