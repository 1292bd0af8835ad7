// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.store.Change;

/** Why a job failed, in the words that CREAM's users and their programs know where it has such words (facts/cream.md section 7). */
final class FailureTexts {

    static final String BY_USER = "Cancelled by user";
    static final String BY_ADMINISTRATOR = "Cancelled by CE admin";
    static final String BY_LEASE = "Job cancelled by Lease Manager!";

    /** How the core's history begins to say that an output file was cut. */
    private static final String CUT = "OSB quota exceeded for ";

    private FailureTexts() {}

    /** Which output files were cut, in order; empty where none was. */
    static Optional<String> cut(List<Change> history) {
        String all = history.stream()
                .map(Change::note)
                .filter(note -> note != null && note.startsWith(CUT))
                .collect(Collectors.joining("; "));
        return Optional.of(all).filter(text -> !text.isEmpty());
    }

    /** Why it failed or was cancelled; empty for a job that ran to its own end, or is not over. */
    static Optional<String> reason(Job job) {
        return job.settledEnding().map(JobOutcome::fault).map(fault -> text(job, fault));
    }

    private static String text(Job job, Fault fault) {
        return switch (fault.code()) {
            case EXECUTABLE_NOT_FOUND, EXECUTABLE_NOT_PERMITTED ->
                (fault.value() == null ? "the executable" : fault.value()) + " not found or unreadable: "
                        + fault.sentence();
            case STAGING_FAILED -> staging(fault);
            case CANCELLED_BY_USER -> BY_USER;
            case CANCELLED_BY_ADMINISTRATOR -> BY_ADMINISTRATOR + ": " + fault.sentence();
            default -> job.state() == JobState.CANCELLED ? fault.sentence() : whole(fault);
        };
    }

    private static String staging(Fault fault) {
        boolean isOutput = fault.during() == JobState.STAGE_OUT && fault.value() != null && fault.destination() != null;
        return isOutput
                ? "Cannot upload " + fault.value() + " into " + fault.destination() + ": " + fault.sentence()
                : "Cannot move ISB (" + fault.sentence() + ")";
    }

    private static String whole(Fault fault) {
        return (fault.sentence() + " " + fault.remedy()).strip();
    }
}
