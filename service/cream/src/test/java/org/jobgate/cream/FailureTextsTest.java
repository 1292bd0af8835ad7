// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Why jobs fail, in the words that users of CREAM and their programs know (facts/cream.md, sections 3 and 7). */
class FailureTextsTest {

    private static String text(FaultCode code, String sentence) {
        return FailureTexts.text(Fault.of(code, sentence, "Do it."), false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXECUTABLE_NOT_FOUND|x|the executable not found or unreadable: x",
                "EXECUTABLE_NOT_PERMITTED|x|the executable not found or unreadable: x",
                "DIRECTORY_NOT_FOUND|x|Working directory not writable: x",
                "STDOUT_NOT_WRITABLE|x|Working directory not writable: x",
                "STDERR_NOT_WRITABLE|x|Working directory not writable: x",
                "STDIN_NOT_FOUND|x|Cannot move ISB (x)",
                "STAGING_FAILED|x|Cannot move ISB (x)",
                "EXECUTION_FAILED|x|x Do it.",
                "KILLED_BY_SIGNAL|killed by signal 15 (TERM).|Job has been terminated (got SIGTERM): killed by signal 15 (TERM).",
                "KILLED_BY_SIGNAL|killed by signal 24 (XCPU).|Job has been terminated (got SIGXCPU): killed by signal 24 (XCPU).",
                "KILLED_BY_SIGNAL|killed by signal 11 (SEGV).|killed by signal 11 (SEGV). Do it.",
                "WALL_TIME_EXCEEDED|x|Job has been terminated (got SIGTERM): x",
                "CREDENTIAL_UNUSABLE|It expired at noon.|proxy expired: It expired at noon.",
                "CREDENTIAL_UNUSABLE|x|x",
                "LRM_REFUSED|x|submission to BLAH failed: x",
                "CANCELLED_BY_USER|x|Cancelled by user",
                "CANCELLED_BY_ADMINISTRATOR|x|Cancelled by CE admin: x",
                "NODE_FAILED|x|x Do it.",
                "MEMORY_EXCEEDED|x|x Do it.",
                "LOST|x|x Do it.",
            })
    void causesThatCreamHasWordsForAreToldInThem(FaultCode code, String sentence, String told) {
        assertThat(text(code, sentence)).isEqualTo(told);
    }

    @Test
    void aPrologueThatFailsIsToldWithItsExitCode() {
        Fault exited = Fault.of(
                        FaultCode.EXECUTION_FAILED,
                        "The command that was to run before the job (/x) failed: it ended with the exit code 3.",
                        "")
                .about("pre_command", "/x");
        Fault killed = Fault.of(FaultCode.EXECUTION_FAILED, "It failed: it was ended by the signal 9.", "")
                .about("pre_command", "/x");

        assertThat(FailureTexts.text(exited, false)).startsWith("Prologue failed with error 3: ");
        assertThat(FailureTexts.text(killed, false)).startsWith("Prologue failed: ");
    }

    @Test
    void outputThatCannotBeSentNamesBothEnds() {
        Fault fault = Fault.of(FaultCode.STAGING_FAILED, "x", "")
                .about("fileStageOut", "file:///a")
                .to("gsiftp://h/a")
                .during(JobState.STAGE_OUT);

        assertThat(FailureTexts.text(fault, false)).isEqualTo("Cannot upload file:///a into gsiftp://h/a: x");
    }

    /** None is told without a reason. */
    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyCauseHasWords(FaultCode code) {
        assertThat(text(code, "the sentence")).isNotBlank();
        assertThat(FailureTexts.text(Fault.of(code, "the sentence", "Do it."), true))
                .as("of one that was cancelled")
                .isNotBlank();
    }

    @Test
    void outputThatWasCutIsNamed() {
        assertThat(FailureTexts.cut(List.of(noted("released"), noted(null)))).isEmpty();
        assertThat(FailureTexts.cut(List.of(
                        noted("OSB quota exceeded for a."), noted("other"), noted("OSB quota exceeded for b."))))
                .contains("OSB quota exceeded for a.; OSB quota exceeded for b.");
    }

    private static Change noted(@Nullable String note) {
        JobId job = new JobId(new UUID(1, 2));
        return new Change(1, job, "/CN=A", 1, Instant.EPOCH, null, null, JobState.STAGE_OUT, false, note);
    }
}
