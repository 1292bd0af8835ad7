// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ToldPermitsTest {

    private static final Decision.Permit ALICE = new Decision.Permit(List.of("alice"), "grid-mapfile permit");

    private final AtomicLong now = new AtomicLong();
    private final ToldPermits told = new ToldPermits(Duration.ofMinutes(1), now::get);

    @Test
    void theSameIsToldOnceAMinute() {
        assertThat(told.isNews("/CN=Alice", "tls", ALICE)).isTrue();
        now.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(told.isNews("/CN=Alice", "tls", ALICE)).isFalse();
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(told.isNews("/CN=Alice", "tls", ALICE)).isTrue();
    }

    @Test
    void whatChangesIsToldAtOnce() {
        assertThat(told.isNews("/CN=Alice", "tls", ALICE)).isTrue();
        assertThat(told.isNews("/CN=Bob", "tls", ALICE)).isTrue();
        assertThat(told.isNews("/CN=Alice", "token", ALICE)).isTrue();
        assertThat(told.isNews("/CN=Alice", "tls", new Decision.Permit(List.of("shared"), "grid-mapfile permit")))
                .isTrue();
        assertThat(told.isNews("/CN=Alice", "tls", new Decision.Permit(List.of("alice"), "a callout permits")))
                .isTrue();
    }

    /** What a crowd of subjects leaves in memory is bounded: the one told longest ago is told anew. */
    @Test
    void theOneToldLongestAgoIsForgottenFirst() {
        for (int i = 0; i <= 4_096; i++) {
            assertThat(told.isNews("/CN=" + i, "tls", ALICE)).isTrue();
        }
        assertThat(told.isNews("/CN=4096", "tls", ALICE)).isFalse();
        assertThat(told.isNews("/CN=0", "tls", ALICE)).isTrue();
    }
}
