// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.SampleJobs;
import org.junit.jupiter.api.Test;

class FreshJobsTest {

    private final SampleJobs samples = new SampleJobs(3);
    private final FreshJobs fresh = new FreshJobs();

    private CreatedJob job(int length) {
        NewJob made = samples.newJob(SampleJobs.ALICE, "k");
        return new CreatedJob(made.job(), made.description(), made.records(), length);
    }

    @Test
    void aJobIsKeptUntilItIsOnRecord() {
        CreatedJob one = job(100);
        fresh.add(List.of(one));
        assertThat(fresh.find(one.job().id())).isSameAs(one);
        fresh.forget(one.job().id());
        assertThat(fresh.find(one.job().id())).isNull();
        fresh.forget(one.job().id());
    }

    @Test
    void noMoreThanSoManyAreKept() {
        for (int i = 0; i < FreshJobs.MOST; i++) {
            fresh.add(List.of(job(1)));
        }
        CreatedJob more = job(1);
        fresh.add(List.of(more));
        assertThat(fresh.find(more.job().id())).isNull();
    }

    @Test
    void itIsToldWhenHalfOfTheRoomIsTaken() {
        for (int i = 1; i < FreshJobs.MOST / 2; i++) {
            fresh.add(List.of(job(1)));
        }
        assertThat(fresh.isHalfFull()).isFalse();
        CreatedJob last = job(1);
        fresh.add(List.of(last));
        assertThat(fresh.isHalfFull()).as("by number").isTrue();
        fresh.forget(last.job().id());
        assertThat(fresh.isHalfFull()).isFalse();
        FreshJobs few = new FreshJobs();
        few.add(List.of(job((int) (FreshJobs.MOST_TEXT / 2))));
        assertThat(few.isHalfFull()).as("by its text").isTrue();
    }

    @Test
    void noMoreTextThanSoMuchIsKept() {
        CreatedJob large = job((int) FreshJobs.MOST_TEXT - 10);
        CreatedJob more = job(1_000);
        fresh.add(List.of(large, more));
        assertThat(fresh.find(large.job().id())).isSameAs(large);
        assertThat(fresh.find(more.job().id())).isNull();
        fresh.forget(large.job().id());
        fresh.add(List.of(more));
        assertThat(fresh.find(more.job().id())).isSameAs(more);
    }
}
