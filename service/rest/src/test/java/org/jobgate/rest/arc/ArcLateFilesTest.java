// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

/** Jobs whose files have a second to come. */
class ArcLateFilesTest extends ArcRoom {

    @Override
    Duration inputWait() {
        return Duration.ZERO;
    }

    @Test
    void aJobWhoseFilesDoNotComeIsEndedAndNamesTheFile() throws Exception {
        JobId id = submit(ArcSessionsTest.WITH_FILES);
        ask("PUT", ArcSessionsTest.session(id, "run.sh"), "x");
        Thread.sleep(1_100);
        restart();
        await().until(() -> state(id).equals("FAILED"));
        assertThat(act("info", id)
                        .get("info_document")
                        .get("ComputingActivity")
                        .get("Error")
                        .asString())
                .contains("data/in.txt did not come", "arc.inputWait");
    }
}
