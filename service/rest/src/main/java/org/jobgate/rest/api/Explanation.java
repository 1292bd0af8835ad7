// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.Locale;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.PendingReason;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/** A job's life in sentences. */
final class Explanation {

    private Explanation() {}

    /** How the job stands, in one sentence. */
    static String summary(Job job) {
        JobOutcome outcome = job.outcome();
        Fault fault = outcome == null ? null : outcome.fault();
        if (job.state().isTerminal()) {
            return fault != null ? fault.sentence() : "It ran to its own end" + exit(outcome) + ".";
        }
        if (job.waitsForOthers()) {
            return "It has not begun: it waits for other jobs.";
        }
        if (job.isHeld()) {
            return "It is held at " + StateWord.of(job.state()) + ", as its owner asked.";
        }
        return "It is " + StateWord.of(job.state())
                + (fault == null ? "." : ", on its way to an end: " + fault.sentence());
    }

    private static String exit(@Nullable JobOutcome outcome) {
        if (outcome == null || outcome.exitCode() == null) {
            return "";
        }
        return outcome.signal() == null
                ? ", with the exit code " + outcome.exitCode()
                : ", by the signal " + outcome.signal();
    }

    /** What the job waits for; null where it is over. */
    static @Nullable String waitsFor(Job job) {
        if (job.state().isTerminal()) {
            return null;
        }
        PendingReason reason = job.pendingReason();
        if (job.isHeld()) {
            return "Its owner: POST " + ApiServlet.PATH + "/jobs/" + job.id() + "/release lets it go on.";
        }
        if (reason != null) {
            return reason.because() + " (since " + reason.since() + ")";
        }
        return switch (job.state()) {
            case UNSUBMITTED ->
                job.inputReady()
                        ? "A free worker that gives it to " + job.lrm() + "."
                        : "Its turn to fetch its input files.";
            case STAGE_IN -> "Its input files, which are being fetched.";
            case PENDING -> "A free place in " + job.lrm() + ".";
            case ACTIVE -> "Its own end: it runs.";
            case SUSPENDED -> job.lrm() + ", which holds it.";
            case STAGE_OUT -> "Its output files, which are being sent.";
            default -> "The removal of what it left behind.";
        };
    }

    /** One change as a sentence. */
    static String sentence(Change change) {
        StringBuilder said = new StringBuilder();
        JobState from = change.from();
        if (from == null) {
            said.append("It was accepted and stored");
        } else if (from == change.to()) {
            said.append("It stayed ").append(StateWord.of(change.to()));
        } else {
            said.append("It went from ")
                    .append(StateWord.of(from))
                    .append(" to ")
                    .append(StateWord.of(change.to()));
        }
        if (change.event() != null) {
            said.append(" (")
                    .append(change.event().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .append(')');
        }
        if (change.isHeld()) {
            said.append(", held");
        }
        said.append('.');
        String note = change.note();
        if (note != null && !note.isBlank()) {
            said.append(' ').append(note.strip());
            if (!note.strip().endsWith(".")) {
                said.append('.');
            }
        }
        return said.toString();
    }
}
