// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern EXIT = Pattern.compile("it ended with the exit code ([0-9]{1,3})");
    private static final Pattern SIGNAL = Pattern.compile("\\((TERM|XCPU|QUIT|INT)\\)");

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
        return job.settledOutcome().map(JobOutcome::fault).map(fault -> text(job, fault));
    }

    private static String text(Job job, Fault fault) {
        return text(fault, job.state() == JobState.CANCELLED);
    }

    /** Each cause by itself: one that is added to the core has to find its words here. */
    static String text(Fault fault, boolean isCancelled) {
        return switch (fault.code()) {
            case EXECUTABLE_NOT_FOUND, EXECUTABLE_NOT_PERMITTED ->
                (fault.value() == null ? "the executable" : fault.value()) + " not found or unreadable: "
                        + fault.sentence();
            case DIRECTORY_NOT_FOUND, STDOUT_NOT_WRITABLE, STDERR_NOT_WRITABLE ->
                "Working directory not writable: " + fault.sentence();
            case STDIN_NOT_FOUND -> "Cannot move ISB (" + fault.sentence() + ")";
            case STAGING_FAILED -> staging(fault);
            case EXECUTION_FAILED -> prologue(fault);
            case KILLED_BY_SIGNAL -> signalled(fault);
            case WALL_TIME_EXCEEDED -> terminated("SIGTERM") + ": " + fault.sentence();
            case CREDENTIAL_UNUSABLE ->
                (fault.sentence().contains("expired") ? "proxy expired: " : "") + fault.sentence();
            case LRM_REFUSED -> "submission to BLAH failed: " + fault.sentence();
            case CANCELLED_BY_USER -> BY_USER;
            case CANCELLED_BY_ADMINISTRATOR -> BY_ADMINISTRATOR + ": " + fault.sentence();
            // CREAM has no words for these: the gateway's own say what failed, and what to do
            case INVALID_DESCRIPTION,
                    UNSUPPORTED_FEATURE,
                    KEY_REUSED,
                    UNKNOWN_LRM,
                    INVALID_TERMINATION_TIME,
                    WRONG_STATE,
                    CURSOR_EXPIRED,
                    NOT_AUTHORIZED,
                    NOT_NOW,
                    LIMIT_EXCEEDED,
                    MEMORY_EXCEEDED,
                    LIFETIME_EXPIRED,
                    LRM_UNAVAILABLE,
                    NODE_FAILED,
                    PREEMPTED,
                    LOST,
                    SHUTTING_DOWN,
                    STORE_UNAVAILABLE,
                    INTERNAL -> isCancelled ? fault.sentence() : whole(fault);
        };
    }

    /** The command before the program is CREAM's prologue; what else could not be executed has no word of CREAM's. */
    private static String prologue(Fault fault) {
        if (!"pre_command".equals(fault.attribute())) {
            return whole(fault);
        }
        Matcher code = EXIT.matcher(fault.sentence());
        return code.find()
                ? "Prologue failed with error " + code.group(1) + ": " + fault.sentence()
                : "Prologue failed: " + fault.sentence();
    }

    /** Those signals that CREAM's wrapper tells by name. */
    private static String signalled(Fault fault) {
        Matcher name = SIGNAL.matcher(fault.sentence());
        return name.find() ? terminated("SIG" + name.group(1)) + ": " + fault.sentence() : whole(fault);
    }

    private static String terminated(String signal) {
        return "Job has been terminated (got " + signal + ")";
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
