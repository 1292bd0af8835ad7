// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jobgate.access.SenderRecord;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.LrmUse;
import org.jobgate.store.Change;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A row is made of what an entry says before it is written: it must be what whoever reads the entry makes of it. */
class AuditRowTest {

    private static final Change CHANGE = new Change(
            7,
            new JobId(UUID.randomUUID()),
            "/CN=Zo\u00eb",
            1,
            Instant.ofEpochMilli(1_764_200_000_123L),
            JobEvent.LRM_ACCEPTED,
            JobState.UNSUBMITTED,
            JobState.PENDING,
            false,
            null);

    static Stream<AuditRow.Said> entries() {
        SenderRecord sender = new SenderRecord(
                "token", "https://issuer", List.of("/vo/group", "/vo"), List.of("compute.create"), "because \"so\"");
        ResourceUse used = new ResourceUse(
                Duration.ofMillis(5),
                null,
                Duration.ofSeconds(3),
                1L << 40,
                8,
                List.of("a", "b"),
                "long",
                ResourceUse.Source.LRM);
        return Stream.of(
                AuditRow.created(
                        CHANGE,
                        null,
                        "<job>\u00e9\u2028\ud83d\ude00\t\\\"\u0007\ud800</job>",
                        sender,
                        "https://h",
                        "1"),
                AuditRow.created(CHANGE, null, null, null, "https://h", "1"),
                AuditRow.queued(CHANGE, null),
                AuditRow.ended(CHANGE, null, Map.of(JobState.STAGE_IN, 5L), new Moved(1, 1L << 50, 0, 2, 3, 4)),
                AuditRow.used(new LrmUse(used, Duration.ofHours(1))),
                AuditRow.carried(Map.of("subject", "/CN=a", "slots", 3L, "ended", 1L << 41)),
                AuditRow.act("/CN=admin", "drain"),
                AuditRow.purged(12, "0a", 3));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void whatIsSaidIsWhatTheWrittenEntrySays(AuditRow.Said said) {
        assertThat(wide(said.values()))
                .isEqualTo(wide(AuditRow.Said.of(said.body()).values()))
                .isNotEmpty();
        assertThat(said.values().keySet())
                .as("in the order in which it is written")
                .containsExactlyElementsOf(
                        AuditRow.Said.of(said.body()).values().keySet());
    }

    /** Whole numbers as the database has them. */
    private static Map<String, Object> wide(Map<String, Object> values) {
        Map<String, Object> wide = new HashMap<>(values);
        wide.replaceAll((name, value) -> value instanceof Number number ? Long.valueOf(number.longValue()) : value);
        return wide;
    }
}
