// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.authz.Action;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Arrays over HTTP. */
class ArrayOperationsTest extends ApiRoom {

    private static final String ECHO = "{\"executable\": \"/bin/echo\", \"arguments\": [\"{index}\", \"{value}\"]}";

    @Override
    JobLimits limits() {
        return super.limits()
                .with(
                        new Limit("limits.maxGroupElements", 1_000),
                        new Limit("limits.maxGroupBytes", 2_000),
                        new Limit("limits.maxGroupsPerOwner", 3),
                        new Limit("limits.maxGroupRunning", 50),
                        new Limit("limits.maxTextBytes", 1_500));
    }

    private static String ofIndices(String indices) {
        return "{\"job\": " + ECHO + ", \"indices\": \"" + indices + "\"}";
    }

    private static String ofIndices(String indices, int maxRunning) {
        return "{\"job\": " + ECHO + ", \"indices\": \"" + indices + "\", \"maxRunning\": " + maxRunning + "}";
    }

    private String array(String json) throws Exception {
        return post(ALICE, "/arrays", json).is(201).at("/id");
    }

    private Answer patch(String subject, String id, String json) throws Exception {
        return send(request("/arrays/" + id)
                .header("Subject", subject)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(json)));
    }

    private int count(String id, String state) throws Exception {
        return get(ALICE, "/arrays/" + id)
                .is(200)
                .json()
                .get("states")
                .path(state)
                .asInt(0);
    }

    private void awaitCount(String id, String state, int count) {
        await().atMost(Duration.ofMinutes(1)).until(() -> count(id, state) == count);
    }

    private JsonNode element(String id, int index) throws Exception {
        return get(ALICE, "/arrays/" + id + "/elements?elements=" + index)
                .is(200)
                .json()
                .at("/elements/0");
    }

    private String job(String id, int index) throws Exception {
        return element(id, index).get("job").asString();
    }

    private List<Integer> indices(String id, String query) throws Exception {
        List<Integer> indices = new ArrayList<>();
        get(ALICE, "/arrays/" + id + "/elements" + query)
                .is(200)
                .json()
                .get("elements")
                .forEach(element -> indices.add(element.get("index").asInt()));
        return indices;
    }

    @Test
    void anArrayIsOneObjectAndItsElementsAreJobs() throws Exception {
        Answer created = post(ALICE, "/arrays", ofIndices("2-8:3")).is(201);
        String id = created.at("/id");
        assertThat(created.header("Location")).isEqualTo("/api/v1/arrays/" + id);
        assertThat(created.header("ETag"))
                .isEqualTo("\"" + created.json().get("version").asLong() + "\"");
        assertThat(created.json().get("size").asInt()).isEqualTo(3);
        assertThat(created.at("/indices")).isEqualTo("2-8:3");
        assertThat(created.at("/account")).isEqualTo("alice");
        assertThat(created.at("/lrm")).isEqualTo("Fork");
        assertThat(created.json().get("maxRunning").asInt()).isEqualTo(50);
        assertThat(created.at("/links/elements")).isEqualTo("/api/v1/arrays/" + id + "/elements");
        awaitCount(id, "Pending", 3);
        assertThat(indices(id, "")).containsExactly(2, 5, 8);
        String job = job(id, 5);
        Answer seen = get(ALICE, "/jobs/" + job).is(200);
        assertThat(seen.at("/array")).isEqualTo(id);
        assertThat(seen.json().get("index").asInt()).isEqualTo(5);
        assertThat(seen.json().has("idempotencyKey")).isFalse();
        assertThat(get(ALICE, "/jobs?fields=index").json().at("/jobs/0").propertyNames())
                .containsExactly("id", "index");
        assertThat(lrm.descriptionOf(JobId.parse(job)).arguments()).containsExactly("5", "5");
        finish(job, 0);
        finish(job(id, 2), 7);
        awaitCount(id, "Failed", 1);
        JsonNode now = get(ALICE, "/arrays/" + id).json();
        assertThat(now.get("states").toString()).isEqualTo("{\"Pending\":1,\"Done\":1,\"Failed\":1}");
        assertThat(now.get("failed").asInt()).isEqualTo(1);
        assertThat(now.get("final").asBoolean()).isFalse();
        assertThat(element(id, 2).get("exitCode").asInt()).isEqualTo(7);
        assertThat(element(id, 2).get("state").asString()).isEqualTo("Failed");
        assertThat(element(id, 8).has("exitCode")).isFalse();
        assertThat(get(ALICE, "/jobs/" + submit(ALICE, TRUE)).json().has("array"))
                .isFalse();
    }

    @Test
    void eachValueHasItsElementAndStaysOneArgument() throws Exception {
        String id = array("{\"job\": " + ECHO + ", \"values\": [\"a b\", \"{index}\", \"$(x)\"]}");
        awaitCount(id, "Pending", 3);
        assertThat(element(id, 1).get("value").asString()).isEqualTo("{index}");
        assertThat(lrm.descriptionOf(JobId.parse(job(id, 1))).arguments()).containsExactly("1", "{index}");
        assertThat(lrm.descriptionOf(JobId.parse(job(id, 2))).arguments()).containsExactly("2", "$(x)");
        assertThat(element(array(ofIndices("1-1")), 1).has("value")).isFalse();
    }

    @Test
    void noMoreThanMaxRunningAreJobsAtOnceAndItCanBeChanged() throws Exception {
        String id = array(ofIndices("1-10", 2));
        awaitCount(id, "Pending", 2);
        assertThat(count(id, "Waiting")).isEqualTo(8);
        Answer changed = patch(ALICE, id, "{\"maxRunning\": 5}").is(200);
        assertThat(changed.json().get("maxRunning").asInt()).isEqualTo(5);
        awaitCount(id, "Pending", 5);
        assertThat(element(id, 6).has("job")).isFalse();
        assertThat(element(id, 6).get("state").asString()).isEqualTo("Waiting");
        patch(ALICE, id, "{}").isProblem(400, "INVALID_FIELD");
        patch(ALICE, id, "{\"maxRunning\": 0}").isProblem(400, "INVALID_FIELD");
        patch(ALICE, id, "{\"maxRunning\": 2, \"size\": 3}").isProblem(400, "UNKNOWN_FIELD");
        assertThat(patch(ALICE, id, "{\"maxRunning\": 51}")
                        .isProblem(422, "LIMIT_EXCEEDED")
                        .at("/limit"))
                .isEqualTo("limits.maxGroupRunning");
        assertThat(patch(ALICE, id, "{\"maxRunning\": null}")
                        .json()
                        .get("maxRunning")
                        .asInt())
                .isEqualTo(50);
        awaitCount(id, "Pending", 10);
    }

    @Test
    void aPartOrTheWholeIsCancelled() throws Exception {
        String id = array(ofIndices("1-20", 4));
        awaitCount(id, "Pending", 4);
        post(ALICE, "/arrays/" + id + "/cancel", "{\"elements\": \"2,15-17,16-18\"}")
                .is(200);
        awaitCount(id, "Cancelled", 5);
        assertThat(indices(id, "?state=cancelled")).containsExactly(2, 15, 16, 17, 18);
        post(ALICE, "/arrays/" + id + "/cancel", "{\"elements\": \"3,21-30\"}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/arrays/" + id + "/cancel", "{\"failed\": true}").isProblem(400, "UNKNOWN_FIELD");
        post(ALICE, "/arrays/" + id + "/cancel", "").isProblem(400, "BAD_JSON");
        send(request("/arrays/" + id + "/cancel").header("Subject", ALICE).POST(BodyPublishers.ofString("{}")))
                .isProblem(415, "CONTENT_TYPE");
        awaitCount(id, "Pending", 4);
        assertThat(element(id, 3).get("state").asString()).isEqualTo("Pending");
        order(ALICE, "/arrays/" + id + "/cancel").is(200);
        awaitCount(id, "Cancelled", 20);
        assertThat(get(ALICE, "/arrays/" + id).json().get("final").asBoolean()).isTrue();
        assertThat(get(ALICE, "/arrays/" + id).at("/ended")).endsWith("Z");
    }

    @Test
    void whatFailedIsRunAgainAllOrAPart() throws Exception {
        String id = array(ofIndices("0-3"));
        awaitCount(id, "Pending", 4);
        String first = job(id, 1);
        for (int index = 0; index < 3; index++) {
            finish(job(id, index), index);
        }
        awaitCount(id, "Failed", 2);
        post(ALICE, "/arrays/" + id + "/restart", "{\"elements\": \"0-1\"}").is(200);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> element(id, 1).get("state").asString().equals("Pending"));
        assertThat(element(id, 1).get("attempt").asInt()).isEqualTo(2);
        assertThat(job(id, 1)).isNotEqualTo(first);
        assertThat(element(id, 0).get("attempt").asInt()).isEqualTo(1);
        assertThat(count(id, "Failed")).isEqualTo(1);
        order(ALICE, "/arrays/" + id + "/restart").is(200);
        awaitCount(id, "Failed", 0);
        awaitCount(id, "Pending", 3);
        finish(job(id, 1), 0);
        awaitCount(id, "Done", 2);
    }

    @Test
    void aRepeatAnswersTheSameArrayAndAnotherRequestWithItsKeyIsRefusedWithTheDifference() throws Exception {
        String[] key = {"Idempotency-Key", "sweep 1"};
        Answer first = post(ALICE, "/arrays", ofIndices("1-4"), key).is(201);
        assertThat(first.at("/idempotencyKey")).isEqualTo("sweep 1");
        String id = first.at("/id");
        assertThat(post(ALICE, "/arrays", ofIndices("1-4"), key).is(200).at("/id"))
                .isEqualTo(id);
        Answer refused = post(
                        ALICE,
                        "/arrays",
                        "{\"job\": {\"executable\": \"/bin/echo\", \"lrm\": \"Slurm\"}, \"indices\": \"1-5\"}",
                        key)
                .isProblem(409, "KEY_REUSED");
        assertThat(refused.at("/array")).isEqualTo(id);
        assertThat(refused.json().get("differences").toString())
                .isEqualTo("[\"indices\",\"job.arguments\",\"job.lrm\"]");
        assertThat(post(ALICE, "/arrays", "{\"job\": " + ECHO + ", \"values\": [\"1\"]}", key)
                        .isProblem(409, "KEY_REUSED")
                        .json()
                        .get("differences")
                        .toString())
                .isEqualTo("[\"indices\",\"values\"]");
        post(BOB, "/arrays", ofIndices("1-1"), key).is(201);
    }

    @Test
    void aKeyThatMadeAJobMakesNoArrayAndTheOtherWayRound() throws Exception {
        String job = post(ALICE, "/jobs", TRUE, "Idempotency-Key", "k1").is(201).at("/id");
        Answer noArray = post(ALICE, "/arrays", ofIndices("1-2"), "Idempotency-Key", "k1")
                .isProblem(409, "KEY_REUSED");
        assertThat(noArray.at("/job")).isEqualTo(job);
        assertThat(noArray.at("/detail")).contains("the job " + job).contains("asks for an array");
        String keyed = "{\"executable\": \"/bin/true\", \"idempotencyKey\": \"k2\"}";
        String id = array("{\"job\": " + keyed + ", \"indices\": \"1-2\"}");
        assertThat(post(ALICE, "/jobs", keyed).isProblem(409, "KEY_REUSED").at("/array"))
                .isEqualTo(id);
        JsonNode many = post(ALICE, "/bulk/jobs", "{\"jobs\": [" + keyed + ", " + TRUE + "]}")
                .is(200)
                .json();
        assertThat(many.at("/results/0/status").asInt()).isEqualTo(409);
        assertThat(many.at("/results/1/status").asInt()).isEqualTo(201);
        assertThat(get(ALICE, "/arrays").json().get("arrays").size()).isEqualTo(1);
    }

    @Test
    void whoMayStartAndEndJobsButNotLookAtThemUsesKeysAndEndsArraysToo() throws Exception {
        String id = array(ofIndices("1-4", 3));
        awaitCount(id, "Pending", 3);
        String job = job(id, 1);
        forbidden.add(Action.QUERY);
        get(ALICE, "/arrays/" + id).isProblem(403, "NOT_AUTHORIZED");
        String first =
                post(ALICE, "/jobs", TRUE, "Idempotency-Key", "k1").is(201).at("/id");
        assertThat(post(ALICE, "/jobs", TRUE, "Idempotency-Key", "k1").is(200).at("/id"))
                .isEqualTo(first);
        post(ALICE, "/jobs", ECHO, "Idempotency-Key", "k1").isProblem(409, "KEY_REUSED");
        post(ALICE, "/arrays", ofIndices("1-1"), "Idempotency-Key", "k1").isProblem(409, "KEY_REUSED");
        post(ALICE, "/arrays", ofIndices("1-1"), "Idempotency-Key", "k2").is(201);
        post(ALICE, "/arrays", ofIndices("1-1"), "Idempotency-Key", "k2").is(200);
        post(ALICE, "/arrays", ofIndices("1-2"), "Idempotency-Key", "k2").isProblem(409, "KEY_REUSED");
        post(ALICE, "/jobs", TRUE, "Idempotency-Key", "k2").isProblem(409, "KEY_REUSED");
        assertThat(post(ALICE, "/bulk/jobs", "{\"jobs\": [" + TRUE + "]}")
                        .is(200)
                        .json()
                        .get("accepted")
                        .asInt())
                .isEqualTo(1);
        Answer cancelled = order(ALICE, "/jobs/" + job + "/cancel").is(200);
        assertThat(cancelled.at("/array")).isEqualTo(id);
        assertThat(cancelled.json().has("index")).isFalse();
        post(ALICE, "/arrays/" + id + "/cancel", "{\"elements\": \"2\"}").is(200);
        order(ALICE, "/arrays/" + id + "/cancel").is(200);
        assertThat(delete(ALICE, "/arrays/" + id).status()).isIn(202, 204);
        forbidden.add(Action.MANAGE);
        order(ALICE, "/arrays/" + id + "/cancel").isProblem(403, "NOT_AUTHORIZED");
    }

    @Test
    void whoMayNotLookAtArraysForNowUsesKeysAndEndsElementsToo() throws Exception {
        String id = array(ofIndices("1-2", 1));
        awaitCount(id, "Pending", 1);
        String job = job(id, 1);
        post(ALICE, "/jobs", TRUE, "Idempotency-Key", "k1").is(201);
        forbiddenUntil = Later.inAMoment();
        forbidden.add(Action.QUERY);

        get(ALICE, "/arrays/" + id).isProblem(503, "NOT_NOW");
        post(ALICE, "/jobs", ECHO, "Idempotency-Key", "k1").isProblem(409, "KEY_REUSED");
        Answer cancelled = order(ALICE, "/jobs/" + job + "/cancel").is(200);
        assertThat(cancelled.at("/array")).isEqualTo(id);
        assertThat(cancelled.json().has("index")).isFalse();
    }

    @Test
    void arraysOfOthersArraysThatAreGoneAndArraysThatNeverWereLookAlike() throws Exception {
        String ofBob = post(BOB, "/arrays", ofIndices("1-2")).is(201).at("/id");
        String gone = array(ofIndices("1-3", 1));
        awaitCount(gone, "Pending", 1);
        int answer = delete(ALICE, "/arrays/" + gone).status();
        assertThat(answer).isIn(202, 204);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> get(ALICE, "/arrays/" + gone).status() == 404);
        assertThat(get(ALICE, "/jobs").json().get("jobs").size()).isZero();
        for (String id : List.of(ofBob, gone, UUID.randomUUID().toString(), "not-an-id", submit(ALICE, TRUE))) {
            for (String path : List.of("", "?wait=1", "/elements", "/elements?elements=1")) {
                assertUnknown(get(ALICE, "/arrays/" + id + path), id);
            }
            for (String path : List.of("/cancel", "/restart")) {
                assertUnknown(order(ALICE, "/arrays/" + id + path), id);
                assertUnknown(post(ALICE, "/arrays/" + id + path, "{\"elements\": \"1\"}"), id);
            }
            assertUnknown(patch(ALICE, id, "{\"maxRunning\": 1}"), id);
            assertUnknown(delete(ALICE, "/arrays/" + id), id);
        }
        assertThat(get(BOB, "/arrays/" + ofBob).is(200).json().get("states").has("Cancelled"))
                .isFalse();
        assertThat(get(ALICE, "/arrays").json().get("arrays").size()).isZero();
    }

    private static void assertUnknown(Answer answer, String id) {
        answer.isProblem(404, "ARRAY_UNKNOWN");
        assertThat(answer.at("/detail")).isEqualTo("There is no array '" + id + "'.");
    }

    @Test
    void aWaitEndsWithTheNextChangeAndTheETagSpares() throws Exception {
        String id = array(ofIndices("1-2"));
        awaitCount(id, "Pending", 2);
        Answer seen = get(ALICE, "/arrays/" + id).is(200);
        long version = seen.json().get("version").asLong();
        get(ALICE, "/arrays/" + id, "If-None-Match", seen.header("ETag")).is(304);
        assertThat(get(ALICE, "/arrays/" + id + "?wait=20&version=0")
                        .json()
                        .get("version")
                        .asLong())
                .isEqualTo(version);
        CompletableFuture<Answer> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return get(ALICE, "/arrays/" + id + "?wait=120&version=" + version);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().atMost(Duration.ofMinutes(1)).until(() -> servlet.waiting() == 1);
        lrm.start(JobId.parse(job(id, 1)));
        JsonNode changed = waits.get(1, TimeUnit.MINUTES).is(200).json();
        assertThat(changed.get("version").asLong()).isGreaterThan(version);
        assertThat(changed.get("states").get("Active").asInt()).isEqualTo(1);
    }

    @Test
    void elementsAndArraysAreReadPageByPage() throws Exception {
        String id = array(ofIndices("10-900:10", 1));
        List<Integer> read = new ArrayList<>();
        String query = "?limit=40";
        int pages = 0;
        while (!query.isEmpty()) {
            read.addAll(indices(id, query));
            String next = get(ALICE, "/arrays/" + id + "/elements" + query).at("/next");
            query = next.isEmpty() ? "" : "?limit=40&cursor=" + next;
            pages++;
        }
        assertThat(pages).isEqualTo(3);
        assertThat(read).hasSize(90).startsWith(10, 20).endsWith(890, 900).isSorted();
        assertThat(indices(id, "?elements=0-25,880-2000,20")).containsExactly(10, 20, 880, 890, 900);
        assertThat(get(ALICE, "/arrays/" + id + "/elements?limit=90").json().has("next"))
                .isFalse();
        awaitCount(id, "Pending", 1);
        assertThat(indices(id, "?state=Pending")).containsExactly(10);
        assertThat(indices(id, "?state=waiting&limit=2&elements=10-50")).containsExactly(20, 30);
        get(ALICE, "/arrays/" + id + "/elements?state=Nowhere").isProblem(400, "INVALID_FIELD");
        get(ALICE, "/arrays/" + id + "/elements?elements=11").isProblem(400, "INVALID_FIELD");
        get(ALICE, "/arrays/" + id + "/elements?cursor=x").isProblem(400, "INVALID_FIELD");
        String second = array(ofIndices("1-1"));
        Answer page = get(ALICE, "/arrays?limit=1").is(200);
        assertThat(page.at("/arrays/0/id")).isEqualTo(second);
        assertThat(page.header("Link")).isEqualTo("</api/v1/arrays?limit=1&cursor=" + second + ">; rel=\"next\"");
        Answer last = get(ALICE, "/arrays?limit=1&cursor=" + page.at("/next")).is(200);
        assertThat(last.at("/arrays/0/id")).isEqualTo(id);
        assertThat(last.json().has("next")).isFalse();
    }

    @Test
    void limitsRefuseByName() throws Exception {
        assertLimit(ofIndices("1-1001"), 422, "limits.maxGroupElements");
        assertLimit(ofIndices("0-999999999"), 422, "limits.maxGroupElements");
        assertLimit(ofIndices("1-2", 51), 422, "limits.maxGroupRunning");
        String half = "\"" + "x".repeat(1_001) + "\"";
        assertLimit("{\"job\": " + ECHO + ", \"values\": [" + half + ", " + half + "]}", 422, "limits.maxGroupBytes");
        for (int i = 0; i < 3; i++) {
            array(ofIndices("1-1"));
        }
        Answer full = assertLimit(ofIndices("1-1"), 429, "limits.maxGroupsPerOwner");
        assertThat(full.header("Retry-After")).isNotEmpty();
        post(BOB, "/arrays", ofIndices("1-1")).is(201);
        JsonNode limits = get(ALICE, "/limits").json().get("limits");
        assertThat(limits.valueStream()
                        .filter(limit -> limit.get("name").asString().equals("limits.maxGroupsPerOwner"))
                        .map(limit -> limit.get("use").asInt()))
                .containsExactly(3);
    }

    private Answer assertLimit(String json, int status, String limit) throws Exception {
        Answer refused = post(ALICE, "/arrays", json).isProblem(status, "LIMIT_EXCEEDED");
        assertThat(refused.at("/limit")).isEqualTo(limit);
        return refused;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"indices\": \"1-2\"}|INVALID_FIELD|job",
                "{\"job\": 1, \"indices\": \"1-2\"}|INVALID_FIELD|job",
                "{\"job\": {\"executable\": \"/bin/a\"}}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"indices\": \"1-2\", \"values\": [\"a\"]}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"indices\": \"2-1\"}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"indices\": \"1-2:0\"}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"indices\": \"1-9999999999\"}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"indices\": [1]}|INVALID_FIELD|indices",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"values\": []}|INVALID_FIELD|values",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"values\": [1]}|INVALID_FIELD|values[0]",
                "{\"job\": {\"executable\": \"/bin/a\"}, \"values\": [\"a\"], \"maxRunning\": 0}|INVALID_FIELD|maxRunning",
                "{\"job\": {\"subJobs\": [{\"executable\": \"/bin/a\"}]}, \"indices\": \"1-2\"}|INVALID_FIELD|job.subJobs",
                "{\"job\": {\"executable\": \"/bin/a\", \"terminationTime\": \"2037-01-01T00:00:00Z\"}, \"indices\": \"1-2\"}"
                        + "|INVALID_FIELD|job.terminationTime",
            })
    void whatIsWrongIsNamed(String json, String code, String attribute) throws Exception {
        assertThat(post(ALICE, "/arrays", json).isProblem(400, code).at("/attribute"))
                .isEqualTo(attribute);
    }

    @Test
    void unknownNamesAreRefusedAndWhoMayNotStartJobsStartsNoArray() throws Exception {
        Answer unknown = post(
                        ALICE,
                        "/arrays",
                        "{\"job\": {\"executabel\": \"x\", \"executable\": \"/bin/a\"}, \"indices\": \"1-2\"}")
                .isProblem(400, "UNKNOWN_FIELD");
        assertThat(unknown.json().get("unknown").toString()).isEqualTo("[\"job.executabel\"]");
        post(ALICE, "/arrays", "{\"job\": " + ECHO + ", \"indices\": \"1-2\", \"max\": 1}")
                .isProblem(400, "UNKNOWN_FIELD");
        post("/O=Grid/CN=Mallory", "/arrays", ofIndices("1-2")).isProblem(403, "NOT_AUTHORIZED");
        send(request("/arrays").GET()).isProblem(401, "NOT_AUTHENTICATED");
        post(ALICE, "/arrays", "{\"job\": {\"executable\": \"/bin/a\", \"account\": \"root\"}, \"indices\": \"1-2\"}")
                .isProblem(403, "NOT_AUTHORIZED");
        assertThat(get(ALICE, "/arrays").json().get("arrays").size()).isZero();
    }

    @Test
    void aPartIsHeldReleasedSuspendedAndResumed() throws Exception {
        String id = array(ofIndices("1-6", 1));
        post(ALICE, "/arrays/" + id + "/suspend", "{}").isProblem(422, "UNSUPPORTED_FEATURE");
        Answer held = post(ALICE, "/arrays/" + id + "/hold", "{\"elements\": \"3-5\"}")
                .is(200);
        assertThat(held.json().get("states").get("Held").asInt()).isEqualTo(3);
        assertThat(get(ALICE, "/arrays/" + id + "/elements?state=Held").at("/elements/0/index"))
                .isEqualTo("3");
        Answer released = order(ALICE, "/arrays/" + id + "/release").is(200);
        assertThat(released.json().get("states").has("Held")).isFalse();
        lrm.suspendsIn(org.jobgate.job.JobState.PENDING, org.jobgate.job.JobState.ACTIVE);
        order(ALICE, "/arrays/" + id + "/suspend").is(200);
        org.awaitility.Awaitility.await().until(() -> count(id, "Suspended") == 1 && count(id, "Held") == 5);
        order(ALICE, "/arrays/" + id + "/resume").is(200);
        org.awaitility.Awaitility.await().until(() -> count(id, "Suspended") == 0 && count(id, "Waiting") == 5);
    }

    @Test
    void partsAreBounded() throws Exception {
        String id = array(ofIndices("1-400", 1));
        StringBuilder many = new StringBuilder("1");
        for (int i = 3; i < 210; i += 2) {
            many.append(',').append(i);
        }
        post(ALICE, "/arrays/" + id + "/cancel", "{\"elements\": \"" + many + "\"}")
                .isProblem(400, "INVALID_FIELD");
        for (String part : List.of("", ",", "1-", "-1", "5-2", "1;2", "9999999999", "1-2-3", "1,".repeat(700) + "1")) {
            int status = post(ALICE, "/arrays/" + id + "/cancel", "{\"elements\": \"" + part + "\"}")
                    .status();
            assertThat(status).as(part).isEqualTo(part.startsWith("1,1") ? 200 : 400);
        }
        assertThat(count(id, "Waiting")).isGreaterThanOrEqualTo(398);
    }
}
