// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.Jobs;
import org.jobgate.job.After;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.SubJob;
import tools.jackson.core.JsonGenerator;

/** The jobs of one multi-job or flow. */
final class SubJobOperations {

    private final Jobs jobs;

    /** So many jobs are looked up at a time. */
    private final int atOnce;

    SubJobOperations(Jobs jobs, ApiSettings settings) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.atOnce = (int) Math.min(1_000, settings.jobs().jobsAtOnce().value());
    }

    List<Route> routes() {
        return List.of(Route.of("GET", "/jobs/{id}/subJobs", this::list));
    }

    private void list(ApiCall call) throws IOException, Problem {
        Set<String> fields = JobPages.fields(call.query("fields"));
        JobId id = JobOperations.id(call);
        Job whole = jobs.find(call.caller(), id).orElseThrow(() -> JobOperations.unknown(call));
        List<SubJob> parts = jobs.description(call.caller(), id)
                .orElseThrow(() -> JobOperations.unknown(call))
                .subJobs();
        List<Optional<Job>> found = parts.isEmpty() ? List.of() : found(call, whole.localIds());
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("subJobs");
            JobView view = new JobView(out, fields, new ElementIndexes(jobs, call.caller()));
            for (int rank = 0; rank < found.size(); rank++) {
                SubJob part = parts.get(rank);
                found.get(rank).ifPresent(job -> write(out, view, part, job));
            }
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    /** In pieces, as one call may only name so many. */
    private List<Optional<Job>> found(ApiCall call, List<String> ids) {
        List<Optional<Job>> found = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += atOnce) {
            found.addAll(jobs.findAll(
                    call.caller(),
                    ids.subList(from, Math.min(ids.size(), from + atOnce)).stream()
                            .map(JobId::parse)
                            .toList()));
        }
        return found;
    }

    private static void write(JsonGenerator out, JobView view, SubJob part, Job job) {
        out.writeStartObject();
        if (part.name() != null) {
            out.writeStringProperty("id", part.name());
        }
        if (!part.after().isEmpty()) {
            out.writeArrayPropertyStart("after");
            for (After after : part.after()) {
                out.writeStartObject();
                out.writeStringProperty("id", after.job());
                out.writeStringProperty("when", after.when().word());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        out.writeName("job");
        view.write(job);
        out.writeEndObject();
    }
}
