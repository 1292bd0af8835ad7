// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jobgate.authz.Action;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs that are started once more, that their clients push files for, and that must start in time; directories of many jobs. */
class ArcRestartTest extends ArcRoom {

    private static final String WITH_FILE =
            adl("<Executable><Path>run.sh</Path></Executable>", "<InputFile><Name>run.sh</Name></InputFile>");
    private static final String PUSHED = adl(
            "<Executable><Path>run.sh</Path></Executable>",
            "<ClientDataPush>true</ClientDataPush><InputFile><Name>run.sh</Name></InputFile>");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What was asked for, of each call. */
    private final List<List<String>> made = new CopyOnWriteArrayList<>();

    private volatile boolean refusesTheSecond;

    @Override
    DiskFiles files() {
        return new DiskFiles() {
            @Override
            public Map<String, FileRefusedException> makeDirectories(String account, String parent, List<String> names)
                    throws FileRefusedException, FilesUnavailableException {
                made.add(List.copyOf(names));
                Map<String, FileRefusedException> refused = super.makeDirectories(account, parent, names);
                if (refusesTheSecond) {
                    refused.put(names.get(1), new FileRefusedException(FileAnswer.Reason.NO_SPACE, "It is full."));
                }
                return refused;
            }
        };
    }

    private JsonNode activity(JobId id) throws Exception {
        return act("info", id).get("info_document").get("ComputingActivity");
    }

    private void put(JobId id, String name) throws Exception {
        assertThat(ask("PUT", "/jobs/" + id + "/session/" + name, "x").statusCode())
                .isEqualTo(200);
    }

    private void kill(JobId id) throws Exception {
        act("kill", id);
        await().until(() -> state(id).equals("KILLED"));
    }

    @Test
    void aJobThatWasKilledIsStartedOnceMoreUnderItsId() throws Exception {
        JobId id = submit(WITH_FILE);
        put(id, "other");
        kill(id);
        JsonNode answer = act("restart", id);
        assertThat(answer.get("status-code").asString()).isEqualTo("202");
        assertThat(answer.get("id").asString()).isEqualTo(id.toString());
        await().until(() -> state(id).equals("PREPARING"));
        // it has the session directory of the first attempt, and waits for the same files
        assertThat(sessions().resolve(id.toString()).resolve("other")).exists();
        put(id, "run.sh");
        await().until(() -> lrm.taken() == 1);
        assertThat(lrm.knows(id)).isFalse();
        await().until(() -> !state(id).equals("PREPARING"));
        assertThat(activity(id).get("ID").asString()).endsWith(id.toString());
        assertThat(json("GET", "/jobs", "").toString()).isEqualTo("{\"job\":[{\"id\":\"" + id + "\"}]}");
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/description", "").statusCode())
                .isEqualTo(200);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("505");
        kill(id);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        await().until(() -> lrm.taken() == 2);
        // its id means the third attempt now, and so on
        assertThat(state(id)).isNotEqualTo("KILLED");
        kill(id);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        await().until(() -> lrm.taken() == 3);
        assertThat(state(id)).isNotEqualTo("KILLED");
        assertThat(json("GET", "/jobs", "").get("job").size()).isEqualTo(1);
        assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
        await().until(() -> DiskFiles.names(sessions()).isEmpty());
        assertThat(json("GET", "/jobs", "").toString()).isEqualTo("{\"job\":[]}");
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("404");
    }

    @Test
    void theNewestAttemptIsKnownAfterARestartOfTheService() throws Exception {
        JobId id = submit(SLEEP);
        kill(id);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        restart();
        assertThat(state(id)).isNotEqualTo("KILLED");
        assertThat(json("GET", "/jobs", "").toString()).isEqualTo("{\"job\":[{\"id\":\"" + id + "\"}]}");
        assertThat(askAs(BOB, "GET", "/1.0/jobs/" + id + "/diagnose/status", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void anAttemptAndTheSessionThatNamesItAreStoredTogether() throws Exception {
        JobId id = submit(SLEEP);
        kill(id);
        // as where the service ends between the two: an attempt would run that its client cannot see
        refuseChangesOfSessions();
        assertThat(act("restart", id).get("status-code").asString()).isNotEqualTo("202");
        assertThat(engine.attempts(ALICE, id).orElseThrow()).hasSize(1);
        assertThat(state(id)).isEqualTo("KILLED");
        letSessionsChange();
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        assertThat(engine.attempts(ALICE, id).orElseThrow()).hasSize(2);
        assertThat(state(id)).isNotEqualTo("KILLED");
    }

    @Test
    void anAttemptThatWasMadeWithoutASessionHasOneWhenItIsAskedForAgain() throws Exception {
        JobId id = submit(SLEEP);
        kill(id);
        engine.restart(ALICE, id);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        assertThat(engine.attempts(ALICE, id).orElseThrow()).hasSize(2);
        assertThat(state(id)).isNotEqualTo("KILLED");
    }

    @Test
    void aJobThatEndedWellIsNotStartedOnceMore() throws Exception {
        lrm.runByItself();
        JobId id = submit(SLEEP);
        await().until(() -> state(id).equals("FINISHED"));
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("505");
        assertThat(act("restart", id).get("reason").asString()).contains("has ended as it should");
    }

    @Test
    void whoPushesFilesSaysWhenAllAreThere() throws Exception {
        JobId id = submit(PUSHED);
        JsonNode tooEarly = act("restart", id);
        assertThat(tooEarly.get("status-code").asString()).isEqualTo("505");
        assertThat(tooEarly.get("reason").asString()).contains("run.sh is not there");
        put(id, "run.sh");
        put(id, "deep/unnamed");
        await().until(() -> state(id).equals("PREPARING"));
        assertThat(activity(id).get("State").toString()).contains("client-stagein-possible");
        restart();
        await().until(() -> state(id).equals("PREPARING"));
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        await().until(() -> lrm.knows(id));
        assertThat(sessions().resolve(id + "/deep/unnamed")).exists();
    }

    @Test
    void aJobWhoseFilesWereAllPushedWaitsForNothingWhenItIsStartedOnceMore() throws Exception {
        JobId id =
                submit(adl("<Executable><Path>/bin/true</Path></Executable>", "<ClientDataPush>true</ClientDataPush>"));
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        await().atMost(PATIENCE).until(() -> lrm.taken() == 1);
        kill(id);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("202");
        await().atMost(PATIENCE).until(() -> lrm.taken() == 2);
    }

    @Test
    void twoRequestsAtOnceMakeOneAttempt() throws Exception {
        JobId id = submit(SLEEP);
        kill(id);
        int taken = lrm.taken();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> answers = clients.invokeAll(Collections.nCopies(4, () -> act("restart", id)));
            for (Future<JsonNode> answer : answers) {
                // one that comes later finds a job that is not over
                assertThat(answer.get().get("status-code").asString()).isIn("202", "505");
            }
        }
        await().atMost(PATIENCE).until(() -> lrm.taken() == taken + 1);
        kill(id);
        assertThat(engine.attempts(ALICE, id).orElseThrow()).hasSize(2);
    }

    @Test
    void aJobThatHasNotStartedInTimeIsEnded() throws Exception {
        String soon =
                Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS).toString();
        JobId id = submit(adl(
                "<Executable><Path>/bin/true</Path></Executable><ExpirationTime>" + soon + "</ExpirationTime>", ""));
        JobId other = submit(SLEEP);
        await().until(() -> state(id).equals("FAILED"));
        assertThat(activity(id).get("Error").asString()).contains("did not start before " + soon);
        assertThat(state(other)).isNotEqualTo("FAILED");
    }

    @Test
    void aJobThatCouldNotBeEndedInTimeIsEndedLater() throws Exception {
        Instant soon = Instant.now().plusSeconds(4).truncatedTo(ChronoUnit.SECONDS);
        JobId id = submit(adl(
                "<Executable><Path>/bin/true</Path></Executable><ExpirationTime>" + soon + "</ExpirationTime>", ""));
        forbidden.add(Action.MANAGE);
        await().atMost(PATIENCE)
                .until(() -> store.findRecord(SessionRecords.OF_JOB, id.toString())
                        .orElseThrow()
                        .body()
                        .contains("did not start before"));
        forbidden.clear();
        restart();
        await().atMost(PATIENCE).until(() -> state(id).equals("FAILED"));
    }

    @Test
    void theDirectoriesOfManyJobsAreMadeByOneCall() throws Exception {
        String bare = SLEEP.substring(SLEEP.indexOf("<ActivityDescription"));
        JsonNode jobs = json(
                        "POST",
                        "/jobs?action=new",
                        "<ActivityDescriptions>" + bare.repeat(7) + "</ActivityDescriptions>")
                .get("job");
        assertThat(jobs.size()).isEqualTo(7);
        assertThat(made).hasSize(1);
        assertThat(made.getFirst()).hasSize(7);
        assertThat(DiskFiles.names(sessions())).hasSize(7);
    }

    @Test
    void aDirectoryThatCannotBeMadeRefusesItsJobOnly() throws Exception {
        refusesTheSecond = true;
        String bare = SLEEP.substring(SLEEP.indexOf("<ActivityDescription"));
        JsonNode jobs = json(
                        "POST",
                        "/jobs?action=new",
                        "<ActivityDescriptions>" + bare.repeat(3) + "</ActivityDescriptions>")
                .get("job");
        assertThat(jobs.get(0).get("status-code").asString()).isEqualTo("201");
        assertThat(jobs.get(1).get("reason").asString())
                .isEqualTo("The session directory cannot be made: It is full. Ask the site's administrator.");
        assertThat(jobs.get(2).get("status-code").asString()).isEqualTo("201");
        assertThat(json("GET", "/jobs", "").get("job").size()).isEqualTo(2);
    }

    @Test
    void noDirectoryStaysOfJobsThatCouldNotBeStored() throws Exception {
        refuseNewJobs();
        assertThat(ask("POST", "/jobs?action=new", SLEEP, "Content-Type", "application/xml")
                        .statusCode())
                .isNotEqualTo(201);
        assertThat(made).hasSize(1);
        assertThat(DiskFiles.names(sessions())).isEmpty();
    }
}
