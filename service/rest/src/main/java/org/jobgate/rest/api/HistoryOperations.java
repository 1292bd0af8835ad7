// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import org.jobgate.access.Jobs;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.store.Change;
import tools.jackson.core.JsonGenerator;

/** What has happened to one job. */
final class HistoryOperations {

    private final Jobs jobs;

    HistoryOperations(Jobs jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/jobs/{id}/history", this::history),
                Route.of("GET", "/jobs/{id}/explain", this::explain));
    }

    private void history(ApiCall call) throws IOException, Problem {
        call.query();
        List<Change> changes =
                jobs.history(call.caller(), JobOperations.id(call)).orElseThrow(() -> JobOperations.unknown(call));
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("changes");
            changes.forEach(change -> ChangeView.write(out, change));
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private void explain(ApiCall call) throws IOException, Problem {
        call.query();
        JobId id = JobOperations.id(call);
        List<Change> changes = jobs.history(call.caller(), id).orElseThrow(() -> JobOperations.unknown(call));
        Job job = jobs.find(call.caller(), id).orElseThrow(() -> JobOperations.unknown(call));
        call.json(200, out -> write(out, job, changes));
    }

    private static void write(JsonGenerator out, Job job, List<Change> changes) {
        out.writeStartObject();
        out.writeStringProperty("id", job.id().toString());
        out.writeStringProperty("state", StateWord.of(job.state()));
        out.writeStringProperty("summary", Explanation.summary(job));
        String waitsFor = Explanation.waitsFor(job);
        if (waitsFor != null) {
            out.writeStringProperty("waitsFor", waitsFor);
        }
        out.writeArrayPropertyStart("lines");
        for (Change change : changes) {
            out.writeStartObject();
            out.writeStringProperty("at", change.at().toString());
            out.writeStringProperty("text", Explanation.sentence(change));
            out.writeEndObject();
        }
        out.writeEndArray();
        JobOutcome outcome = job.outcome();
        if (outcome != null && outcome.fault() != null) {
            out.writeName("fault");
            JobView.write(out, outcome.fault());
        }
        out.writeEndObject();
    }
}
