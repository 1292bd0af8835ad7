// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Flows: multi-jobs whose jobs wait for one another. */
class FlowOperationsTest extends ApiRoom {

    private static final String FLOW = """
            {"subJobs": [
              {"id": "import", "executable": "/bin/true"},
              {"id": "work", "executable": "/bin/true", "lrm": "Slurm", "after": [{"id": "import"}]},
              {"executable": "/bin/true", "after": [{"id": "import", "when": "any"}, {"id": "work", "when": "failed"}]}]}
            """;

    private JsonNode subJobs(String flow) throws Exception {
        await().until(() -> get(ALICE, "/jobs/" + flow + "/subJobs")
                        .is(200)
                        .json()
                        .at("/subJobs")
                        .size()
                == 3);
        return get(ALICE, "/jobs/" + flow + "/subJobs").json().at("/subJobs");
    }

    @Test
    void aFlowIsSeenAsAWholeAndEachJobSaysWhatItWaitsFor() throws Exception {
        String flow = submit(ALICE, FLOW);
        JsonNode jobs = subJobs(flow);
        assertThat(jobs.at("/0/id").asString()).isEqualTo("import");
        assertThat(jobs.at("/0").has("after")).isFalse();
        assertThat(jobs.at("/1/after").toString()).isEqualTo("[{\"id\":\"import\",\"when\":\"ok\"}]");
        assertThat(jobs.at("/1/job/state").asString()).isEqualTo("Unsubmitted");
        assertThat(jobs.at("/1/job/holding").asBoolean()).isFalse();
        assertThat(jobs.at("/1/job/waiting/because").asString())
                .isEqualTo("it waits for other jobs of its flow: import is to end well");
        String work = jobs.at("/1/job/id").asString();
        Answer explained = get(ALICE, "/jobs/" + work + "/explain").is(200);
        assertThat(explained.at("/summary")).contains("waits for other jobs.");
        assertThat(explained.at("/waitsFor")).contains("import is to end well");

        finish(jobs.at("/0/job/id").asString(), 0);
        await().until(() -> other.knows(JobId.parse(work)));
        other.end(JobId.parse(work), 0);
        await().until(() ->
                get(ALICE, "/jobs/" + flow + "?fields=state").at("/state").equals("Done"));
        JsonNode after = subJobs(flow);
        assertThat(after.at("/2/job/state").asString()).isEqualTo("Cancelled");
        assertThat(after.at("/2/job/fault/sentence").asString())
                .isEqualTo("The job was left out of its flow: work is to fail, and it ended well.");
        assertThat(get(ALICE, "/jobs/" + flow + "/subJobs?fields=state")
                        .json()
                        .at("/subJobs/2/job")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void itsDescriptionIsAnsweredAsItWasSaidAndTheSameAgainIsTheSameFlow() throws Exception {
        Answer first = post(ALICE, "/jobs", FLOW, "Idempotency-Key", "one").is(201);
        JsonNode said = get(ALICE, "/jobs/" + first.at("/id") + "/description").json();
        assertThat(said.at("/subJobs/2/after").toString())
                .isEqualTo("[{\"id\":\"import\",\"when\":\"any\"},{\"id\":\"work\",\"when\":\"failed\"}]");
        assertThat(said.at("/subJobs/1/id").asString()).isEqualTo("work");
        assertThat(post(ALICE, "/jobs", said.toString(), "Idempotency-Key", "one")
                        .is(200)
                        .at("/id"))
                .isEqualTo(first.at("/id"));
        post(ALICE, "/jobs", FLOW.replace("failed", "any"), "Idempotency-Key", "one")
                .isProblem(409, "KEY_REUSED");
    }

    @Test
    void itsJobsAreItsOwnersAloneAndOtherJobsHaveNone() throws Exception {
        String flow = submit(ALICE, FLOW);
        get(BOB, "/jobs/" + flow + "/subJobs").isProblem(404, "JOB_UNKNOWN");
        String single = submit(ALICE, TRUE);
        assertThat(get(ALICE, "/jobs/" + single + "/subJobs").is(200).text()).isEqualTo("{\"subJobs\":[]}");
    }

    @Test
    void itIsCancelledAsAWhole() throws Exception {
        String flow = submit(ALICE, FLOW);
        subJobs(flow);
        order(ALICE, "/jobs/" + flow + "/cancel").is(200);
        await().until(() ->
                get(ALICE, "/jobs/" + flow + "?fields=state").at("/state").equals("Cancelled"));
        subJobs(flow).forEach(one -> assertThat(one.at("/job/state").asString()).isEqualTo("Cancelled"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{\"id\": \"a\", \"executable\": \"x\", \"after\": [{\"id\": \"b\"}]}, {\"id\": \"b\", \"executable\": \"x\", \"after\": [{\"id\": \"a\"}]}|a waits for b waits for a",
                "{\"id\": \"a\", \"executable\": \"x\", \"after\": [{\"id\": \"ab\"}]}, {\"id\": \"abc\", \"executable\": \"x\"}|no job of the flow has that name",
                "{\"id\": \"a\", \"executable\": \"x\", \"after\": [{\"id\": \"a\", \"when\": \"OK\"}]}|no way to end",
                "{\"id\": \"a b\", \"executable\": \"x\"}|no name of a job in a flow",
                "{\"id\": \"a\", \"executable\": \"x\", \"after\": [{\"when\": \"ok\"}]}|it is missing",
                "{\"id\": \"a\", \"executable\": \"x\", \"after\": {\"id\": \"a\"}}|no JSON array",
                "{\"id\": \"a\"}|subJobs[0].executable cannot be used"
            })
    void whatCannotBeIsRefusedByName(String jobs, String why) throws Exception {
        Answer refused = post(ALICE, "/jobs", "{\"subJobs\": [" + jobs + "]}");
        assertThat(refused.status()).isIn(400, 422);
        assertThat(refused.at("/detail")).contains(why);
    }

    @Test
    void aJobWaitsForOneOfAnEarlierSubmission() throws Exception {
        String first = submit(ALICE, TRUE);
        String waits = "{\"executable\": \"/bin/true\", \"after\": [{\"id\": \"" + first + "\", \"when\": \"any\"}]}";
        String second = submit(ALICE, waits);
        Answer explained = get(ALICE, "/jobs/" + second + "/explain").is(200);
        assertThat(explained.at("/summary")).isEqualTo("It has not begun: it waits for other jobs.");
        assertThat(explained.at("/waitsFor")).startsWith("it waits for job " + first + " to be over");
        JsonNode changes =
                get(ALICE, "/jobs/" + second + "/history").is(200).json().get("changes");
        assertThat(changes.at("/0/holding").asBoolean(true)).isFalse();
        assertThat(explained.json().at("/lines/0").toString())
                .contains("accepted and stored")
                .doesNotContain("held");
        assertThat(get(ALICE, "/jobs?holding=true&limit=1000").is(200).text()).doesNotContain(second);
        assertThat(get(ALICE, "/jobs?holding=false&limit=1000").is(200).text()).contains(second);
        assertThat(get(ALICE, "/jobs/" + second + "/description")
                        .json()
                        .at("/after")
                        .toString())
                .isEqualTo("[{\"id\":\"" + first + "\",\"when\":\"any\"}]");

        finish(first, 1);

        await().until(() -> lrm.knows(JobId.parse(second)));
        finish(second, 0);
        await().until(() ->
                get(ALICE, "/jobs/" + second + "?fields=state").at("/state").equals("Done"));
        Answer refused = post(BOB, "/jobs", waits).isProblem(400, "INVALID_DESCRIPTION");
        assertThat(refused.at("/detail")).contains(first).contains("you have no such job");
        assertThat(post(ALICE, "/jobs", waits.replace(first, "import")).is(400).at("/detail"))
                .contains("is no id of a job");
        post(ALICE, "/jobs", FLOW.replaceFirst("\\{", "{\"after\": [{\"id\": \"" + first + "\"}], "))
                .isProblem(400, "UNKNOWN_FIELD");
    }

    @Test
    void aJobWithoutAnExecutableMovesFilesWhereThereIsFileTransfer() throws Exception {
        post(ALICE, "/jobs", "{\"stageIn\": [{\"source\": \"gsiftp://a/b\", \"destination\": \"gsiftp://c/d\"}]}")
                .isProblem(422, "UNSUPPORTED_FEATURE");
        post(ALICE, "/jobs", "{\"lrm\": \"Transfers\", \"executable\": \"/bin/true\"}")
                .isProblem(400, "INVALID_DESCRIPTION");
        post(
                        ALICE,
                        "/jobs",
                        "{\"stdin\": \"x\", \"stageIn\": [{\"source\": \"gsiftp://a/b\", \"destination\": \"gsiftp://c/d\"}]}")
                .isProblem(400, "INVALID_DESCRIPTION");
    }
}
