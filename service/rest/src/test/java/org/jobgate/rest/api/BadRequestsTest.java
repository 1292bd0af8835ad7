// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are wrong, each of which is answered with a problem that names what is. */
class BadRequestsTest extends ApiRoom {

    @Override
    JobLimits limits() {
        return JobLimits.defaults()
                .with(
                        new Limit("limits.maxLiveJobsPerOwner", 3),
                        new Limit("limits.maxArguments", 4),
                        new Limit("limits.maxTextBytes", 1_000),
                        new Limit("limits.maxDescriptionBytes", 2_000));
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "nonsense",
                "{\"executable\": \"/bin/true\"} {}",
                "{\"executable\": \"/bin/true\", \"executable\": \"/bin/false\"}",
                "{\"executable\": \"/bin/true\", \"environment\": {\"A\": \"1\", \"A\": \"2\"}}",
                "{\"executable\": NaN}",
                "{'executable': '/bin/true'}",
                "{\"executable\": \"/bin/true\", /* why */ \"count\": 1}",
                "{\"executable\": \"/bin/true\",}",
                "{\"executable\": \"a\nb\"}"
            })
    void whatIsNotJsonIsRefused(String content) throws Exception {
        post(ALICE, "/jobs", content).isProblem(400, "BAD_JSON");
    }

    @Test
    void whatIsNotUtf8IsRefused() throws Exception {
        post(ALICE, "/jobs", latin("{\"executable\": \"/bin/\u00fc\"}")).isProblem(400, "BAD_JSON");
        post(ALICE, "/jobs", TRUE.getBytes(StandardCharsets.UTF_16)).isProblem(400, "BAD_JSON");
        // a surrogate half, and a slash in two bytes
        post(ALICE, "/jobs", latin("{\"executable\": \"\u00ed\u00a0\u0080\"}")).isProblem(400, "BAD_JSON");
        post(ALICE, "/jobs", latin("{\"executable\": \"\u00c0\u00af\"}")).isProblem(400, "BAD_JSON");
    }

    @Test
    void whatIsTooDeepIsRefused() throws Exception {
        String deep = "{\"executable\":\"/bin/true\",\"extensions\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}";
        post(ALICE, "/jobs", deep).isProblem(400, "BAD_JSON");
        String nested = "{\"name\":\"a\",\"children\":[".repeat(14) + "]}".repeat(14);
        post(ALICE, "/jobs", "{\"executable\":\"/bin/true\",\"extensions\":[" + nested + "]}")
                .is(201);
        String over = "{\"name\":\"a\",\"children\":[".repeat(16) + "]}".repeat(16);
        post(ALICE, "/jobs", "{\"executable\":\"/bin/true\",\"extensions\":[" + over + "]}")
                .isProblem(400, "BAD_JSON");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|the request",
                "{}|executable",
                "{\"executable\": \"\"}|executable",
                "{\"executable\": null}|executable",
                "{\"executable\": 1}|executable",
                "{\"executable\": \"a\\u0000b\"}|executable",
                "{\"executable\": \"a\\ud800b\"}|executable",
                "{\"executable\": \"a\", \"arguments\": \"b\"}|arguments",
                "{\"executable\": \"a\", \"arguments\": [\"b\", 1]}|arguments[1]",
                "{\"executable\": \"a\", \"arguments\": [\"\\u0000\"]}|arguments[0]",
                "{\"executable\": \"a\", \"environment\": [\"b\"]}|environment",
                "{\"executable\": \"a\", \"environment\": {\"A\": 1}}|environment.A",
                "{\"executable\": \"a\", \"environment\": {\"A\\u0000\": \"b\"}}|environment",
                "{\"executable\": \"a\", \"count\": 0}|count",
                "{\"executable\": \"a\", \"count\": \"1\"}|count",
                "{\"executable\": \"a\", \"count\": 1.5}|count",
                "{\"executable\": \"a\", \"count\": 99999999999999999999}|count",
                "{\"executable\": \"a\", \"maxWallTimeSeconds\": -1}|maxWallTimeSeconds",
                "{\"executable\": \"a\", \"jobType\": \"parallel\"}|jobType",
                "{\"executable\": \"a\", \"holdAt\": \"Active\"}|holdAt",
                "{\"executable\": \"a\", \"terminationTime\": \"tomorrow\"}|terminationTime",
                "{\"executable\": \"a\", \"terminationTime\": \"+999999999-01-01T00:00:00Z\"}|terminationTime",
                "{\"executable\": \"a\", \"stageIn\": [{\"source\": \"b\"}]}|stageIn[0].destination",
                "{\"executable\": \"a\", \"stageOutOnFailure\": \"yes\"}|stageOutOnFailure",
                "{\"executable\": \"a\", \"subJobs\": [{\"executable\": \"b\"}]}|executable",
                "{\"subJobs\": [{\"executable\": \"b\", \"count\": 0}]}|subJobs[0].count"
            })
    void theMemberThatIsWrongIsNamed(String content, String attribute) throws Exception {
        Answer refused = post(ALICE, "/jobs", content).isProblem(400, "INVALID_FIELD");
        assertThat(refused.at("/detail")).contains(attribute + " cannot be used");
    }

    @Test
    void namesOfEnvironmentVariablesAreChecked() throws Exception {
        post(ALICE, "/jobs", "{\"executable\": \"a\", \"environment\": {\"A=B\": \"c\"}}")
                .isProblem(400, "INVALID_FIELD");
    }

    @Test
    void namesThatAreNotKnownAreNamedAndTheNearestIsTold() throws Exception {
        Answer refused = post(
                        ALICE,
                        "/jobs",
                        "{\"executable\": \"a\", \"argument\": [], \"zzzzzzzzzz\": 1, \"stageIn\": [{\"source\": \"b\", \"destination\": \"c\"}]}")
                .isProblem(400, "UNKNOWN_FIELD");
        assertThat(refused.json().get("unknown").toString()).isEqualTo("[\"argument\",\"zzzzzzzzzz\"]");
        assertThat(refused.at("/remedy")).isEqualTo("Did you mean arguments?");
        assertThat(post(
                                ALICE,
                                "/jobs",
                                "{\"executable\": \"a\", \"stageIn\": [{\"source\": \"b\", \"destination\": \"c\", \"x\": 1}]}")
                        .isProblem(400, "UNKNOWN_FIELD")
                        .at("/unknown/0"))
                .isEqualTo("stageIn[0].x");
        String many =
                IntStream.range(0, 5_000).mapToObj(i -> "\"n" + i + "\":1").collect(Collectors.joining(","));
        assertThat(post(ALICE, "/jobs", "{\"executable\":\"a\"," + many + "}")
                        .isProblem(400, "UNKNOWN_FIELD")
                        .text()
                        .length())
                .isLessThan(2_000);
    }

    @Test
    void limitsAreNamedWithTheirValueAndTheUse() throws Exception {
        Answer refused = post(ALICE, "/jobs", "{\"executable\":\"a\",\"arguments\":[\"1\",\"2\",\"3\",\"4\",\"5\"]}")
                .isProblem(422, "LIMIT_EXCEEDED");
        assertThat(refused.at("/limit")).isEqualTo("limits.maxArguments");
        assertThat(refused.json().get("limitValue").asLong()).isEqualTo(4);
        assertThat(refused.json().get("use").asLong()).isEqualTo(5);
        assertThat(post(ALICE, "/jobs", "{\"executable\":\"a\",\"queue\":\"" + "ü".repeat(501) + "\"}")
                        .isProblem(422, "LIMIT_EXCEEDED")
                        .at("/limit"))
                .isEqualTo("limits.maxTextBytes");
        String options = "\"" + "x".repeat(900) + "\"";
        assertThat(post(
                                ALICE,
                                "/jobs",
                                "{\"executable\":\"a\",\"stageInOptions\":{\"a\":" + options + ",\"b\":" + options
                                        + ",\"c\":" + options + "}}")
                        .isProblem(422, "LIMIT_EXCEEDED")
                        .at("/limit"))
                .isEqualTo("limits.maxDescriptionBytes");
    }

    @Test
    void oneJobTooManyIsToldWhenToTryAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            submit(ALICE, TRUE);
        }
        Answer refused = post(ALICE, "/jobs", TRUE).isProblem(429, "LIMIT_EXCEEDED");
        assertThat(refused.header("Retry-After")).matches("[0-9]+");
        assertThat(refused.at("/limit")).isEqualTo("limits.maxLiveJobsPerOwner");
        assertThat(refused.json().get("limitValue").asLong()).isEqualTo(3);
        assertThat(refused.json().get("use").asLong()).isEqualTo(4);
        submit(BOB, TRUE);
    }

    @Test
    void aDrainedServiceSaysSo() throws Exception {
        engine.drain();
        assertThat(post(ALICE, "/jobs", TRUE).isProblem(503, "SHUTTING_DOWN").header("Retry-After"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "text/json", "*/*", "application/json2"})
    void otherTypesOfContentAreRefused(String type) throws Exception {
        Answer refused = send(request("/jobs")
                        .header("Subject", ALICE)
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(TRUE)))
                .isProblem(415, "CONTENT_TYPE");
        assertThat(refused.header("Accept")).isEqualTo("application/json");
    }

    @Test
    void aTypeMustBeSaidAndMayHaveParameters() throws Exception {
        send(request("/jobs").header("Subject", ALICE).POST(BodyPublishers.ofString(TRUE)))
                .isProblem(415, "CONTENT_TYPE");
        send(request("/jobs")
                        .header("Subject", ALICE)
                        .header("Content-Type", "Application/JSON; charset=utf-8")
                        .POST(BodyPublishers.ofString(TRUE)))
                .is(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/jobs?sate=Done",
                "/jobs?state=Running",
                "/jobs?limit=0",
                "/jobs?limit=-1",
                "/jobs?limit=many",
                "/jobs?limit=5&limit=6",
                "/jobs?cursor=nonsense",
                "/jobs?createdAfter=yesterday",
                "/jobs?final=maybe",
                "/jobs?order=random",
                "/jobs?fields=id,secret",
                "/jobs?lrm=%00",
                "/jobs?lrm=%ff",
                "/whoami?x=1"
            })
    void wrongQueriesAreRefused(String path) throws Exception {
        Answer refused = get(ALICE, path);
        assertThat(refused.status()).as(path).isEqualTo(400);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void otherMethodsAndAddressesAreRefused() throws Exception {
        get(ALICE, "/nothing").isProblem(404, "NOT_FOUND");
        get(ALICE, "").isProblem(404, "NOT_FOUND");
        get(ALICE, "/jobs/").isProblem(404, "JOB_UNKNOWN");
        get(ALICE, "/jobs/a/b/c/d").isProblem(404, "NOT_FOUND");
        get(ALICE, "/whoami;x=y").isProblem(400, "BAD_REQUEST");
        Answer refused = send(request("/jobs").header("Subject", ALICE).PUT(BodyPublishers.ofString(TRUE)))
                .isProblem(405, "METHOD_NOT_ALLOWED");
        assertThat(Arrays.stream(refused.header("Allow").split(", ", -1)))
                .containsExactlyInAnyOrder("GET", "HEAD", "POST");
        assertThat(send(request("/jobs")
                                .header("Subject", ALICE)
                                .header("Origin", "https://elsewhere.example.org")
                                .method("OPTIONS", BodyPublishers.noBody()))
                        .isProblem(405, "METHOD_NOT_ALLOWED")
                        .response()
                        .headers()
                        .map()
                        .keySet())
                .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void answersArePackedForWhoTakesIt() throws Exception {
        Answer packed =
                get(ALICE, "/openapi.json", "Accept-Encoding", "br, gzip;q=0.5").is(200);
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        Answer plain =
                get(ALICE, "/openapi.json", "Accept-Encoding", "gzip;q=0").is(200);
        assertThat(plain.header("Content-Encoding")).isEmpty();
        byte[] unpacked =
                new GZIPInputStream(new ByteArrayInputStream(packed.response().body())).readAllBytes();
        assertThat(unpacked).isEqualTo(plain.response().body());
        assertThat(packed.header("Vary")).isEqualTo("Accept-Encoding");
        assertThat(get(ALICE, "/whoami", "Accept-Encoding", "gzip").header("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void headIsGetWithoutTheContent() throws Exception {
        String id = submit(ALICE, TRUE);
        Answer head = send(request("/jobs/" + id).header("Subject", ALICE).method("HEAD", BodyPublishers.noBody()))
                .is(200);
        assertThat(head.response().body()).isEmpty();
        assertThat(head.header("ETag")).isNotEmpty();
    }
}
