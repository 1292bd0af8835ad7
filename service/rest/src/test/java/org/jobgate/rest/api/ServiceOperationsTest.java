// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jobgate.authz.Decision;
import org.jobgate.job.JobType;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;

/** What the service says of itself and of the caller. */
class ServiceOperationsTest extends ApiRoom {

    @Test
    void callersLearnWhoTheyAreAndWhatThePolicyDecided() throws Exception {
        Answer alice = get(ALICE, "/whoami").is(200);
        assertThat(alice.at("/subject")).isEqualTo(ALICE);
        assertThat(alice.json().get("maySubmit").asBoolean()).isTrue();
        assertThat(alice.json().get("accounts").toString()).isEqualTo("[\"alice\",\"project\"]");
        Answer mallory = get("/O=Grid/CN=Mallory", "/whoami").is(200);
        assertThat(mallory.json().get("maySubmit").asBoolean()).isFalse();
        assertThat(mallory.at("/reason")).isEqualTo("nobody knows /O=Grid/CN=Mallory");
        assertThat(mallory.json().get("accounts").isEmpty()).isTrue();
        decisions.put(BOB, new Decision.Indeterminate("the server of the policy does not answer"));
        assertThat(get(BOB, "/whoami").is(200).at("/reason")).contains("does not answer");
        Answer limited = get(ALICE, "/whoami", "Limited", "1").is(200);
        assertThat(limited.json().get("limited").asBoolean()).isTrue();
        assertThat(limited.json().get("maySubmit").asBoolean()).isFalse();
        send(request("/whoami")).isProblem(401, "NOT_AUTHENTICATED");
    }

    @Test
    void theLrmsAreToldWithWhatJobsAreRefusedBy() throws Exception {
        LrmCapabilities.Queue queue = new LrmCapabilities.Queue(
                "long", false, true, 64L, 8L, 5L, 2L, 10L, Duration.ofHours(2), 32L, "up", "x86_64", 64_000L);
        other.setCapabilities(new LrmCapabilities(
                "slurm", List.of(queue), Set.of(JobType.MPI, JobType.SINGLE), Instant.parse("2030-01-01T00:00:00Z")));
        Answer all = get(ALICE, "/lrms").is(200);
        assertThat(all.at("/lrms/0/name")).isEqualTo("Fork");
        assertThat(all.json().at("/lrms/0/default").asBoolean()).isTrue();
        Answer one = get(ALICE, "/lrms/Slurm").is(200);
        assertThat(one.json()).isEqualTo(all.json().at("/lrms/1"));
        assertThat(one.at("/queues/0/name")).isEqualTo("long");
        assertThat(one.json().at("/queues/0/maxWallTimeSeconds").asInt()).isEqualTo(7_200);
        assertThat(one.json().get("jobTypes").toString()).isEqualTo("[\"mpi\",\"single\"]");
        assertThat(one.at("/freshUntil")).isEqualTo("2030-01-01T00:00:00Z");
        get(ALICE, "/lrms/PBS").isProblem(404, "UNKNOWN_LRM");
    }

    @Test
    void theVersionIsToldToCallersWithANameOnly() throws Exception {
        Answer anonymous = send(request("/info")).is(200);
        assertThat(anonymous.at("/service")).isEqualTo("Jobgate");
        assertThat(anonymous.json().has("version")).isFalse();
        assertThat(get(ALICE, "/info").at("/version")).isEqualTo("1.2.3");
        send(request("/openapi.json")).is(200);
    }
}
