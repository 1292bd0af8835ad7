// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Thousands of jobs in one request, a few of which are wrong. */
class BulkManyTest extends ApiRoom {

    private static final int GOOD = 5_000;

    /** By their place in the request, each wrong in its own way: its content, and the status and code of its answer. */
    private static final Map<Integer, String[]> BAD = new TreeMap<>(Map.of(
            0,
            new String[] {"{\"executable\": \"/bin/true\", \"argument\": [\"x\"]}", "400", "UNKNOWN_FIELD"},
            1_250,
            new String[] {"\"nonsense\"", "400", "INVALID_FIELD"},
            2_500,
            new String[] {"{\"executable\": \"/bin/true\", \"lrm\": \"PBS\"}", "422", "UNKNOWN_LRM"},
            3_750,
            new String[] {"{\"executable\": \"/bin/true\", \"account\": \"root\"}", "403", "NOT_AUTHORIZED"},
            GOOD + 4,
            new String[] {"{\"executable\": 7}", "400", "INVALID_FIELD"}));

    @Override
    JobLimits limits() {
        return JobLimits.defaults().with(new Limit("limits.maxJobsAtOnce", 10_000));
    }

    @Test
    void fiveBadOnesAmongFiveThousandKeepNoneOfThemBack() throws Exception {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < GOOD + BAD.size(); i++) {
            String[] bad = BAD.get(i);
            jobs.add(
                    bad == null
                            ? "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\", \"idempotencyKey\": \"k" + i
                                    + "\"}"
                            : bad[0]);
        }
        String request = "{\"jobs\": [" + String.join(",", jobs) + "]}";
        JsonNode answer =
                post(ALICE, "/bulk/jobs?fields=idempotencyKey", request).is(200).json();
        assertThat(answer.get("accepted").asInt()).isEqualTo(GOOD);
        assertThat(answer.get("refused").asInt()).isEqualTo(BAD.size());
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < GOOD + BAD.size(); i++) {
            JsonNode result = answer.get("results").get(i);
            String[] bad = BAD.get(i);
            assertThat(result.get("status").asInt()).as(result::toString).isEqualTo(bad == null ? 201 : number(bad));
            if (bad == null) {
                assertThat(result.at("/job/idempotencyKey").asString()).isEqualTo("k" + i);
                ids.add(result.get("id").asString());
            } else {
                assertThat(result.at("/problem/code").asString()).isEqualTo(bad[2]);
            }
        }
        assertThat(ids).as("one job for each good item").hasSize(GOOD);
        assertThat(engine.liveJobs()).isEqualTo(GOOD);

        JsonNode again = post(ALICE, "/bulk/jobs?fields=id", request).is(200).json();
        assertThat(again.get("results")
                        .valueStream()
                        .filter(result -> result.get("status").asInt() == 200)
                        .map(result -> result.get("id").asString()))
                .as("the request said again makes no job twice")
                .hasSize(GOOD)
                .allSatisfy(id -> assertThat(ids).contains(id));
        assertThat(engine.liveJobs()).isEqualTo(GOOD);
    }

    private static int number(String[] bad) {
        return Integer.parseInt(bad[1]);
    }

    /** What the address says holds for jobs whose content names none, as it does for texts in other languages. */
    @Test
    void theAddressNamesTheLrmAndTheAccountOfJobsThatNameNone() throws Exception {
        Answer many = post(
                        ALICE,
                        "/bulk/jobs?lrm=Slurm&account=project&fields=lrm,account",
                        "{\"jobs\": [" + TRUE
                                + ", {\"executable\": \"/bin/true\", \"lrm\": \"Fork\", \"account\": \"alice\"}]}")
                .is(200);
        assertThat(many.at("/results/0/job/lrm")).isEqualTo("Slurm");
        assertThat(many.at("/results/0/job/account")).isEqualTo("project");
        assertThat(many.at("/results/1/job/lrm")).isEqualTo("Fork");
        assertThat(many.at("/results/1/job/account")).isEqualTo("alice");
        Answer one = post(ALICE, "/jobs?lrm=Slurm&account=project", TRUE).is(201);
        assertThat(one.at("/lrm")).isEqualTo("Slurm");
        assertThat(one.at("/account")).isEqualTo("project");
        Answer array = post(ALICE, "/arrays?lrm=Slurm", "{\"job\": " + TRUE + ", \"indices\": \"1-2\"}")
                .is(201);
        assertThat(array.at("/lrm")).isEqualTo("Slurm");
        post(ALICE, "/jobs?account=root", TRUE).isProblem(403, "NOT_AUTHORIZED");
        post(ALICE, "/jobs?lrm=", TRUE).isProblem(400, "INVALID_FIELD");
        post(ALICE, "/jobs?lrm=PBS", TRUE).isProblem(422, "UNKNOWN_LRM");
    }
}
