// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A job's life as sentences, from its record and its changes. */
final class Explanation {
    /** What a job in a state is waiting for, by the state's letters alone: the socket may say STAGE_IN or StageIn. */
    private static final Map<String, String> WAITS = Map.of(
            "unsubmitted", "It waits for a free submit worker, or is being given to the LRM just now.",
            "stagein", "Its input files are being fetched.",
            "pending", "The LRM has it and has not started it yet: it waits for a free place there.",
            "active", "It runs.",
            "suspended", "The LRM holds it; it will not go on by itself. Ask the LRM's administrator why.",
            "stageout", "It has ended; its output files are being sent.",
            "cleanup", "It has ended; what it left behind is being removed.");

    private final JsonNode job;
    private final List<String> lines = new ArrayList<>();

    private Explanation(JsonNode job) {
        this.job = job;
    }

    /** One sentence or more per line, in the order of time. */
    static List<String> sentences(JsonNode job) {
        Explanation explanation = new Explanation(job);
        explanation.head();
        job.path("changes").forEach(explanation::change);
        explanation.now();
        explanation.fault();
        return explanation.lines;
    }

    private void head() {
        lines.add("Job " + text("id") + " of " + text("subject") + " runs as account " + text("account") + " on "
                + text("lrm") + ".");
        String localIds = text("localIds");
        if (!localIds.isEmpty()) {
            lines.add("The LRM knows it as " + localIds + ".");
        }
    }

    private void change(JsonNode change) {
        String from = Table.text(change.path("from"));
        String to = Table.text(change.path("to"));
        String what;
        if (from.isEmpty()) {
            what = "It was accepted and stored";
        } else if (from.equals(to)) {
            what = "It stayed " + to;
        } else {
            what = "It went from " + from + " to " + to;
        }
        String event = words(Table.text(change.path("event")));
        String note = Table.text(change.path("note"));
        lines.add(Table.text(change.path("at")) + "  " + what + (event.isEmpty() ? "" : " (" + event + ")")
                + (change.path("holding").asBoolean(false) ? ", held" : "") + "."
                + (note.isEmpty() ? "" : " " + sentence(note)));
    }

    /** Whether a job in this state has ended. */
    static boolean isOver(String state) {
        return !state.isEmpty() && waits(state) == null;
    }

    private static @Nullable String waits(String state) {
        return WAITS.get(state.toLowerCase(Locale.ROOT).replace("_", ""));
    }

    private void now() {
        String state = text("state");
        if (job.path("holding").asBoolean(false)) {
            lines.add("It is held at " + state + " because its owner asked so. It goes on when its owner releases it"
                    + " (globusrun-ws -release).");
            return;
        }
        String waits = waits(state);
        if (job.path("waitsForOthers").asBoolean(false)) {
            lines.add("It has not begun: it waits for other jobs of its owner.");
        } else if (waits != null) {
            lines.add("Now " + state + ". " + waits);
        } else {
            String exitCode = text("exitCode");
            String signal = text("signal");
            lines.add("It ended: " + state + (exitCode.isEmpty() ? "" : ", exit code " + exitCode)
                    + (signal.isEmpty() ? "" : ", by signal " + signal) + ".");
        }
        JsonNode pendingReason = job.path("doubt");
        if (pendingReason.isObject()) {
            lines.add("What stands in its way, since " + Table.text(pendingReason.path("since")) + ": "
                    + sentence(Table.text(pendingReason.path("reason"))));
        } else if (!Table.text(pendingReason).isEmpty()) {
            lines.add("What stands in its way: " + sentence(Table.text(pendingReason)));
        }
    }

    private void fault() {
        JsonNode fault = job.path("fault");
        if (!fault.isObject()) {
            return;
        }
        lines.add("Why: " + sentence(Table.text(fault.path("sentence"))) + " [" + Table.text(fault.path("code")) + "]");
        evidence(fault.path("evidence"));
        String remedy = Table.text(fault.path("remedy"));
        if (!remedy.isEmpty()) {
            lines.add("What to do: " + sentence(remedy));
        }
    }

    private void evidence(JsonNode evidence) {
        if (!evidence.isObject()) {
            return;
        }
        String exitCode = Table.text(evidence.path("exitCode"));
        lines.add("Seen: " + Table.text(evidence.path("command"))
                + (exitCode.isEmpty() ? "" : " ended with " + exitCode) + ": "
                + Table.text(evidence.path("output")).strip());
    }

    private String text(String name) {
        return Table.text(job.path(name));
    }

    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String sentence(String text) {
        if (text.isEmpty()) {
            return text;
        }
        String begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }
}
