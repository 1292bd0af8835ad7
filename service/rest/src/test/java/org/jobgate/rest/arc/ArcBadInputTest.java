// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the door answers to requests that are wrong, too long or about what is not the caller's. */
class ArcBadInputTest extends ArcRoom {

    private static final String NEVER = "0196c0a0-0000-7000-8000-000000000001";
    private static final int MANY = 100_000;

    @Override
    long idListBytes() {
        return 10_000_000;
    }

    /** A text that is no description is an answer for one job, with the reason: a client shows its user what is wrong with the job. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // all that arcsub 7.0.0 sends where it is given several files
                "</ActivityDescriptions>",
                "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"/>",
                "<ActivityDescription",
                "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"></Activity>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><ActivityDescription>&b;</ActivityDescription>",
                "<html/>",
                "&(executable",
                "&(executable=/bin/true)(",
                "+(&(executable=/bin/true)",
                "&(nonsense=1)(executable=/bin/true)"
            })
    void whatIsNoDescriptionIsRefusedAsAJobWithTheReason(String text) throws Exception {
        HttpResponse<String> answer = ask("POST", "/jobs?action=new", text, "Accept", "application/json");
        assertThat(answer.statusCode()).isEqualTo(201);
        JsonNode jobs = json("POST", "/jobs?action=new", text).get("job");
        assertThat(jobs).hasSize(1);
        assertThat(jobs.get(0).get("status-code").asString()).isEqualTo("400");
        assertThat(jobs.get(0).get("reason").asString()).hasSizeGreaterThan(20).doesNotContain("Exception", "root:");
        assertThat(json("GET", "/jobs", "").get("job")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"job\":1}", "[1,2", "<jobs><job><id>"})
    void aListOfJobsThatCannotBeReadIsRefusedWithTheRule(String body) throws Exception {
        String type = body.startsWith("<") ? "application/xml" : "application/json";
        for (String action : List.of("status", "info", "kill", "clean", "restart", "delegations")) {
            HttpResponse<String> answer =
                    ask("POST", "/jobs?action=" + action, body, "Accept", "application/json", "Content-Type", type);
            assertThat(answer.statusCode()).as(action).isEqualTo(400);
            assertThat(answer.body()).contains("that can be read");
        }
    }

    /** A mistake in one job of a list does not affect the others, and is not passed over: the client would believe that it is done. */
    @Test
    void aJobWithoutAnIdIsRefusedInItsPlace() throws Exception {
        JobId own = submit(SLEEP);
        for (String body : List.of(
                "<jobs><job><state>X</state></job><job><id>" + own + "</id></job><job/></jobs>",
                "{\"job\":[{\"state\":\"X\"},{\"id\":\"" + own + "\"},{}]}")) {
            JsonNode jobs = json("POST", "/jobs?action=status", body).get("job");
            assertThat(jobs).hasSize(3);
            assertThat(jobs.get(1).get("status-code").asString()).isEqualTo("200");
            for (int place : new int[] {0, 2}) {
                assertThat(jobs.get(place).get("status-code").asString()).isEqualTo("400");
                assertThat(jobs.get(place).get("reason").asString()).contains("has no id");
            }
        }
    }

    /** One of the caller's among ids that never were: each is answered in its place. */
    @Test
    void aHundredThousandIdsInOneRequestAreAnsweredInTheirOrder() throws Exception {
        JobId own = submit(SLEEP);
        int place = 77_777;
        String body = IntStream.range(0, MANY)
                .mapToObj(i -> i == place ? own.toString() : new UUID(i, i).toString())
                .map(id -> "{\"id\":\"" + id + "\"}")
                .collect(Collectors.joining(",", "{\"job\":[", "]}"));
        JsonNode jobs = json("POST", "/jobs?action=status", body).get("job");
        assertThat(jobs).hasSize(MANY);
        assertThat(jobs.get(place).get("status-code").asString()).isEqualTo("200");
        for (int i : new int[] {0, place - 1, place + 1, MANY - 1}) {
            assertThat(jobs.get(i).get("status-code").asString()).isEqualTo("404");
            assertThat(jobs.get(i).get("id").asString()).isEqualTo(new UUID(i, i).toString());
            assertThat(jobs.get(i).get("state").asString()).isEqualTo("None");
        }
    }

    @Test
    void aJobOfAnotherIsAnsweredAsOneThatNeverWas() throws Exception {
        JobId id = submit(SLEEP);
        for (String action : List.of("status", "info", "kill", "clean", "restart", "delegations")) {
            String path = "/1.1/jobs?action=" + action;
            String[] json = {"Accept", "application/json", "Content-Type", "application/json"};
            String foreign = askAs(BOB, "POST", path, ids(id), json).body();
            String never = askAs(BOB, "POST", path, ids(NEVER), json).body();
            assertThat(foreign.replace(id.toString(), NEVER))
                    .as(action)
                    .isEqualTo(never)
                    .contains("\"404\"");
        }
        for (String path : List.of("/session/out", "/session/", "/diagnose/errors", "/diagnose/xml")) {
            HttpResponse<String> foreign = askAs(BOB, "GET", "/1.1/jobs/" + id + path, "");
            HttpResponse<String> never = askAs(BOB, "GET", "/1.1/jobs/" + NEVER + path, "");
            assertThat(foreign.statusCode()).as(path).isEqualTo(404);
            assertThat(foreign.body()).isEqualTo(never.body());
        }
        for (String method : List.of("PUT", "DELETE", "PROPFIND", "HEAD")) {
            assertThat(askAs(BOB, method, "/1.1/jobs/" + id + "/session/x", "").statusCode())
                    .as(method)
                    .isEqualTo(404);
        }
        assertThat(state(id)).isNotIn("None", "KILLING", "KILLED");
    }
}
