// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JobRecordTest {

    private static final String JOB = """
            {"id":"i","clientId":"uuid:k","state":"%s","holding":false,"created":"2026-11-20T10:00:00Z",
             "changed":"2026-11-20T10:00:00.025Z","changes":[
              {"sequence":1,"at":"2026-11-20T10:00:00Z","to":"UNSUBMITTED"},
              {"sequence":2,"at":"2026-11-20T10:00:00.010Z","to":"ACTIVE"},
              {"sequence":3,"at":"2026-11-20T10:00:00.012Z","to":"ACTIVE"},
              {"sequence":4,"at":"2026-11-20T10:00:00.025Z","to":"%s"},
              {"sequence":5,"at":"2026-11-20T10:00:09Z","to":"%2$s","note":"its owner wants no more of it"}]}""";

    @Test
    void lifeIsFromCreationToTheLastState() {
        JobRecord job = read("DONE", "DONE");

        assertThat(job.life()).contains(Duration.ofMillis(25));
        assertThat(job.states()).containsExactly("UNSUBMITTED", "ACTIVE", "DONE");
        assertThat(job.isOver()).isTrue();
    }

    @Test
    void bothSpellingsOfAStateAreTheSame() {
        assertThat(read("StageOut", "StageOut").state()).isEqualTo("STAGE_OUT");
        assertThat(read("Done", "Done").isOver()).isTrue();
    }

    @Test
    void aJobIsHitByAKillWithinItsLife() {
        JobRecord job = read("DONE", "DONE");

        assertThat(job.livedAt(Instant.parse("2026-11-20T10:00:00.020Z"))).isTrue();
        assertThat(job.livedAt(Instant.parse("2026-11-20T10:00:00.030Z"))).isFalse();
        assertThat(job.livedAt(Instant.parse("2026-11-20T09:59:59Z"))).isFalse();
    }

    private static JobRecord read(String state, String last) {
        return JobRecord.of(JsonMapper.builder().build().readTree(JOB.formatted(state, last)));
    }
}
