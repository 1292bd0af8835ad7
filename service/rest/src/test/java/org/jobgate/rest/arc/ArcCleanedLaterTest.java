// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.job.Job;
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

    /** Its owner may be banned by then, and for ever: of what the store has forgotten nothing is left to destroy. */
    @Test
    void oneThatIsForgottenMeanwhileIsNotTriedForEver() throws Exception {
        JobId id = submit(SLEEP);
        await().until(() -> lrm.knows(id));
        lrm.start(id);
        lrm.end(id, 0);
        await().until(() -> state(id).equals("FINISHED"));
        Job job = engine.find(id).orElseThrow();

        CleanedJobs there = banning();
        there.addAll(ALICE, List.of(job));
        assertThat(there.endDue().get(ALICE)).isEmpty();
        assertThat(there.count()).as("its owner may be let in again").isEqualTo(1);

        CleanedJobs forgotten = banning();
        forgotten.addAll(ALICE, List.of(job));
        store.deleteRecord(CleanedJobs.RECORDS, id.toString()).join();
        assertThat(forgotten.endDue().get(ALICE)).isEmpty();
        assertThat(forgotten.count()).isZero();
    }

    /** At once, at a site that lets nobody change jobs. */
    private CleanedJobs banning() {
        Authorizer nobody = new Authorizer() {
            @Override
            public Decision decide(Identity identity) {
                return new Decision.Deny("banned", null);
            }

            @Override
            public Optional<Decision.Deny> objection(Identity identity, Action action) {
                return Optional.of(new Decision.Deny("banned", null));
            }
        };
        return new CleanedJobs(new Access(nobody), new Jobs(engine), store, Duration.ZERO, 10, Clock.systemUTC());
    }
}
