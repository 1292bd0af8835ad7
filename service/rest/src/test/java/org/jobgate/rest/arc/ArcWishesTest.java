// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a description asks for beside the job itself is done, is said to be left out, or is refused by its name. */
class ArcWishesTest extends ArcRoom {

    private static final String TRUE = "<Executable><Path>/bin/true</Path></Executable>";

    @Override
    RuntimeEnvironments environments() {
        return RuntimeEnvironments.of(Map.of(
                "APPS/BIO-NEW/X-2.16-rc1",
                new RuntimeEnvironments.Setup(List.of(), List.of("/opt/x/setup")),
                "Y",
                new RuntimeEnvironments.Setup(List.of(new EnvironmentVariable("Y", "z")), List.of())));
    }

    /** ARC's commands send a job that asks for an environment only to where the service says that it has it. */
    @Test
    void theServiceTellsTheRuntimeEnvironmentsOfEachLrm() throws Exception {
        assertThat(environmentsOf(0)).containsExactly("ENV/PROXY ", "APPS/BIO-NEW/X 2.16-rc1", "Y ");
        lrm.setCapabilities(new LrmCapabilities("fork", List.of(), Set.of(), Set.of(), Set.of(), null));
        assertThat(environmentsOf(0))
                .as("of one that runs no program before a job")
                .containsExactly("ENV/PROXY ", "Y ");
        assertThat(environmentsOf(1)).containsExactly("ENV/PROXY ", "APPS/BIO-NEW/X 2.16-rc1", "Y ");
    }

    private List<String> environmentsOf(int lrm) throws Exception {
        JsonNode all = json("GET", "/info", "")
                .findValue("ComputingManager")
                .get(lrm)
                .get("ApplicationEnvironments")
                .get("ApplicationEnvironment");
        return all.valueStream()
                .map(one -> one.get("AppName").asString() + " "
                        + one.get("AppVersion").asString())
                .toList();
    }

    private JsonNode activity(JobId id) throws Exception {
        return act("info", id).get("info_document").get("ComputingActivity");
    }

    @Test
    void aJobWithAWipeTimeIsForgottenThatLongAfterItsEndWithItsFiles() throws Exception {
        JobId wiped = submit(adl(TRUE + "<WipeTime>1</WipeTime>", ""));
        JobId kept = submit(adl(TRUE, ""));
        for (JobId id : new JobId[] {wiped, kept}) {
            await().until(() -> lrm.knows(id));
            lrm.start(id);
            lrm.end(id, 0);
        }
        await().until(() -> state(kept).equals("FINISHED"));
        await().atMost(Duration.ofMinutes(1)).until(() -> state(wiped).equals("None"));
        // the sweep finds the directory when it looks through all sessions, as after a start
        restart();
        await().until(() -> DiskFiles.names(sessions()).equals(List.of(kept.toString())));
        assertThat(state(kept)).isEqualTo("FINISHED");
    }

    @Test
    void whereTheSiteSendsNoMailTheJobSaysSo() throws Exception {
        JobId id = submit(adl(
                TRUE
                        + "<Notification><Protocol>email</Protocol><Recipient>a@b.example</Recipient><OnState>TERMINAL</OnState></Notification>",
                ""));
        assertThat(activity(id).get("OtherMessages").asString()).contains("Notification", "no mail");
    }

    @Test
    void aRuntimeEnvironmentThatTheSiteDoesNotHaveIsRefusedByItsNameUnlessItIsOptional() throws Exception {
        String text = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application>" + TRUE
                + "</Application><Resources><RuntimeEnvironment%s><Name>APPS/BLAST</Name></RuntimeEnvironment></Resources></ActivityDescription>";
        JsonNode refused =
                json("POST", "/jobs?action=new", text.formatted("")).get("job").get(0);
        assertThat(refused.get("status-code").asString()).isEqualTo("400");
        assertThat(refused.get("reason").asString()).contains("APPS/BLAST");
        JobId id = submit(text.formatted(" optional=\"true\""));
        assertThat(activity(id).get("OtherMessages").asString()).contains("APPS/BLAST");
    }
}
