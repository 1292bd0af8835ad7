// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jobgate.authz.Action;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only administrators see and change. */
class AdminOperationsTest extends ApiRoom {

    private static final String JOB = "0192f3a4-5b6c-7d8e-9f01-23456789abcd";

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    @Override
    Administration administration() {
        return new Administration() {
            @Override
            public Object look(String path, Map<String, String> parameters) {
                return noted("look", path, parameters);
            }

            @Override
            public Object change(String who, String path, Map<String, String> parameters) {
                assertThat(who).isEqualTo(ADMINISTRATOR);
                return noted("change", path, parameters);
            }
        };
    }

    private Object noted(String what, String path, Map<String, String> parameters) {
        asked.add(what + " " + path + " " + parameters);
        if (path.contains("nothing")) {
            throw new Administration.Refused(404, "NOT_FOUND", "There is no such thing.", "Name another.");
        }
        return Map.of("seen", List.of(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/status",
                "/admin/figures",
                "/admin/pools",
                "/admin/lrms",
                "/admin/owners",
                "/admin/jobs",
                "/admin/jobs/0123abcd"
            })
    void onlyAdministratorsMayLook(String path) throws Exception {
        get(ALICE, path).isProblem(403, "NOT_AUTHORIZED");
        get(ADMINISTRATOR, path, "Limited", "1").isProblem(403, "NOT_AUTHORIZED");
        send(request(path)).isProblem(401, "NOT_AUTHENTICATED");
        assertThat(asked).isEmpty();
        assertThat(get(ADMINISTRATOR, path).is(200).at("/seen/0")).isEqualTo(path.substring("/admin".length()));
        forbidden.add(Action.QUERY);
        get(ADMINISTRATOR, path).isProblem(403, "NOT_AUTHORIZED");
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /admin/pools/submit     | {"workers": 7}                              | change /pools/submit {workers=7}
                    /admin/lrms/Slurm       | {"maxJobs": 0, "pollInterval": "10s"}       | change /lrms/Slurm {maxJobs=0, pollInterval=10s}
                    /admin/jobs/%s/cancel   | {"reason": "too & many?"}                   | change /jobs/%s/cancel {reason=too & many?}
                    /admin/drain            |                                             | change /drain {}
                    /admin/resume           |                                             | change /resume {}
                    """)
    void onlyAdministratorsMayChange(String template, @Nullable String content, String expected) throws Exception {
        String path = template.replace("%s", JOB);
        HttpRequest.BodyPublisher body = content == null ? BodyPublishers.noBody() : BodyPublishers.ofString(content);
        String type = content == null ? "X-Nothing" : "Content-Type";
        send(request(path, type, "application/json").POST(body)).isProblem(401, "NOT_AUTHENTICATED");
        send(request(path, type, "application/json", "Subject", ALICE).POST(body))
                .isProblem(403, "NOT_AUTHORIZED");
        send(request(path, type, "application/json", "Subject", ADMINISTRATOR, "Limited", "1")
                        .POST(body))
                .isProblem(403, "NOT_AUTHORIZED");
        forbidden.add(Action.MANAGE);
        HttpRequest.Builder asAdministrator = request(path, type, "application/json", "Subject", ADMINISTRATOR)
                .POST(body);
        send(asAdministrator).isProblem(403, "NOT_AUTHORIZED");
        assertThat(asked).isEmpty();
        assertThat(acts).as("what was refused was not done").isEmpty();
        forbidden.clear();
        send(asAdministrator).is(200);
        assertThat(asked).containsExactly(expected.replace("%s", JOB));
        String act = expected.replace("%s", JOB).replace("change ", "REST ").replace(" {}", "");
        assertThat(acts)
                .as("on record once, with the values")
                .containsExactly(ADMINISTRATOR + ": " + act + (path.contains(JOB) ? " of " + JOB : ""));
    }

    /** Nothing of the request is read before it is known who asks. */
    @ParameterizedTest
    @CsvSource({
        "GET,/admin/jobs/a%2Fb",
        "GET,/admin/status?x=1",
        "POST,/admin/pools/a%2Fb",
        "POST,/admin/lrms/a%2Fb",
        "POST,/admin/jobs/none/cancel",
        "POST,/admin/drain?x=1"
    })
    void othersLearnNothingButThatTheyMayNot(String method, String path) throws Exception {
        send(request(path, "Subject", ALICE).method(method, BodyPublishers.noBody()))
                .isProblem(403, "NOT_AUTHORIZED");
        send(request(path, "Subject", ADMINISTRATOR).method(method, BodyPublishers.noBody()));
        assertThat(asked).isEmpty();
        assertThat(acts).isEmpty();
    }

    @Test
    void drainingIsTurnedOnAndOff() throws Exception {
        order(ALICE, "/admin/drain").isProblem(403, "NOT_AUTHORIZED");
        order(ADMINISTRATOR, "/admin/drain").is(200);
        order(ADMINISTRATOR, "/admin/resume").is(200);
        order(ADMINISTRATOR, "/admin/jobs/" + JOB + "/cancel").is(200);
        assertThat(asked)
                .containsExactly("change /drain {}", "change /resume {}", "change /jobs/" + JOB + "/cancel {}");
    }

    @Test
    void theFiltersOfTheListArePassedOnAndNoOthers() throws Exception {
        get(ADMINISTRATOR, "/admin/jobs?state=Done&subject=%2FCN%3DA%20B&limit=5")
                .is(200);
        assertThat(asked).containsExactly("look /jobs {state=Done, subject=/CN=A B, limit=5}");
        get(ADMINISTRATOR, "/admin/jobs?owner=A").isProblem(400, "UNKNOWN_FIELD");
    }

    /** A name that held more than a name would lead to another order, such as that to stop. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/pools/..%2Fstop",
                "/admin/pools/submit%3Fworkers=1",
                "/admin/lrms/a%2Fb",
                "/admin/jobs/a%2Fcancel/cancel",
                "/admin/lrms/%00"
            })
    void aNameInTheAddressIsOnlyAName(String path) throws Exception {
        int status = post(ADMINISTRATOR, path, "{}").status();
        assertThat(status).isBetween(400, 404);
        assertThat(asked).isEmpty();
    }

    @Test
    void wrongValuesAreRefusedByName() throws Exception {
        for (String content : List.of("{}", "{\"workers\": 0}", "{\"workers\": 257}", "{\"workers\": \"7\"}")) {
            assertThat(post(ADMINISTRATOR, "/admin/pools/submit", content)
                            .isProblem(400, "INVALID_FIELD")
                            .at("/attribute"))
                    .isEqualTo("workers");
        }
        post(ADMINISTRATOR, "/admin/pools/submit", "{\"workers\": 1, \"worker\": 2}")
                .isProblem(400, "UNKNOWN_FIELD");
        post(ADMINISTRATOR, "/admin/lrms/Slurm", "{\"maxJobs\": -1}").isProblem(400, "INVALID_FIELD");
        post(ADMINISTRATOR, "/admin/lrms/Slurm", "{\"pollInterval\": \"1\\n0s\"}")
                .isProblem(400, "INVALID_FIELD");
        for (String reason : List.of("a\\nb", "\\u001b[2J", "x".repeat(1_001))) {
            post(ADMINISTRATOR, "/admin/jobs/" + JOB + "/cancel", "{\"reason\": \"" + reason + "\"}")
                    .isProblem(400, "INVALID_FIELD");
        }
        order(ADMINISTRATOR, "/admin/jobs/0123/cancel").isProblem(404, "JOB_UNKNOWN");
        assertThat(asked).isEmpty();
        assertThat(acts).isEmpty();
        post(ADMINISTRATOR, "/admin/lrms/nothing", "{\"maxJobs\": 1}").isProblem(404, "NOT_FOUND");
        assertThat(acts)
                .containsExactly(
                        ADMINISTRATOR + ": REST /lrms/nothing {maxJobs=1}",
                        ADMINISTRATOR + ": REST /lrms/nothing {maxJobs=1}: refused, NOT_FOUND");
    }

    @Test
    void whoamiTellsWhoIsOne() throws Exception {
        assertThat(get(ADMINISTRATOR, "/whoami").json().get("administrator").asBoolean())
                .isTrue();
        assertThat(get(ADMINISTRATOR, "/whoami", "Limited", "1")
                        .json()
                        .get("administrator")
                        .asBoolean())
                .isFalse();
        assertThat(get(ALICE, "/whoami").json().get("administrator").asBoolean())
                .isFalse();
    }
}
