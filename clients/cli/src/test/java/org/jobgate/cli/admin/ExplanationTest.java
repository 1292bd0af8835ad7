// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ExplanationTest {
    private static String explained(String json) {
        return String.join(
                "\n", Explanation.sentences(JsonMapper.builder().build().readTree(json)));
    }

    @Test
    void tellsTheLifeOfAFailedJobAndWhatToDo() {
        assertThat(explained("""
                {"id":"j1","subject":"/CN=A","account":"a","lrm":"Fork","state":"Failed","localIds":["7"],
                 "changes":[
                  {"at":"2026-11-20T10:00:00Z","to":"Unsubmitted","holding":false},
                  {"at":"2026-11-20T10:00:01Z","event":"LRM_STARTED","from":"Unsubmitted","to":"Active","holding":false},
                  {"at":"2026-11-20T10:00:02Z","event":"FAIL","from":"Active","to":"Failed","holding":false,"note":"no such file"}],
                 "exitCode":127,
                 "fault":{"code":"INVALID_PATH","sentence":"The executable does not exist","remedy":"Correct the path.",
                          "evidence":{"command":"exec /x","exitCode":127,"output":"not found"}}}""")).isEqualTo("""
                Job j1 of /CN=A runs as account a on Fork.
                The LRM knows it as 7.
                2026-11-20T10:00:00Z  It was accepted and stored.
                2026-11-20T10:00:01Z  It went from Unsubmitted to Active (lrm started).
                2026-11-20T10:00:02Z  It went from Active to Failed (fail). No such file.
                It ended: Failed, exit code 127.
                Why: The executable does not exist. [INVALID_PATH]
                Seen: exec /x ended with 127: not found
                What to do: Correct the path.""");
    }

    @Test
    void knowsWhichJobsAreOver() {
        assertThat(Explanation.isOver("Done")).isTrue();
        assertThat(Explanation.isOver("FAILED")).isTrue();
        assertThat(Explanation.isOver("STAGE_IN")).isFalse();
        assertThat(Explanation.isOver("CleanUp")).isFalse();
    }

    @Test
    void saysWhatALivingJobWaitsFor() {
        assertThat(explained("{\"id\":\"j\",\"state\":\"Pending\",\"changes\":[]}"))
                .contains("waits for a free place there");
        assertThat(explained("{\"id\":\"j\",\"state\":\"Unsubmitted\",\"holding\":false,\"waitsForOthers\":true,"
                        + "\"doubt\":{\"since\":\"t\",\"reason\":\"it waits for job k to end well\"}}"))
                .contains("It has not begun", "since t: It waits for job k to end well.")
                .doesNotContain("-release", "submit worker");
        assertThat(explained("{\"id\":\"j\",\"state\":\"CleanUp\",\"holding\":true}"))
                .contains("-release");
        assertThat(explained("{\"id\":\"j\",\"state\":\"Active\",\"doubt\":{\"since\":\"t\",\"reason\":\"no news\"}}"))
                .contains("What stands in its way, since t: No news.");
    }
}
