// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.authz.Decision;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.JobDirectories;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door over real HTTP, before files in memory. */
class JobFilesServletTest extends FileDoorRoom {

    @Test
    void aFileIsReadWholeInPartsAndByItsEnd() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "1.7", bytes("0123456789"));
        HttpResponse<byte[]> whole = get("/stdout");
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(text(whole)).isEqualTo("0123456789");
        assertThat(header(whole, "Content-Type")).isEqualTo("application/octet-stream");
        assertThat(header(whole, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(whole, "Cache-Control")).isEqualTo("no-store");
        assertThat(header(whole, "Jobgate-File")).isEqualTo("1.7");
        assertThat(header(whole, "Jobgate-Complete")).isEqualTo("false");
        HttpResponse<byte[]> part = get("/stdout", "Range", "bytes=2-4");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(text(part)).isEqualTo("234");
        assertThat(header(part, "Content-Range")).isEqualTo("bytes 2-4/*");
        assertThat(text(get("/stdout", "Range", "bytes=-3"))).isEqualTo("789");
        assertThat(text(get("/stdout", "Range", "bytes=0-1,4-5"))).isEqualTo("0123456789");
        assertThat(text(get("/stdout", "Range", "lines=1-2"))).isEqualTo("0123456789");
    }

    @Test
    void theEndIsSaidOnlyWhenTheJobIsOverAndEverythingWasDelivered() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "f", bytes("0123456789"));
        assertThat(header(get("/stdout", "Range", "bytes=5-"), "Jobgate-Complete"))
                .isEqualTo("false");
        jobs.set(job, JobState.CLEAN_UP);
        HttpResponse<byte[]> middle = get("/stdout", "Range", "bytes=5-8");
        assertThat(header(middle, "Jobgate-Complete")).isEqualTo("false");
        assertThat(header(middle, "Content-Range")).isEqualTo("bytes 5-8/10");
        assertThat(header(get("/stdout", "Range", "bytes=5-"), "Jobgate-Complete"))
                .isEqualTo("true");
        assertThat(header(get("/stdout"), "Jobgate-Complete")).isEqualTo("true");
        HttpResponse<byte[]> nothing = get("/stdout?wait=1", "Range", "bytes=10-");
        assertThat(nothing.statusCode()).isEqualTo(204);
        assertThat(header(nothing, "Jobgate-Complete")).isEqualTo("true");
    }

    @Test
    void headTellsTheSize() throws Exception {
        jobs.set(job, JobState.DONE);
        files.put("/out", "f", new byte[1_000_000]);
        HttpResponse<byte[]> head = client.send(
                request("/jobs/" + job + "/stdout")
                        .HEAD()
                        .header("Subject", ALICE)
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(header(head, "Content-Length")).isEqualTo("1000000");
        assertThat(header(head, "Accept-Ranges")).isEqualTo("bytes");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aLargeFileIsSentInBoundedReads() throws Exception {
        jobs.set(job, JobState.DONE);
        byte[] large = new byte[3_000_001];
        new Random(7).nextBytes(large);
        files.put("/out", "f", large);
        assertThat(get("/stdout").body()).isEqualTo(large);
        assertThat(files.longestRead).isLessThanOrEqualTo(JobFilesServlet.CHUNK);
        assertThat(get("/stdout", "Range", "bytes=-2000000").body())
                .isEqualTo(java.util.Arrays.copyOfRange(large, 1_000_001, 3_000_001));
    }

    @Test
    void oneWhoWaitsIsAnsweredWhenMoreIsWritten() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "f", bytes("abc"));
        CompletableFuture<HttpResponse<byte[]>> waiting = getLater("/stdout?wait=120", "Range", "bytes=3-");
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 1);
        Thread.sleep(300);
        assertThat(waiting).isNotDone();
        files.put("/out", "f", bytes("abcdef"));
        HttpResponse<byte[]> answer = waiting.get(1, TimeUnit.MINUTES);
        assertThat(answer.statusCode()).isEqualTo(206);
        assertThat(text(answer)).isEqualTo("def");
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 0);
    }

    @Test
    void oneWhoWaitsIsAnsweredWhenTheJobEnds() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "f", bytes("abc"));
        CompletableFuture<HttpResponse<byte[]>> waiting = getLater("/stdout?wait=120", "Range", "bytes=3-");
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 1);
        jobs.set(job, JobState.STAGE_OUT);
        HttpResponse<byte[]> answer = waiting.get(1, TimeUnit.MINUTES);
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(header(answer, "Jobgate-Complete")).isEqualTo("true");
    }

    @Test
    void waitingIsBoundedAndEndsWithNothingYet() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "f", bytes("abc"));
        HttpResponse<byte[]> answer = get("/stdout?wait=1", "Range", "bytes=3-");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(header(answer, "Jobgate-Complete")).isEqualTo("false");
        assertThat(get("/stdout?wait=0", "Range", "bytes=3-").statusCode()).isEqualTo(204);
        assertThat(get("/stdout?wait=soon").statusCode()).isEqualTo(400);
        assertThat(get("/stdout?wait=-1").statusCode()).isEqualTo(400);
    }

    @Test
    void whatHasTheNameBeforeTheJobStartsIsNotItsOutput() throws Exception {
        files.put("/out", "old", bytes("of yesterday"));
        assertThat(get("/stdout").statusCode()).isEqualTo(404);
        assertThat(get("/stdout?wait=0").statusCode()).isEqualTo(204);
        jobs.set(job, JobState.PENDING);
        assertThat(get("/stdout?wait=0").statusCode()).isEqualTo(204);
        jobs.set(job, JobState.ACTIVE);
        assertThat(get("/stdout?wait=0").statusCode()).isEqualTo(200);
    }

    @Test
    void aFileThatIsNotThereYetIsWaitedForWhileTheJobRuns() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        assertThat(get("/files/late").statusCode()).isEqualTo(404);
        CompletableFuture<HttpResponse<byte[]>> waiting = getLater("/files/late?wait=120");
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 1);
        files.put("below late", "f", bytes("here"));
        assertThat(text(waiting.get(1, TimeUnit.MINUTES))).isEqualTo("here");
        jobs.set(job, JobState.FAILED);
        HttpResponse<byte[]> never = get("/files/never?wait=120");
        assertThat(never.statusCode()).isEqualTo(404);
        assertThat(text(never)).contains("NOT_FOUND");
    }

    @Test
    void aFileThatWasCutOrReplacedIsTold() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "first", bytes("abc"));
        HttpResponse<byte[]> cut = get("/stdout?wait=120", "Range", "bytes=5-");
        assertThat(cut.statusCode()).isEqualTo(416);
        assertThat(header(cut, "Content-Range")).isEqualTo("bytes */3");
        assertThat(text(cut)).contains("FILE_SHORTER");
        HttpResponse<byte[]> same = get("/stdout?wait=120", "Range", "bytes=1-", "Jobgate-File", "first");
        assertThat(text(same)).isEqualTo("bc");
        files.put("/out", "second", bytes("uvwxyz"));
        HttpResponse<byte[]> replaced = get("/stdout?wait=120", "Range", "bytes=1-", "Jobgate-File", "first");
        assertThat(replaced.statusCode()).isEqualTo(412);
        assertThat(text(replaced)).contains("FILE_REPLACED");
    }

    @Test
    void anAnswerWhoseFileIsCutOrReplacedOnTheWayEndsEarly() {
        jobs.set(job, JobState.DONE);
        files.put("/out", "f", new byte[2_000_000]);
        files.afterRead = () -> files.put("/out", "f", new byte[10]);
        assertThatThrownBy(() -> get("/stdout")).isInstanceOf(IOException.class);
        files.put("/out", "f", new byte[2_000_000]);
        files.afterRead = () -> files.put("/out", "g", new byte[2_000_000]);
        assertThatThrownBy(() -> get("/stdout")).isInstanceOf(IOException.class);
    }

    @Test
    void anotherOnesJobAndOneThatNeverWasLookTheSame() throws Exception {
        jobs.set(job, JobState.DONE);
        files.put("/out", "f", bytes("secret"));
        HttpResponse<byte[]> others =
                client.send(request("/jobs/" + job + "/stdout", "Subject", BOB).build(), BodyHandlers.ofByteArray());
        JobId real = job;
        job = new JobId(java.util.UUID.randomUUID());
        HttpResponse<byte[]> never = get("/stdout");
        assertThat(others.statusCode()).isEqualTo(never.statusCode()).isEqualTo(404);
        assertThat(text(others)).isEqualTo(text(never).replace(job.toString(), real.toString()));
        assertThat(others.headers().map().keySet())
                .isEqualTo(never.headers().map().keySet());
        job = real;
        jobs.remove(job);
        assertThat(get("/stdout").statusCode()).isEqualTo(404);
    }

    @Test
    void aCallerWithoutNameIsRefused() throws Exception {
        HttpResponse<byte[]> answer =
                client.send(request("/jobs/" + job + "/stdout").build(), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(401);
    }

    @Test
    void whoIsNotMappedToTheAccountAnyMoreReadsNothing() throws Exception {
        jobs.set(job, JobState.DONE);
        files.put("/out", "f", bytes("secret"));
        decision.set(new Decision.Permit(List.of("other")));
        assertThat(get("/stdout").statusCode()).isEqualTo(403);
        decision.set(new Decision.Deny("the caller is banned"));
        HttpResponse<byte[]> banned = get("/stdout");
        assertThat(banned.statusCode()).isEqualTo(403);
        assertThat(text(banned)).contains("the caller is banned");
        decision.set(new Decision.Deny("the load is high", Later.inAMoment()));
        assertThat(get("/stdout").statusCode()).isEqualTo(503);
        decision.set(new Decision.Indeterminate("The map cannot be read."));
        assertThat(get("/stdout").statusCode()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/files/../secret",
                "/files/%2e%2e/secret",
                "/files/a/..%2f..%2fsecret",
                "/files/a%2f..%2fsecret",
                "/files//secret",
                "/files/a%00b",
                "/files/.",
                "/files/../",
                "/files",
                "/",
                "/nothing",
                "/stdout/x"
            })
    void pathsThatLeadElsewhereAreRefused(String path) throws Exception {
        jobs.set(job, JobState.DONE);
        files.put("below secret", "f", bytes("secret"));
        files.put("below a/secret", "f", bytes("secret"));
        HttpResponse<byte[]> answer = get(path);
        assertThat(answer.statusCode()).isIn(400, 404);
        assertThat(text(answer)).doesNotContain("secret\"").isNotEqualTo("secret");
    }

    @Test
    void oddNamesOfFilesAreOnlyNames() throws Exception {
        jobs.set(job, JobState.DONE);
        for (String name : List.of(
                "a b",
                "a+b",
                "ä",
                "%",
                "100% a%2fb",
                "?",
                "#",
                ";x=1",
                "..a",
                "...",
                "'\"`",
                "a\tb",
                "a\nb",
                "a\\b",
                "%41",
                ":")) {
            files.put("below d/" + name, "f", bytes(name));
            HttpResponse<byte[]> answer = get("/files/d/" + FileNames.encoded(name));
            assertThat(answer.statusCode()).as(name).isEqualTo(200);
            assertThat(text(answer)).as(name).isEqualTo(name);
        }
        assertThat(text(get("/files/d/a%20b"))).isEqualTo("a b");
        assertThat(text(get("/files/d/a+b"))).isEqualTo("a+b");
        assertThat(text(get("/files/d/%C3%A4"))).isEqualTo("ä");
    }

    /** To Linux a name is bytes: what is listed is what is asked for next. */
    @Test
    void namesThatAreNotUtf8AreCarriedByteForByte() throws Exception {
        jobs.set(job, JobState.DONE);
        String name = FileNames.decoded("caf%E9 %C3%A4%0A");
        files.put("below d/" + name, "f", bytes("x"));
        assertThat(text(get("/files/d/caf%E9%20%C3%A4%0A"))).isEqualTo("x");
        files.entries =
                List.of(new JobDirectories.Entry("plain", "file", 1, 0), new JobDirectories.Entry(name, "file", 1, 0));
        files.isMore = true;
        HttpResponse<byte[]> json = get("/files/d/");
        assertThat(text(json))
                .contains("\"name\":\"caf\uFFFD ä\\n\",\"encodedName\":\"caf%E9%20%C3%A4%0A\"")
                .contains("\"encodedNext\":\"caf%E9%20%C3%A4%0A\"")
                .doesNotContain("\"next\"");
        assertThat(header(json, "Link")).isEqualTo("<?after=caf%E9%20%C3%A4%0A>; rel=\"next\"");
        assertThat(text(get("/files/d/", "Accept", "text/plain"))).endsWith(" caf%E9%20%C3%A4%0A\n");
        get("/files/d/?after=caf%E9%20%C3%A4%0A");
        assertThat(files.after).isEqualTo(name);
    }

    @Test
    void tooManyReadersAreToldTheLimitAndTheirCount() throws Exception {
        jobs.set(job, JobState.ACTIVE);
        files.put("/out", "f", bytes("abc"));
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(getLater("/stdout?wait=120", "Range", "bytes=3-"));
        }
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 3);
        HttpResponse<byte[]> refused = get("/stdout");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(header(refused, "Retry-After")).isEqualTo("2");
        assertThat(text(refused))
                .contains("There are 4 requests of yours for files at once")
                .contains("files.maxReadersPerOwner = 3");
        jobs.set(job, JobState.DONE);
        for (CompletableFuture<HttpResponse<byte[]>> one : waiting) {
            one.get(1, TimeUnit.MINUTES);
        }
        await().atMost(1, TimeUnit.MINUTES).until(() -> servlet.readers() == 0);
        assertThat(get("/stdout").statusCode()).isEqualTo(200);
    }

    @Test
    void whatTheAccountSaysIsPassedOn() throws Exception {
        jobs.set(job, JobState.DONE);
        files.refuse("/out", FileAnswer.Reason.NOT_A_FILE);
        files.refuse("err", FileAnswer.Reason.NOT_PERMITTED);
        files.refuse("below x", FileAnswer.Reason.FAILED);
        assertThat(get("/stdout").statusCode()).isEqualTo(409);
        assertThat(get("/stderr").statusCode()).isEqualTo(403);
        assertThat(get("/files/x").statusCode()).isEqualTo(503);
        files.areAway = true;
        HttpResponse<byte[]> away = get("/stdout");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(text(away)).contains("the disk of alice is away");
    }

    @Test
    void aJobThatNamesNoFileHasNone() throws Exception {
        job = jobs.add(ALICE, JobDescription.of("/bin/true"));
        jobs.set(job, JobState.DONE);
        HttpResponse<byte[]> answer = get("/stdout?wait=120");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(text(answer)).contains("its description names no file");
    }

    private CompletableFuture<HttpResponse<byte[]>> getLater(String path, String... headers) {
        return client.sendAsync(
                request("/jobs/" + job + path, headers).header("Subject", ALICE).build(), BodyHandlers.ofByteArray());
    }

    @Test
    void aDirectoryIsListed() throws Exception {
        HttpResponse<byte[]> json = get("/files/");
        assertThat(json.statusCode()).isEqualTo(200);
        assertThat(text(json))
                .isEqualTo(
                        "{\"entries\":[{\"name\":\"a\\nb\\\"%ä\",\"encodedName\":\"a%0Ab%22%25%C3%A4\",\"kind\":\"file\",\"size\":5,"
                                + "\"modified\":\"1970-01-01T00:00:00Z\"},{\"name\":\"sub\",\"encodedName\":\"sub\",\"kind\":\"directory\",\"size\":0,"
                                + "\"modified\":\"1970-01-01T00:00:01Z\"}],\"next\":\"sub\",\"encodedNext\":\"sub\"}");
        assertThat(text(get("/files/", "Accept", "text/plain")))
                .isEqualTo("- 5 1970-01-01T00:00:00Z a%0Ab%22%25%C3%A4\nd 0 1970-01-01T00:00:01Z sub\n");
        assertThat(text(get("/files/?after=sub"))).contains("\"z\"").doesNotContain("next");
        assertThat(text(get("/files/sub/"))).contains("\"link\"");
        assertThat(get("/files/none/").statusCode()).isEqualTo(404);
        assertThat(put("sub/", bytes("x")).statusCode()).isEqualTo(405);
        assertThat(put("", new byte[0]).statusCode()).isEqualTo(204);
        assertThat(files.made).isEqualTo("/work");
        assertThat(put("../up", bytes("x")).statusCode()).isIn(400, 404);
        assertThat(put("%2e%2e/up", bytes("x")).statusCode()).isIn(400, 404);
        assertThat(put("a%2Fb", bytes("x")).statusCode()).isEqualTo(400);
        assertThat(put("a%00b", bytes("x")).statusCode()).isEqualTo(400);
    }
}
