// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Cleaned jobs whose time is over in a second. */
class ArcCleanedLaterTest extends ArcRoom {

    private static final List<String> KEYS = List.of("pool#4.0", "pool#4.1");

    @Override
    Duration keepCleaned() {
        return Duration.ofSeconds(1);
    }

    @Test
    void whenItsTimeIsOverItIsForgottenWithItsFilesAndIsNotRunAgain() throws Exception {
        for (String key : KEYS) {
            String ready = adl(
                    "<Executable><Path>/bin/true</Path></Executable><Environment><Name>GRAM_CLIENT_KEY</Name><Value>"
                            + key + "</Value></Environment>",
                    "");
            JobId id = submit(ready);
            await().until(() -> lrm.knows(id));
            lrm.start(id);
            lrm.end(id, 3);
            await().until(() -> state(id).equals("FAILED"));
            assertThat(submit(ready)).as("as long as it is there").isEqualTo(id);
            assertThat(act("clean", id).get("status-code").asString()).isEqualTo("202");
            if (key.equals(KEYS.getLast())) {
                restart();
            }
            await().until(() -> state(id).equals("None"));
            JsonNode answer = json("POST", "/jobs?action=new", ready).get("job").get(0);
            assertThat(answer.get("status-code").asString()).isEqualTo("409");
            assertThat(answer.get("reason").asString()).contains(id.toString(), "not run a second time", "condor_rm");
            await().untilAsserted(() -> assertThat(DiskFiles.names(sessions())).isEmpty());
        }
    }
}
