// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LrmEventTest {

    private static @Nullable String noteOf(String said) {
        JobId tag = JobId.create(Clock.systemUTC(), new SecureRandom());
        return new LrmEvent(tag, List.of("1"), LrmEvent.Kind.SUSPENDED, Instant.now(), null, said).note();
    }

    @Test
    void aNoteIsOneReadableLine() {
        assertThat(noteOf(" no\tspace\u001b[2J left\r\non\u2028 /home\u202e ")).isEqualTo("no space [2J left on /home");
        assertThat(noteOf("\u0000 \n")).isNull();
    }

    @Test
    void aNoteIsBoundedAndEndsWithAWholeCharacter() {
        String note = noteOf("\uD83D\uDE00".repeat(10_000));
        assertThat(note).endsWith("\uD83D\uDE00...").hasSizeLessThanOrEqualTo(2 * LrmEvent.MAX_NOTE);
        assertThat(noteOf("x".repeat(LrmEvent.MAX_NOTE))).hasSize(LrmEvent.MAX_NOTE);
        assertThat(noteOf("x".repeat(LrmEvent.MAX_NOTE + 1))).hasSize(LrmEvent.MAX_NOTE);
    }
}
