// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.List;
import java.util.Optional;
import org.jobgate.bes.Activities.Activity;
import org.jobgate.job.ElementCounts;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.PendingReason;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** Writes how activities are: the state of the basic model, and in our namespace the sub-state, how it ended, and the counts of a sweep. */
final class Statuses {

    private Statuses() {}

    static XmlContent of(Activity activity) {
        return out -> {
            ActivityState state = Activities.state(activity);
            out.open(BesNames.ACTIVITY_STATUS).attribute("state", state.base().wireName());
            if (state.sub() != null) {
                out.empty(BesNames.ours(state.sub().wireName()));
            }
            switch (activity) {
                case Activity.OfJob one -> job(out, one.job());
                case Activity.OfSweep sweep -> counts(out, sweep.group().counts());
                case Activity.OfPoint point -> reason(out, point.element().fault());
            }
            out.close();
        };
    }

    private static void job(XmlWriter out, Job job) {
        Optional<JobOutcome> outcome = job.settledOutcome();
        if (outcome.isPresent()) {
            Integer exitCode = outcome.get().exitCode();
            if (exitCode != null) {
                out.element(BesNames.ours("ExitCode"), exitCode.toString());
            }
            reason(out, outcome.get().fault());
        }
        PendingReason pendingReason = job.pendingReason();
        if (pendingReason != null) {
            out.open(BesNames.ours("Waits"))
                    .attribute("since", pendingReason.since().toString());
            out.text(pendingReason.because()).close();
        }
    }

    private static void reason(XmlWriter out, @Nullable Fault fault) {
        if (fault != null) {
            out.element(BesNames.ours("Reason"), (fault.sentence() + " " + fault.remedy()).strip());
        }
    }

    /** How many points stand how; those of which there are none are left out. */
    private static void counts(XmlWriter out, ElementCounts counts) {
        out.open(BesNames.ours("Points"));
        for (ElementState state : List.of(ElementState.values())) {
            if (counts.of(state) > 0) {
                out.open(BesNames.ours("Count")).attribute("state", word(state));
                out.text(Long.toString(counts.of(state))).close();
            }
        }
        out.close();
    }

    /** The words of the sub-states, and of the states of the basic model for what is over. */
    private static String word(ElementState state) {
        ActivityState said = ActivityState.ofPoint(state);
        return state == ElementState.WAITING
                ? "Waiting"
                : said.sub() == null ? said.base().wireName() : said.sub().wireName();
    }
}
