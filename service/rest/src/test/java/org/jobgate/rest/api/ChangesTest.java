// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What has happened to jobs: history, sentences, changes by cursor, further attempts. */
class ChangesTest extends ApiRoom {

    @Test
    void theHistoryOfAJobAndItsSentencesAreTold() throws Exception {
        String id = submit(ALICE, TRUE);
        finish(id, 0);
        JsonNode changes = get(ALICE, "/jobs/" + id + "/history").is(200).json().get("changes");
        assertThat(changes.valueStream().map(change -> change.get("to").asString()))
                .startsWith("Unsubmitted")
                .containsSubsequence("Pending", "Active", "Done");
        assertThat(changes.valueStream().map(change -> change.get("version").asLong()))
                .isSorted();
        Answer explained = get(ALICE, "/jobs/" + id + "/explain").is(200);
        assertThat(explained.at("/summary")).isEqualTo("It ran to its own end, with the exit code 0.");
        assertThat(explained.json().has("waitsFor")).isFalse();
        assertThat(explained.at("/lines/0/text")).startsWith("It was accepted and stored.");
        assertThat(explained.json().get("lines").size()).isEqualTo(changes.size());
        for (String path : List.of("/history", "/explain", "/attempts", "/events")) {
            get(BOB, "/jobs/" + id + path).isProblem(404, "JOB_UNKNOWN");
        }
        order(BOB, "/jobs/" + id + "/restart").isProblem(404, "JOB_UNKNOWN");
    }

    @Test
    void aWaitingJobSaysWhatItWaitsFor() throws Exception {
        String held = submit(ALICE, "{\"executable\": \"/bin/true\", \"holdAt\": \"Pending\"}");
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/jobs/" + held).json().get("holding").asBoolean());
        Answer explained = get(ALICE, "/jobs/" + held + "/explain").is(200);
        assertThat(explained.at("/waitsFor")).contains("/jobs/" + held + "/release");
        String queued = submit(ALICE, TRUE);
        awaitInLrm(queued);
        assertThat(get(ALICE, "/jobs/" + queued + "/explain").at("/waitsFor")).isEqualTo("A free place in Fork.");
    }

    @Test
    void changesAreReadByCursorAndAreTheOwnersOnly() throws Exception {
        Answer begin = get(ALICE, "/changes").is(200);
        assertThat(begin.json().get("changes").isEmpty()).isTrue();
        String id = submit(ALICE, TRUE);
        submit(BOB, TRUE);
        finish(id, 0);
        List<String> told = new ArrayList<>();
        String cursor = begin.at("/next");
        boolean isMore = true;
        while (isMore) {
            Answer page = get(ALICE, "/changes?limit=2&since=" + cursor).is(200);
            page.json().get("changes").forEach(change -> {
                assertThat(change.get("job").asString()).isEqualTo(id);
                told.add(change.get("cursor").asString());
            });
            assertThat(page.json().get("changes").size()).isLessThanOrEqualTo(2);
            cursor = page.at("/next");
            isMore = page.json().get("more").asBoolean();
        }
        List<String> all = get(ALICE, "/jobs/" + id + "/history")
                .json()
                .get("changes")
                .valueStream()
                .map(change -> change.get("cursor").asString())
                .toList();
        assertThat(told).isEqualTo(all);
        assertThat(get(ALICE, "/changes?state=Done&since=" + begin.at("/next"))
                        .json()
                        .get("changes")
                        .valueStream()
                        .map(change -> change.get("to").asString()))
                .containsOnly("Done");
    }

    @Test
    void aWaitForChangesEndsWithTheNextOne() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        String cursor = get(ALICE, "/changes").at("/next");
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return get(ALICE, "/changes?wait=120&since=" + cursor);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep(200);
        assertThat(waiting).isNotDone();
        lrm.start(JobId.parse(id));
        assertThat(waiting.get(1, TimeUnit.MINUTES).is(200).at("/changes/0/to")).isEqualTo("Active");
    }

    @Test
    void aCursorOutsideOfWhatIsKeptIsGone() throws Exception {
        Answer gone = get(ALICE, "/changes?since=999999999999").isProblem(410, "CURSOR_EXPIRED");
        assertThat(gone.at("/remedy")).contains("List the jobs again");
        get(ALICE, "/events", "Last-Event-ID", "999999999999").isProblem(410, "CURSOR_EXPIRED");
        get(ALICE, "/events", "Last-Event-ID", "x").isProblem(400, "INVALID_FIELD");
        get(ALICE, "/changes?since=-1").isProblem(400, "INVALID_FIELD");
    }

    @Test
    void aFailedJobIsRestartedOnceAsANewAttempt() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        order(ALICE, "/jobs/" + id + "/restart").isProblem(409, "WRONG_STATE");
        finish(id, 1);
        Answer next = order(ALICE, "/jobs/" + id + "/restart").is(201);
        assertThat(next.at("/id")).isNotEqualTo(id);
        assertThat(next.header("Location")).endsWith(next.at("/id"));
        assertThat(order(ALICE, "/jobs/" + id + "/restart").is(200).at("/id")).isEqualTo(next.at("/id"));
        assertThat(get(ALICE, "/jobs/" + next.at("/id") + "/attempts?fields=state")
                        .is(200)
                        .json()
                        .get("jobs")
                        .valueStream()
                        .map(job -> job.get("id").asString()))
                .containsExactly(id, next.at("/id"));
    }

    @Test
    void theLimitsAreToldWithTheirUse() throws Exception {
        submit(ALICE, TRUE);
        submit(ALICE, TRUE);
        submit(BOB, TRUE);
        JsonNode live = get(ALICE, "/limits").is(200).json().at("/limits/0");
        assertThat(live.get("name").asString()).isEqualTo("limits.maxLiveJobsPerOwner");
        assertThat(live.get("use").asLong()).isEqualTo(2);
        assertThat(live.get("value").asLong())
                .isEqualTo(limits().liveJobsPerOwner().value());
    }
}
