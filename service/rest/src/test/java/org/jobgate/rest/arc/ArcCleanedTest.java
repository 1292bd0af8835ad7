// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.authz.Action;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * HTCondor is killed when it has cleaned a job and has not taken it off its queue, or does not know yet that a job is over which its user holds
 * and releases. What it asks then was traced with HTCondor 23.9.6.
 */
class ArcCleanedTest extends ArcRoom {

    private static final String JOB = adl(
            "<Executable><Path>run.sh</Path></Executable><Output>out</Output>"
                    + "<Environment><Name>GRAM_CLIENT_KEY</Name><Value>pool#3.0</Value></Environment>",
            "<InputFile><Name>run.sh</Name></InputFile>");

    /** Runs the job to its end, with the output {@code done}. */
    private JobId ended(String description) throws Exception {
        JobId id = submit(description);
        assertThat(put(id, "#!/bin/sh\n")).isEqualTo(200);
        await().until(() -> lrm.knows(id));
        lrm.start(id);
        Files.writeString(directory().resolve("out"), "done");
        lrm.end(id, 3);
        await().until(() -> state(id).equals("FAILED"));
        return id;
    }

    private int put(JobId id, String text) throws Exception {
        return ask("PUT", "/jobs/" + id + "/session/run.sh", text).statusCode();
    }

    private Path directory() throws IOException {
        return sessions().resolve(DiskFiles.names(sessions()).getFirst());
    }

    private JobId cleaned(String description) throws Exception {
        JobId id = ended(description);
        assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
        return id;
    }

    private JsonNode activity(JobId id) throws Exception {
        return act("info", id).get("info_document").get("ComputingActivity");
    }

    @Test
    void itTellsItsEndAndItsOutputOnceMoreAlsoAfterARestartOfTheService() throws Exception {
        JobId id = cleaned(JOB);
        for (boolean isRestarted : new boolean[] {false, true}) {
            if (isRestarted) {
                restart();
            }
            assertThat(state(id)).isEqualTo("WIPED");
            assertThat(activity(id).get("ExitCode").asString()).isEqualTo("3");
            assertThat(activity(id).get("State").toString()).contains("\"arcrest:WIPED\"");
            assertThat(ask("GET", "/jobs/" + id + "/session/out", "").body()).isEqualTo("done");
            assertThat(act("kill", id).get("status-code").asString()).isEqualTo("202");
            assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
        }
    }

    @Test
    void itIsNotRestarted() throws Exception {
        JobId id = cleaned(JOB);
        assertThat(act("restart", id).get("status-code").asString()).isEqualTo("404");
        assertThat(lrm.taken()).isEqualTo(1);
    }

    @Test
    void itIsInNoListOfJobs() throws Exception {
        JobId id = ended(JOB);
        assertThat(json("GET", "/jobs", "").toString()).contains(id.toString());
        act("clean", id);
        assertThat(json("GET", "/jobs", "").get("job")).isEmpty();
        assertThat(json("GET", "/jobs?state=FAILED,WIPED", "").get("job")).isEmpty();
    }

    @Test
    void submittedByItsKeyAgainItIsThereAsItWasAndDoesNotRun() throws Exception {
        JobId id = cleaned(JOB);
        assertThat(submit(JOB)).isEqualTo(id);
        assertThat(put(id, "something else")).as("its input").isEqualTo(200);
        assertThat(directory().resolve("run.sh")).hasContent("#!/bin/sh\n");
        assertThat(ask("PUT", "/jobs/" + id + "/session/other", "x").statusCode())
                .isEqualTo(409);
        assertThat(state(id)).isEqualTo("FAILED");
        assertThat(json("GET", "/jobs", "").toString()).contains(id.toString());
        assertThat(activity(id).get("ExitCode").asString()).isEqualTo("3");
        restart();
        assertThat(state(id)).isEqualTo("FAILED");
    }

    @Test
    void whatIsSentAgainIsBoundedAsEveryFile() throws Exception {
        JobId id = cleaned(JOB);
        assertThat(put(id, "x".repeat(1_000_001))).isEqualTo(413);
    }

    @Test
    void itIsNobodyElsesAndIsCleanedByNobodyWhoMayNot() throws Exception {
        JobId id = ended(JOB);
        String path = "/1.1/jobs?action=";
        assertThat(askAs(BOB, "POST", path + "clean", ids(id), "Content-Type", "application/json")
                        .body())
                .contains("404");
        forbidden.add(Action.MANAGE);
        assertThat(ask("POST", "/jobs?action=clean", ids(id), "Content-Type", "application/json")
                        .statusCode())
                .isEqualTo(403);
        forbidden.clear();
        assertThat(state(id)).isEqualTo("FAILED");
        act("clean", id);
        assertThat(askAs(BOB, "POST", path + "info", ids(id), "Content-Type", "application/json")
                        .body())
                .contains("404")
                .doesNotContain("ExitCode");
    }

    @Test
    void aJobWithoutAKeyAndOneThatHasNotRunGoAtOnce() throws Exception {
        String unkeyed = JOB.replaceAll("<Environment>.*</Environment>", "");
        JobId id = cleaned(unkeyed);
        assertThat(state(id)).isEqualTo("None");
        JobId waits = submit(JOB);
        act("clean", waits);
        await().until(() -> state(waits).equals("None"));
        await().untilAsserted(() -> assertThat(DiskFiles.names(sessions())).isEmpty());
    }

    @Test
    void oneThatASignalEndedHasRun() throws Exception {
        JobId id = brokenOff(LrmEvent.Cause.SIGNALLED, 9);
        assertThat(activity(id).get("ExitCode").asString()).isEqualTo("137");
        act("clean", id);
        assertThat(submit(JOB)).isEqualTo(id);
    }

    /** Slurm has the exit code 0 of most of them. */
    @ParameterizedTest
    @EnumSource(
            value = LrmEvent.Cause.class,
            names = {"NOT_STARTED", "WALL_TIME", "MEMORY", "NODE_FAILED", "PREEMPTED"})
    void oneThatItsLrmBrokeOffHasNoExitCodeGoesAtOnceAndIsFollowedByANewOne(LrmEvent.Cause cause) throws Exception {
        JobId id = brokenOff(cause, null);
        assertThat(activity(id).has("ExitCode")).isFalse();
        assertThat(activity(id).get("Error").asString()).isNotEmpty();
        assertThat(ask("GET", "/jobs/" + id + "/diagnose/diag", "").body()).contains("exitcode=0");
        act("clean", id);
        await().until(() -> state(id).equals("None"));
        assertThat(submit(JOB)).isNotEqualTo(id);
    }

    private JobId brokenOff(LrmEvent.Cause cause, @Nullable Integer signal) throws Exception {
        JobId id = submit(JOB);
        put(id, "#!/bin/sh\n");
        await().until(() -> lrm.knows(id));
        lrm.start(id);
        lrm.end(id, new LrmEvent.End(cause, 0, signal, null, null, null));
        await().until(() -> state(id).equals("FAILED"));
        return id;
    }

    /** It has an exit code, that of the signal, and nobody asks for it once more. */
    @Test
    void oneThatWasCancelledWhileItRanGoesAtOnceAndIsFollowedByANewOne() throws Exception {
        JobId id = submit(JOB);
        put(id, "#!/bin/sh\n");
        await().until(() -> lrm.knows(id));
        lrm.start(id);
        act("kill", id);
        lrm.end(id, new LrmEvent.End(LrmEvent.Cause.CANCELLED, 143, 15, null, null, null));
        await().until(() -> state(id).equals("KILLED"));
        act("clean", id);
        await().until(() -> state(id).equals("None"));
        assertThat(submit(JOB)).isNotEqualTo(id);
    }
}
