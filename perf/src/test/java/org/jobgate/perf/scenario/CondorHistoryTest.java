// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CondorHistoryTest {

    private static final String TAG = "01a21510-c95a-7bf7-bef2-693df3f1cdda";

    @Test
    void whatEachJobUsedIsRead() throws IOException {
        assertThat(CondorHistory.read(TAG + " 1.0 2.5 7.0\nundefined 0.0 0.0 3.0\n\n", Set.of(TAG)))
                .containsOnly(java.util.Map.entry(TAG, new UsedByJob(TAG, 7_000, 3_500)));
    }

    @Test
    void aJobThatNeverRanSaysNothing() throws IOException {
        assertThat(CondorHistory.read(TAG + " undefined undefined undefined\n", Set.of(TAG)))
                .isEmpty();
    }

    @Test
    void aJobThatHtcondorHadTwiceIsFound() {
        assertThatIOException()
                .isThrownBy(() -> CondorHistory.read((TAG + " 1.0 2.5 7.0\n").repeat(2), Set.of(TAG)))
                .withMessageContaining(TAG + " twice");
    }

    /** Such a job has one line for each of its processes. */
    @Test
    void jobsOfOthersWithSeveralProcessesArePassedOver() throws IOException {
        String other = TAG.replace('0', '9');

        assertThat(CondorHistory.read((other + " 1.0 2.5 7.0\n").repeat(2) + TAG + " 1.0 2.5 7.0\n", Set.of(TAG)))
                .containsOnlyKeys(TAG);
    }
}
