// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;

class OwnersTurnsTest {

    private static final String ALICE = "/O=Grid/CN=Alice";
    private static final String BOB = "/O=Grid/CN=Bob";

    private final OwnersTurns turns = new OwnersTurns();

    private static List<JobId> jobs(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new JobId(new UUID(i, i)))
                .toList();
    }

    @Test
    void anOwnerWithManyJobsKeepsNobodyWaiting() {
        turns.add(ALICE, jobs(0, 1000), 0);
        turns.add(BOB, jobs(1000, 1001), 0);
        assertThat(turns.take(3, 0)).isEqualTo(Map.of(ALICE, jobs(0, 3), BOB, jobs(1000, 1001)));
        assertThat(turns.take(3, 0)).isEqualTo(Map.of(ALICE, jobs(3, 6)));
    }

    @Test
    void aJobIsTakenWhenItsTimeHasComeAndOnceHoweverOftenItWasAdded() {
        turns.add(ALICE, jobs(0, 1), 10);
        turns.add(ALICE, jobs(0, 1), 5);
        assertThat(turns.take(3, 9)).isEmpty();
        assertThat(turns.take(3, 10)).isEqualTo(Map.of(ALICE, jobs(0, 1)));
        assertThat(turns.take(3, 10)).isEmpty();
        turns.add(ALICE, List.of(), 0);
        assertThat(turns.take(3, 10)).isEmpty();
    }
}
