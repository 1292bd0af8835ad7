// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an account says of its jobs, where it says more than it may. */
class LrmMessagesTest {

    private static final String LONG = "x".repeat(100_000);
    private static final long FAR = 999_999_999_999_999_999L;
    private static final String TAG = "01a21510-c95a-7bf7-bef2-693df3f1cdd9";

    private static WireValue value(Map<String, ?> fields) throws WireException {
        return Wire.decode(Wire.encode(fields));
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED_BY_ADMINISTRATOR, LRM_REFUSED",
        "LIFETIME_EXPIRED, LRM_REFUSED",
        "STAGING_FAILED, LRM_REFUSED",
        "NO_SUCH_CODE, LRM_REFUSED",
        "EXECUTABLE_NOT_FOUND, EXECUTABLE_NOT_FOUND"
    })
    void onlyTheGatewayTellsWhatItDid(String said, FaultCode understood) throws WireException {
        WireValue answer =
                value(Map.of("refused", Map.of("fault", said, "sentence", "Pay\u001b at x.", "remedy", LONG)));
        Fault fault = assertInstanceOf(SubmitResult.Refused.class, LrmMessages.submitResult("alice", answer))
                .fault();
        assertThat(fault.code()).isEqualTo(understood);
        assertThat(fault.sentence()).isEqualTo("Pay at x (told by the account alice).");
        assertThat(fault.remedy()).hasSizeLessThanOrEqualTo(500);
    }

    @Test
    void reasonsAreBoundedAndMarked() throws WireException {
        SubmitResult unclear = LrmMessages.submitResult("alice", value(Map.of("unclear", LONG)));
        assertThat(assertInstanceOf(SubmitResult.Unclear.class, unclear).because())
                .hasSizeLessThan(600)
                .endsWith("(told by the account alice)");
        CancelResult cancel = LrmMessages.cancelResult("alice", value(Map.of("other", LONG)));
        assertThat(assertInstanceOf(CancelResult.Unclear.class, cancel).because())
                .hasSizeLessThan(600);
    }

    @Test
    void whatAJobUsedIsBounded() throws WireException {
        Map<String, Object> end = new java.util.HashMap<>(Map.of(
                "tag",
                TAG,
                "is",
                "ended",
                "at",
                1,
                "ids",
                List.of("1"),
                "cause",
                "EXITED",
                "exit",
                0,
                "hosts",
                LONG + ",\u001bn\u00fc,,a"));
        end.put("wall", FAR);
        end.putAll(Map.of(
                "user_cpu", -5, "system_cpu", FAR, "peak_memory", FAR, "slots", -7, "queue", LONG, "measured", "job"));
        LrmEvent.End told =
                LrmMessages.events("alice", List.of(value(end))).getFirst().end();
        ResourceUse used = requireNonNull(requireNonNull(told).used());
        assertThat(told.wallTime()).isEqualTo(ResourceUse.MAX_TIME);
        assertThat(used.userCpu()).isEqualTo(Duration.ZERO);
        assertThat(used.systemCpu()).isEqualTo(ResourceUse.MAX_TIME);
        assertThat(used.cpu()).isEqualTo(ResourceUse.MAX_TIME);
        assertThat(used.peakMemoryKiB()).isEqualTo(ResourceUse.MAX_MEMORY_KIB);
        assertThat(used.slots()).isZero();
        assertThat(used.queue()).hasSizeLessThanOrEqualTo(ResourceUse.MAX_NAME);
        assertThat(used.hosts()).allSatisfy(host -> assertThat(host).hasSizeLessThanOrEqualTo(ResourceUse.MAX_NAME));
        assertThat(used.measuredBy()).isEqualTo(ResourceUse.Source.JOB);
    }

    @Test
    void anAccountIsBelievedOnlyOfTheJobsThatItWasAskedFor() throws WireException {
        JobId asked = JobId.parse(TAG);
        WireValue answer = value(Map.of(
                "used",
                List.of(
                        Map.of("tag", TAG, "cpu", 7, "wall", 9),
                        Map.of("tag", "01a21510-c95a-7bf7-bef2-693df3f1cdda", "cpu", 1),
                        "odd")));
        assertThat(LrmMessages.uses((WireValue.Fields) answer, List.of(new Lrm.LrmJob(asked, List.of()))))
                .containsOnlyKeys(asked)
                .hasEntrySatisfying(asked, use -> assertThat(use.used().cpu()).isEqualTo(Duration.ofMillis(7)));
    }

    @Test
    void idsAreBoundedInNumberAndLength() throws WireException {
        List<String> ids = java.util.Collections.nCopies(20_000, "1\n2" + LONG);
        SubmitResult accepted = LrmMessages.submitResult("alice", value(Map.of("ids", ids.subList(0, 3))));
        assertThat(assertInstanceOf(SubmitResult.Accepted.class, accepted).localIds())
                .hasSize(3)
                .allSatisfy(id -> assertThat(id).hasSizeLessThanOrEqualTo(1024).startsWith("1 2"));
        assertThat(LrmMessages.submitResult("alice", value(Map.of("ids", List.of()))))
                .isInstanceOf(SubmitResult.Unclear.class);
    }
}
