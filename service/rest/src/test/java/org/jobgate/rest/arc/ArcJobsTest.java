// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.authz.Action;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ArcJobsTest extends ArcRoom {

    private static final String NONE = "0196c0a0-0000-7000-8000-000000000001";

    @Test
    void theVersionsAreForEverybodyAndAnotherOneIsNotThere() throws Exception {
        HttpResponse<String> versions = askAs("", "GET", "", "", "Accept", "application/json");
        assertThat(versions.body()).isEqualTo("{\"version\":[\"1.0\",\"1.1\"]}");
        HttpResponse<String> other = askAs(ALICE, "GET", "/2.0/jobs", "", "Accept", "application/json");
        assertThat(other.statusCode()).isEqualTo(404);
        assertThat(other.body()).contains("Version Not Supported");
        assertThat(askAs("", "GET", "/1.0/jobs", "").statusCode()).isEqualTo(401);
    }

    @Test
    void aJobRunsAndTellsHowItWas() throws Exception {
        JobId id = submit(SLEEP);
        await().until(() -> lrm.knows(id));
        await().until(() -> state(id).equals("QUEUING"));
        lrm.start(id);
        await().until(() -> state(id).equals("RUNNING"));
        lrm.end(id, 3);
        await().until(() -> state(id).equals("FAILED"));
        JsonNode activity = act("info", id).get("info_document").get("ComputingActivity");
        assertThat(activity.get("State").get(2).asString()).isEqualTo("arcrest:FAILED");
        assertThat(activity.get("ExitCode").isString()).isTrue();
        assertThat(activity.get("ExitCode").asString()).isEqualTo("3");
        assertThat(activity.get("Error").asString()).contains("exit code 3");
        assertThat(json("GET", "/jobs?state=FAILED,FINISHED", "").toString())
                .isEqualTo("{\"job\":[{\"id\":\"" + id + "\",\"state\":\"FAILED\"}]}");
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/errors", "").body()).contains("UNDEFINED -> UNSUBMITTED");
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/failed", "").body()).contains("exit code 3");
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/description", "").body())
                .contains("ActivityDescription", "/bin/sleep");
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/acl", "").statusCode()).isEqualTo(404);
        assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
        assertThat(state(id)).isEqualTo("None");
        await().until(() -> DiskFiles.names(sessions()).isEmpty());
    }

    @Test
    void answersStandInTheOrderOfTheRequestOverSeveralSteps() throws Exception {
        JobId first = submit(SLEEP);
        JobId last = submit(SLEEP);
        String middle = IntStream.range(0, 28)
                .mapToObj(i -> "{\"id\":\"no-" + i + "\"}")
                .collect(Collectors.joining(","));
        JsonNode jobs = json(
                        "POST",
                        "/jobs?action=status",
                        "{\"job\":[{\"id\":\"" + last + "\"}," + middle + ",{\"id\":\"" + first + "\"}]}")
                .get("job");
        assertThat(jobs.size()).isEqualTo(30);
        assertThat(jobs.get(0).get("id").asString()).isEqualTo(last.toString());
        assertThat(jobs.get(29).get("id").asString()).isEqualTo(first.toString());
        assertThat(jobs.get(29).get("status-code").asString()).isEqualTo("200");
        assertThat(jobs.get(5).toString())
                .isEqualTo("{\"status-code\":\"404\",\"reason\":\"Job not found\",\"id\":\"no-4\",\"state\":\"None\"}");
    }

    @Test
    void whatHtcondorSendsBackIsReadAsItWasWritten() throws Exception {
        JobId id = submit(SLEEP);
        String list = ask("GET", "/jobs", "", "Accept", "application/json").body();
        assertThat(list).isEqualTo("{\"job\":[{\"id\":\"" + id + "\"}]}");
        assertThat(json("POST", "/jobs?action=status", list)
                        .get("job")
                        .get(0)
                        .get("id")
                        .asString())
                .isEqualTo(id.toString());
    }

    @Test
    void killAndCleanMayBeRepeatedAndAreOnlyForTheOwner() throws Exception {
        JobId id = submit(SLEEP);
        HttpResponse<String> foreign = askAs(
                BOB,
                "POST",
                "/1.0/jobs?action=kill",
                ids(id),
                "Accept",
                "application/json",
                "Content-Type",
                "application/json");
        assertThat(foreign.body()).contains("\"404\"");
        assertThat(act("kill", id).get("status-code").asString()).isEqualTo("202");
        await().until(() -> state(id).equals("KILLED"));
        assertThat(act("kill", id).get("status-code").asString()).isEqualTo("202");
        assertThat(act("info", id)
                        .get("info_document")
                        .get("ComputingActivity")
                        .get("Error")
                        .asString())
                .isNotEmpty();
        assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
        assertThat(act("clean", id).get("status-code").asString()).isEqualTo("404");
        assertThat(act("restart", NONE).get("status-code").asString()).isEqualTo("404");
    }

    @Test
    void aTokenWithoutTheScopeIsRefusedWithTheScope() throws Exception {
        JobId id = submit(SLEEP);
        forbidden.add(Action.MANAGE);
        HttpResponse<String> kill = ask(
                "POST", "/jobs?action=kill", ids(id), "Accept", "application/json", "Content-Type", "application/json");
        assertThat(kill.statusCode()).isEqualTo(403);
        assertThat(kill.body()).contains("compute.modify").contains("\n\"message\": \"");
        assertThat(state(id)).isNotEqualTo("None");
    }

    @Test
    void ofSeveralDescriptionsTheBadOneIsRefusedAlone() throws Exception {
        String bare = SLEEP.substring(SLEEP.indexOf("<ActivityDescription"));
        String bad = adl("<Executable><Path>/bin/true</Path></Executable><Nonsense/>", "");
        JsonNode jobs = json(
                        "POST",
                        "/jobs?action=new",
                        "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + bare
                                + bad.substring(bad.indexOf("<ActivityDescription")) + bare + "</ActivityDescriptions>")
                .get("job");
        assertThat(jobs.get(0).get("status-code").asString()).isEqualTo("201");
        assertThat(jobs.get(1).get("status-code").asString()).isEqualTo("400");
        assertThat(jobs.get(1).get("reason").asString()).contains("Nonsense");
        assertThat(jobs.get(2).get("state").asString()).isEqualTo("ACCEPTING");
    }

    @Test
    void xrslIsTakenAndWhatIsNeitherIsNot() throws Exception {
        JsonNode jobs = json("POST", "/jobs?action=new", "+(&(executable=/bin/true))(&(executable=/bin/false))")
                .get("job");
        assertThat(jobs.size()).isEqualTo(2);
        assertThat(jobs.get(1).get("status-code").asString()).isEqualTo("201");
        HttpResponse<String> neither = ask("POST", "/jobs?action=new", "hello", "Accept", "application/json");
        assertThat(neither.statusCode()).isEqualTo(500);
        assertThat(neither.body()).contains("Payload is not recognized");
        assertThat(json("POST", "/jobs?action=new", "<ActivityDescription><")
                        .get("job")
                        .get(0)
                        .get("status-code")
                        .asString())
                .isEqualTo("400");
    }

    @Test
    void instancesAreManyJobsOfOneDescription() throws Exception {
        assertThat(json("POST", "/jobs?action=new&instances=3", SLEEP)
                        .get("job")
                        .size())
                .isEqualTo(3);
        assertThat(ask("POST", "/jobs?action=new&instances=2", "+(&(executable=/bin/true))(&(executable=/bin/false))")
                        .statusCode())
                .isEqualTo(403);
        assertThat(ask("POST", "/jobs?action=new&instances=x", SLEEP).statusCode())
                .isEqualTo(400);
        assertThat(engine.liveJobs()).isEqualTo(3);
    }

    /** Without it a client that got no answer and asks again would have all of them run twice. */
    @Test
    void instancesOfAKeyAreTheSameJobsWhenTheyAreAskedForAgain() throws Exception {
        String keyed = adl(
                "<Executable><Path>/bin/sleep</Path><Argument>60</Argument></Executable>"
                        + "<Environment><Name>GRAM_CLIENT_KEY</Name><Value>pool#2.0</Value></Environment>",
                "");
        JsonNode first = json("POST", "/jobs?action=new&instances=2", keyed).get("job");
        JsonNode again = json("POST", "/jobs?action=new&instances=2", keyed).get("job");
        for (int i = 0; i < 2; i++) {
            assertThat(again.get(i).get("id")).isEqualTo(first.get(i).get("id"));
        }
        assertThat(first.get(0).get("id")).isNotEqualTo(first.get(1).get("id"));
        assertThat(engine.liveJobs()).isEqualTo(2);
    }

    @Test
    void aQueueIsAnLrmAndAnUnknownOneIsRefusedWithThoseThatAre() throws Exception {
        JsonNode job =
                json("POST", "/jobs?action=new&queue=slurm", SLEEP).get("job").get(0);
        assertThat(act("info", job.get("id").asString())
                        .get("info_document")
                        .get("ComputingActivity")
                        .get("Queue")
                        .asString())
                .isEqualTo("slurm");
        JsonNode refused =
                json("POST", "/jobs?action=new&queue=nowhere", SLEEP).get("job").get(0);
        assertThat(refused.get("reason").asString()).contains("nowhere", "fork, slurm");
    }

    @Test
    void theServiceIsDescribedInGlue() throws Exception {
        JsonNode service = json("GET", "/info", "")
                .get("Domains")
                .get("AdminDomain")
                .get("Services")
                .get("ComputingService");
        assertThat(service.get("ComputingEndpoint").get("InterfaceName").asString())
                .isEqualTo("org.nordugrid.arcrest");
        assertThat(service.get("ComputingShare").get(0).get("Name").asString()).isEqualTo("fork");
        assertThat(ask("GET", "/info?schema=glue1", "").statusCode()).isEqualTo(501);
    }

    /** Brokers choose by it where to submit. */
    @Test
    void whileTheGatewayDrainsItIsDescribedSo() throws Exception {
        assertThat(servingStates()).containsOnly("production");
        engine.drain();
        try {
            assertThat(servingStates()).containsOnly("draining");
        } finally {
            engine.resume();
        }
    }

    private List<String> servingStates() throws Exception {
        return json("GET", "/info", "").findValues("ServingState").stream()
                .map(JsonNode::asString)
                .toList();
    }

    /** Each is held in memory while it is answered; the clients of these two send no more for now. */
    @Test
    void anOwnerHasFewLongListsAtOnce() throws Exception {
        try (Socket first = askInPieces("{\"job\":[");
                Socket second = askInPieces("{\"job\":[")) {
            await().untilAsserted(() -> {
                try (Socket third = askInPieces("{\"job\":[")) {
                    assertThat(ended(third, "]}")).startsWith("HTTP/1.1 429").contains("long lists of jobs");
                }
            });
            assertThat(ask("POST", "/jobs?action=status", "{\"job\":[]}", "Content-Type", "application/json")
                            .statusCode())
                    .as("a short one")
                    .isEqualTo(201);
            assertThat(ended(first, "]}")).startsWith("HTTP/1.1 201");
            assertThat(ended(second, "]}")).startsWith("HTTP/1.1 201");
        }
    }

    @Test
    void aListThatIsTooLongIsRefusedByTheLimit() throws Exception {
        String id = "{\"id\":\"0196c0a0-0000-7000-8000-000000000001\"}";
        String body = "{\"job\":[" + (id + ",").repeat(25_000) + id + "]}";
        HttpResponse<String> answer = ask(
                "POST", "/jobs?action=status", body, "Accept", "application/json", "Content-Type", "application/json");
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("arc.maxIdList");
    }

    @Test
    void credentialsCannotBeDelegatedWhereThereIsNoVault() throws Exception {
        assertThat(ask("GET", "/delegations", "").statusCode()).isEqualTo(501);
    }
}
