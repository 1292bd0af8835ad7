// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.PendingReason;
import org.jobgate.store.Change;
import org.jspecify.annotations.Nullable;

/** Jobs in the shape of the JSON that the administrator sees; what is absent is left out. */
final class JobView {

    private JobView() {}

    /** One line of a list. */
    static Map<String, Object> summary(Job job) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", job.id().toString());
        view.put("clientId", job.key().clientId());
        view.put("door", job.origin().door());
        view.put("language", job.language());
        view.put("subject", job.owner().subject());
        view.put("account", job.owner().account());
        view.put("lrm", job.lrm());
        view.put("state", StateWord.of(job.state()));
        view.put("holding", job.isHeld());
        view.put("waitsForOthers", job.waitsForOthers());
        view.put("created", job.created().toString());
        view.put("changed", job.changed().toString());
        view.put("localIds", job.localIds());
        JobOutcome outcome = job.outcome();
        if (outcome != null) {
            put(view, "exitCode", outcome.exitCode());
            put(view, "fault", outcome.fault() == null ? null : fault(outcome.fault()));
        }
        return view;
    }

    /** All that is known of a job. */
    static Map<String, Object> full(Job job, @Nullable JobDescription description, List<Change> changes) {
        Map<String, Object> view = summary(job);
        view.put("version", job.version());
        time(view, "queued", job.queued());
        time(view, "started", job.started());
        time(view, "ended", job.ended());
        time(view, "terminationTime", job.terminationTime());
        put(view, "holdAt", job.holdAt() == null ? null : StateWord.of(job.holdAt()));
        view.put("submitTried", job.submitTried());
        view.put("destroyed", job.destroyed());
        JobOutcome outcome = job.outcome();
        if (outcome != null) {
            view.put("outcome", StateWord.of(outcome.outcome()));
            put(view, "signal", outcome.signal());
            put(
                    view,
                    "wallTime",
                    outcome.wallTime() == null ? null : outcome.wallTime().toString());
        }
        PendingReason pendingReason = job.pendingReason();
        if (pendingReason != null) {
            view.put("doubt", Map.of("since", pendingReason.since().toString(), "reason", pendingReason.because()));
        }
        put(view, "description", description);
        view.put("changes", changes.stream().map(JobView::change).toList());
        return view;
    }

    private static Map<String, Object> change(Change change) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("sequence", change.sequence());
        view.put("at", change.at().toString());
        put(view, "event", change.event() == null ? null : change.event().name());
        put(view, "from", change.from() == null ? null : StateWord.of(change.from()));
        view.put("to", StateWord.of(change.to()));
        view.put("holding", change.isHeld());
        put(view, "note", change.note());
        return view;
    }

    private static Map<String, Object> fault(Fault fault) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("code", fault.code().name());
        view.put("blame", fault.origin().name());
        view.put("sentence", fault.sentence());
        view.put("remedy", fault.remedy());
        put(
                view,
                "attribute",
                fault.part() == null ? fault.attribute() : fault.part().word());
        put(view, "value", fault.value());
        put(view, "during", fault.during() == null ? null : StateWord.of(fault.during()));
        Evidence evidence = fault.evidence();
        if (evidence != null) {
            Map<String, Object> seen = new LinkedHashMap<>();
            seen.put("command", evidence.command());
            put(seen, "exitCode", evidence.exitCode());
            seen.put("output", evidence.output());
            view.put("evidence", seen);
        }
        return view;
    }

    private static void time(Map<String, Object> view, String name, @Nullable Instant value) {
        put(view, name, value == null ? null : value.toString());
    }

    private static void put(Map<String, Object> view, String name, @Nullable Object value) {
        if (value != null) {
            view.put(name, value);
        }
    }
}
