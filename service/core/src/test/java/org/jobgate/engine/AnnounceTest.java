// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;

/** A door has a job looked at again by those who follow it. */
class AnnounceTest extends EngineTestBase {

    @Test
    void anAnnouncementIsOneChangeThatAltersNothingButTheVersion() {
        Job job = awaitState(submit(TRUE).id(), JobState.PENDING);
        int before = store.changesOf(job.id()).size();

        Job after = engine.announce(ALICE.subject(), job.id(), "all have come").orElseThrow();

        assertThat(after.version()).isEqualTo(job.version() + 1);
        assertThat(after.state()).isEqualTo(job.state());
        assertThat(store.changesOf(job.id())).hasSize(before + 1);
        assertThat(store.changesOf(job.id()).getLast().note()).isEqualTo("all have come");
    }

    @Test
    void aJobOfAnotherOrOneThatIsOverIsLeftAsItIs() {
        Job job = awaitState(submit(TRUE).id(), JobState.PENDING);
        assertThat(engine.announce(BOB.subject(), job.id(), "nothing")).isEmpty();
        lrm.end(job.id(), 0);
        Job over = awaitState(job.id(), JobState.DONE);

        engine.announce(ALICE.subject(), job.id(), "nothing");

        assertThat(store.find(job.id()).orElseThrow().version()).isEqualTo(over.version());
    }
}
