// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many jobs in one request. */
class BulkOperationsTest extends ApiRoom {

    @Test
    void goodOnesAreTakenAndBadOnesSayWhy() throws Exception {
        post(ALICE, "/jobs", "{\"executable\":\"/bin/a\",\"idempotencyKey\":\"used\"}")
                .is(201);
        Answer answer = post(ALICE, "/bulk/jobs?fields=lrm", """
                        {"jobs": [
                          {"executable": "/bin/true", "idempotencyKey": "one"},
                          {"executable": "/bin/true", "argument": ["x"]},
                          {"executable": "/bin/b", "idempotencyKey": "used"},
                          {"executable": "/bin/a", "idempotencyKey": "used"},
                          {"executable": "/bin/true", "lrm": "PBS"},
                          {"executable": "/bin/true", "lrm": "Slurm"},
                          "nonsense"
                        ]}""").is(200);
        JsonNode results = answer.json().get("results");
        assertThat(results.valueStream().map(result -> result.get("status").asInt()))
                .containsExactly(201, 400, 409, 200, 422, 201, 400);
        assertThat(answer.json().get("accepted").asInt()).isEqualTo(3);
        assertThat(answer.json().get("refused").asInt()).isEqualTo(4);
        assertThat(results.at("/1/problem/unknown/0").asString()).isEqualTo("argument");
        assertThat(results.at("/2/problem/differences/0").asString()).isEqualTo("executable");
        assertThat(results.at("/3/isNew").asBoolean()).isFalse();
        assertThat(results.at("/4/problem/code").asString()).isEqualTo("UNKNOWN_LRM");
        assertThat(results.at("/5/job/lrm").asString()).isEqualTo("Slurm");
        assertThat(results.at("/6/problem/detail").asString()).contains("no JSON object");
        get(ALICE, "/jobs/" + results.at("/0/id").asString()).is(200);
    }

    @Test
    void manyAreLookedAtReleasedExtendedCancelledRestartedAndForgotten() throws Exception {
        String held = "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}";
        String one = submit(ALICE, held);
        String two = submit(ALICE, held);
        String ofBob = submit(BOB, held);
        String ids = "{\"ids\": [\"" + one + "\", \"" + ofBob + "\", \"nonsense\", 7, \"" + two + "\"]}";
        Answer found = post(ALICE, "/bulk/jobs/get?fields=holdAt", ids).is(200);
        assertThat(statuses(found)).containsExactly(200, 404, 404, 400, 200);
        assertThat(found.at("/results/3/problem/code")).isEqualTo("INVALID_FIELD");
        assertThat(found.at("/results/3/problem/attribute")).isEqualTo("ids[3]");
        assertThat(found.at("/results/0/job/holdAt")).isEqualTo("Pending");
        assertThat(found.at("/results/1/problem/code")).isEqualTo("JOB_UNKNOWN");
        assertThat(statuses(post(ALICE, "/bulk/jobs/release", ids))).containsExactly(200, 404, 404, 400, 200);
        awaitInLrm(one);
        awaitInLrm(two);
        assertThat(lrm.knows(org.jobgate.job.JobId.parse(ofBob))).isFalse();
        String extended = ids.replace("]}", "], \"terminationTime\": \"2037-01-01T00:00:00Z\"}");
        assertThat(statuses(post(ALICE, "/bulk/jobs/extend", extended))).containsExactly(200, 404, 404, 400, 200);
        assertThat(get(ALICE, "/jobs/" + two).at("/terminationTime")).isEqualTo("2037-01-01T00:00:00Z");
        assertThat(statuses(post(ALICE, "/bulk/jobs/restart", ids))).containsExactly(409, 404, 404, 400, 409);
        assertThat(statuses(post(ALICE, "/bulk/jobs/cancel", ids))).containsExactly(200, 404, 404, 400, 200);
        for (String id : java.util.List.of(one, two)) {
            org.awaitility.Awaitility.await()
                    .until(() -> get(ALICE, "/jobs/" + id).at("/state").equals("Cancelled"));
        }
        assertThat(statuses(post(ALICE, "/bulk/jobs/restart", ids))).containsExactly(200, 404, 404, 400, 200);
        assertThat(statuses(post(ALICE, "/bulk/jobs/delete", ids))).containsExactly(204, 404, 404, 400, 204);
        get(ALICE, "/jobs/" + one).is(404);
        get(BOB, "/jobs/" + ofBob).is(200);
        post(ALICE, "/bulk/jobs/explode", ids).isProblem(404, "NOT_FOUND");
        post(ALICE, "/bulk/jobs/extend", ids).isProblem(400, "INVALID_FIELD");
        post(ALICE, "/bulk/jobs/cancel", extended).isProblem(400, "UNKNOWN_FIELD");
    }

    private static java.util.List<Integer> statuses(Answer answer) {
        return answer.is(200)
                .json()
                .get("results")
                .valueStream()
                .map(result -> result.get("status").asInt())
                .toList();
    }

    @Test
    void moreThanTheLimitAreRefusedByName() throws Exception {
        String jobs = IntStream.range(0, 101).mapToObj(i -> TRUE).collect(Collectors.joining(","));
        assertThat(post(ALICE, "/bulk/jobs", "{\"jobs\":[" + jobs + "]}")
                        .isProblem(422, "LIMIT_EXCEEDED")
                        .at("/limit"))
                .isEqualTo("limits.maxJobsAtOnce");
        assertThat(get(ALICE, "/jobs").json().get("jobs").isEmpty()).isTrue();
        post(ALICE, "/bulk/jobs", "{\"jobs\":[]}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/bulk/jobs", "{\"jobs\":{}}").isProblem(400, "INVALID_FIELD");
        post(ALICE, "/bulk/jobs", "{\"jobs\":[],\"more\":1}").isProblem(400, "UNKNOWN_FIELD");
    }
}
