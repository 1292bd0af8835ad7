// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jobgate.authz.Decision;
import org.jobgate.job.JobId;
import org.jobgate.job.PendingReason;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

    /** Such a list is read in pieces while it is sent. */
    @Test
    void aLongPageHasEachJobOnceInOrderAndNamesTheNext() throws Exception {
        List<String> made = new ArrayList<>();
        String many = "{\"jobs\":[" + String.join(",", Collections.nCopies(100, TRUE)) + "]}";
        for (int i = 0; i < 11; i++) {
            post(ALICE, "/bulk/jobs", many)
                    .is(200)
                    .json()
                    .get("results")
                    .forEach(result -> made.add(result.get("id").asString()));
            submit(BOB, TRUE);
        }
        made.sort(Comparator.reverseOrder()); // by the time of creation, but for those of one millisecond
        finish(made.get(600), 0);
        assertThat(made).hasSize(1_100).doesNotHaveDuplicates();
        Answer first = get(ALICE, "/jobs?fields=state&limit=1000").is(200);
        String last = made.get(999);
        assertThat(first.at("/next")).isEqualTo(last);
        assertThat(first.header("Link")).contains("limit=1000&cursor=" + last + ">");
        assertThat(ids("?limit=1000")).isEqualTo(made.subList(0, 1_000));
        assertThat(ids("?limit=1000&cursor=" + last)).isEqualTo(made.subList(1_000, 1_100));
        assertThat(ids("?limit=1000&order=oldest")).isEqualTo(made.reversed().subList(0, 1_000));
        assertThat(ids("?limit=1000&state=Done")).containsExactly(made.get(600));
        Answer all = get(ALICE, "/jobs?limit=1000&order=oldest&cursor=" + made.get(1_000))
                .is(200);
        assertThat(all.json().get("jobs")).hasSize(1_000);
        assertThat(all.json().has("next")).isFalse();
        assertThat(all.header("Link")).isEmpty();
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

    /** A long list is sent while it is written: nobody has to keep it whole, and its client reads meanwhile. */
    @Test
    void aLongListIsSentAsItIsWrittenAndAShortOneWithItsLength() throws Exception {
        String many = String.join(",", Collections.nCopies(100, TRUE));
        post(ALICE, "/bulk/jobs", "{\"jobs\":[" + many + "]}").is(200);
        Answer plain = get(ALICE, "/jobs?limit=100&fields=id,created,owner,account,lrm,door,language,links")
                .is(200);
        assertThat(plain.response().headers().firstValue("Content-Length")).isEmpty();
        assertThat(plain.response().body()).hasSizeGreaterThan(65_536);
        assertThat(plain.json().get("jobs")).hasSize(100);
        Answer packed = get(
                        ALICE,
                        "/jobs?limit=100&fields=id,created,owner,account,lrm,door,language,links",
                        "Accept-Encoding",
                        "gzip")
                .is(200);
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(packed.response().headers().allValues("Vary")).containsExactly("Accept-Encoding");
        try (GZIPInputStream unpacked =
                new GZIPInputStream(new ByteArrayInputStream(packed.response().body()))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(plain.response().body());
        }
        Answer brief = get(ALICE, "/jobs?limit=100&fields=state").is(200);
        assertThat(brief.header("Content-Length"))
                .isEqualTo(Integer.toString(brief.response().body().length));
    }

    @Test
    void whateverStandsInATextItIsOneTextInTheAnswer() throws Exception {
        String text = "a\"b\\c\td\n</script>\u0001 \u00e9 \u65e5 \ud83d\ude00 \u2028";
        String key = "k\"\\<\u00e9\ud83d\ude00";
        ObjectNode request = new JsonMapper().createObjectNode();
        request.put("executable", "/bin/true").put("holdAt", "Pending").put("idempotencyKey", key);
        String id = submit(ALICE, request.toString());
        Instant since = Instant.parse("2026-11-26T20:00:00.120Z");
        store.update(
                        JobId.parse(id),
                        job -> List.of(Step.of(
                                job.withPendingReason(new PendingReason(since, text))
                                        .withLocalIds(List.of("1", text)),
                                "said by an LRM")))
                .get();
        for (String path : List.of("/jobs", "/jobs/" + id)) {
            JsonNode answer = get(ALICE, path).is(200).json();
            JsonNode job = path.equals("/jobs") ? answer.at("/jobs/0") : answer;
            assertThat(job.at("/waiting/because").asString()).isEqualTo(text);
            assertThat(job.at("/waiting/since").asString()).isEqualTo(since.toString());
            assertThat(job.at("/localIds/1").asString()).isEqualTo(text);
            assertThat(job.get("idempotencyKey").asString()).isEqualTo(key);
            assertThat(job.at("/links/files").asString()).isEqualTo("/jobs/" + id + "/files/");
        }
    }

    /** Texts that the jobs of a list have in common are made once. */
    @Test
    void textsThatSeveralJobsShareStayWhatTheyAre() throws Exception {
        String account = "j\u00f6rg \u65e5 \"x\\";
        decisions.put(ALICE, new Decision.Permit(List.of("alice", account)));
        List<String> accounts = List.of("alice", account, account, "alice", account);
        for (String one : accounts) {
            ObjectNode request = new JsonMapper().createObjectNode();
            submit(
                    ALICE,
                    request.put("executable", "/bin/true").put("account", one).toString());
        }
        JsonNode listed = get(ALICE, "/jobs?order=oldest").is(200).json().get("jobs");
        assertThat(listed.valueStream().map(job -> job.get("account").asString()))
                .containsExactlyElementsOf(accounts);
        assertThat(listed.valueStream().map(job -> job.get("owner").asString())).containsOnly(ALICE);
    }
}
