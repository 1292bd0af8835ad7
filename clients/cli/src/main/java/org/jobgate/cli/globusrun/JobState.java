// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * What the service says of a job (facts/gram4.md section 1.7 and 3.1).
 *
 * @param state types:state as it stands on the wire
 * @param exitCode 0 where unknown
 * @param fault its sentences; empty for none
 */
record JobState(String state, boolean holding, int exitCode, String fault) {
    /** A new job; GT's service never tells of this state. */
    static final JobState SUBMITTED = new JobState("Unsubmitted", false, 0, "");

    private static final Set<String> TERMINAL = Set.of("Done", "Failed", "UserTerminateDone", "UserTerminateFailed");

    JobState {
        requireNonNull(state, "state is null");
        requireNonNull(fault, "fault is null");
    }

    /** From wsrp:GetMultipleResourcePropertiesResponse; parts may be missing and in any order. */
    static JobState of(XmlElement response) {
        String state = response.childText(Names.TYPES, "state");
        String holding = response.childText(Names.TYPES, "holding");
        XmlElement fault = response.child(Names.FAULTS, "fault");
        return new JobState(
                state == null ? "" : state,
                "true".equals(holding) || "1".equals(holding),
                exitCode(response.childText(Names.TYPES, "exitCode")),
                fault == null ? "" : sentences(fault));
    }

    private static int exitCode(@Nullable String text) {
        try {
            return text == null || text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // a service that sends no number tells no exit code
            return 0;
        }
    }

    /** The fault property is a choice: the typed fault stands inside it. */
    private static String sentences(XmlElement fault) {
        for (XmlElement typed : fault.children()) {
            String sentences = SoapFaultException.describe(typed);
            if (!sentences.isEmpty()) {
                return sentences;
            }
        }
        return SoapFaultException.describe(fault);
    }

    boolean isTerminal() {
        return TERMINAL.contains(state);
    }

    boolean isDone() {
        return state.equals("Done");
    }

    /** As the console shows it: {@code CleanUp-Hold} for a held one. */
    String shown() {
        return holding ? state + "-Hold" : state;
    }

    /** GT's line about it. */
    String line() {
        return "Current job state: " + shown();
    }

    /** The status of the process that followed the job to this end; says why where it failed. */
    int exitStatus(Console console) {
        if (isDone()) {
            return exitCode & 0xFF;
        }
        console.error("Job failed: " + (fault.isEmpty() ? "the service gives no reason." : fault));
        int code = exitCode & 0xFF;
        return code != 0 ? code : ExitStatus.JOB_FAILED.code();
    }

    /** A reason why a job does not go on, as a sentence of one line. */
    static String because(String reason) {
        return "What stands in its way: " + Sentence.of(reason.replaceAll("\\s+", " "));
    }

    boolean looksLike(JobState other) {
        return state.equals(other.state) && holding == other.holding;
    }
}
