// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lists of jobs: filters, order, pages, members. */
class JobPagesTest extends ApiRoom {

    private List<String> ids(String query) throws Exception {
        List<String> ids = new ArrayList<>();
        get(ALICE, "/jobs" + query)
                .is(200)
                .json()
                .get("jobs")
                .forEach(job -> ids.add(job.get("id").asString()));
        return ids;
    }

    @Test
    void jobsAreListedNewestFirstPageByPage() throws Exception {
        List<String> submitted = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            submitted.addFirst(submit(ALICE, TRUE));
            submit(BOB, TRUE);
        }
        assertThat(ids("")).isEqualTo(submitted);
        assertThat(ids("?order=oldest")).isEqualTo(submitted.reversed());
        List<String> read = new ArrayList<>();
        String query = "?limit=3&lrm=Fork";
        int pages = 0;
        while (!query.isEmpty()) {
            Answer page = get(ALICE, "/jobs" + query).is(200);
            page.json().get("jobs").forEach(job -> read.add(job.get("id").asString()));
            String next = page.at("/next");
            assertThat(page.header("Link"))
                    .isEqualTo(
                            next.isEmpty() ? "" : "</api/v1/jobs?limit=3&lrm=Fork&cursor=" + next + ">; rel=\"next\"");
            query = next.isEmpty() ? "" : "?limit=3&lrm=Fork&cursor=" + next;
            pages++;
        }
        assertThat(read).isEqualTo(submitted);
        assertThat(pages).isEqualTo(3);
        assertThat(get(ALICE, "/jobs?limit=7").json().has("next")).isFalse();
    }

    @Test
    void filtersChoose() throws Exception {
        String over = submit(ALICE, TRUE);
        finish(over, 0);
        Instant between = Instant.now();
        Thread.sleep(5);
        String live = submit(ALICE, TRUE);
        String elsewhere = submit(ALICE, "{\"executable\":\"/bin/true\",\"lrm\":\"Slurm\",\"account\":\"project\"}");
        String held = submit(ALICE, "{\"executable\":\"/bin/true\",\"holdAt\":\"Pending\"}");
        awaitInLrm(live);
        org.awaitility.Awaitility.await().until(() -> !ids("?holding=true").isEmpty());
        assertThat(ids("?holding=true")).containsExactly(held);
        assertThat(ids("?final=true")).containsExactly(over);
        assertThat(ids("?final=false")).containsExactly(held, elsewhere, live);
        assertThat(ids("?state=Done,Failed")).containsExactly(over);
        assertThat(ids("?state=done&final=false")).isEmpty();
        assertThat(ids("?state=Pending&final=true")).isEmpty();
        assertThat(ids("?lrm=Slurm")).containsExactly(elsewhere);
        assertThat(ids("?account=project")).containsExactly(elsewhere);
        assertThat(ids("?createdBefore=" + between)).containsExactly(over);
        assertThat(ids("?endedBefore=" + between)).containsExactly(over);
        assertThat(ids("?endedAfter=" + between)).isEmpty();
        assertThat(ids("?door=gram")).isEmpty();
        assertThat(ids("?door=rest&final=true")).containsExactly(over);
        assertThat(ids("?createdAfter=" + between)).containsExactly(held, elsewhere, live);
        assertThat(ids("?createdAfter=" + between + "&order=oldest&limit=1")).containsExactly(live);
        assertThat(ids("?createdBefore=" + between + "&order=oldest")).containsExactly(over);
        assertThat(get(ALICE, "/jobs?createdAfter=" + between + "&limit=3")
                        .json()
                        .has("next"))
                .isFalse();
        assertThat(get(ALICE, "/jobs?createdAfter=" + between + "&limit=2")
                        .json()
                        .has("next"))
                .isTrue();
    }

    @Test
    void onlyTheMembersThatWereAskedForAreShown() throws Exception {
        submit(ALICE, TRUE);
        JsonNode job = get(ALICE, "/jobs?fields=state,lrm").json().at("/jobs/0");
        assertThat(job.propertyNames()).containsExactly("id", "state", "lrm");
    }
}
