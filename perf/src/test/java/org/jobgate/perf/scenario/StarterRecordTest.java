// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StarterRecordTest {

    private static final String TAG = "01a21510-c95a-7bf7-bef2-693df3f1cdda";

    @Test
    void anEndIsRead() {
        assertThat(
                        StarterRecord.read(
                                "001;1795573206;" + TAG + ":77;8;3;is=ended;tag=" + TAG
                                        + ";at=1795573206123;cause=EXITED;exit=3;wall=1250;user_cpu=900;system_cpu=75;peak_memory=10240;slots=1;hosts=vm"))
                .contains(new UsedByJob(TAG, 1250, 975));
    }

    @Test
    void whatIsNoEndSaysNothing() {
        assertThat(StarterRecord.read("001;1795573206;" + TAG + ";1;0;is=queued;tag=" + TAG + ";at=1"))
                .isEmpty();
        assertThat(StarterRecord.read("900;1795573206;forgot;" + TAG)).isEmpty();
        assertThat(StarterRecord.read("001;1;" + TAG + ";4;0;is=ended;tag=" + TAG + ";at=1;cause=CANCELLED"))
                .isEmpty();
    }
}
