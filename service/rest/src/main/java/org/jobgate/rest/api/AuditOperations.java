// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.AuditRecords;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.limits.Places;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What is on record of jobs: to owners of their own, to administrators of all. Each takes a place among the requests that wait, as it may take long. */
final class AuditOperations {

    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
    private static final int USUAL_PAGE = 100;
    private static final String OTHERS = "see what is on record of others";

    private final AuditRecords records;
    private final Places waiting;

    AuditOperations(AuditRecords records, Places waiting) {
        this.records = requireNonNull(records, "records is null");
        this.waiting = requireNonNull(waiting, "waiting is null");
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/audit/jobs", call -> bounded(call, this::jobs)),
                Route.of("GET", "/audit/jobs/{id}", call -> bounded(call, this::job)),
                Route.of("GET", "/audit/acts", call -> bounded(call, this::acts)),
                Route.of("GET", "/usage", call -> bounded(call, this::usage)));
    }

    private void bounded(ApiCall call, Operation operation) throws IOException, Problem {
        Places.Entry entry = waiting.enter(call.caller().subject());
        Places.Full full = entry.full();
        if (full != null) {
            throw FaultProblems.full(full, "requests that wait or read records");
        }
        Places.Place place = requireNonNull(entry.place(), "neither a place nor a limit");
        try {
            operation.answer(call);
        } finally {
            place.close();
        }
    }

    /** Whose records are asked for: the caller's own, unless an administrator asks for another's or for all. */
    private static @Nullable String subject(Caller caller, Query query) throws Problem {
        Optional<String> owner = query.text("owner");
        boolean all = query.truth("all").orElse(false);
        if (all && owner.isPresent()) {
            throw Query.wrong("all", "owner is given too", "Give one of them.");
        }
        if (all || owner.filter(name -> !name.equals(caller.subject())).isPresent()) {
            caller.lookAsAdministrator(OTHERS);
            return owner.orElse(null);
        }
        return caller.query(OwnedKind.JOBS);
    }

    private void jobs(ApiCall call) throws IOException, Problem {
        Query query = call.query("owner", "all", "since", "cursor", "limit");
        String subject = subject(call.caller(), query);
        int limit = query.number("limit", 1, AuditRecords.MOST_JOBS, true).orElse(USUAL_PAGE);
        String after = query.text("cursor").orElse(null);
        List<Map<String, Object>> jobs =
                records.jobs(subject, query.time("since").orElse(Instant.EPOCH), after, limit);
        call.json(200, out -> {
            out.writeStartObject();
            write(out, "jobs", jobs);
            if (AuditRecords.mayGoOn(jobs, limit)) {
                out.writeStringProperty("next", String.valueOf(jobs.getLast().get("job")));
            }
            out.writeEndObject();
        });
    }

    private void job(ApiCall call) throws IOException, Problem {
        call.query();
        String id = JobOperations.id(call).toString().toLowerCase(Locale.ROOT);
        String own = call.caller().query(OwnedKind.JOBS);
        Map<String, Object> job = records.job(id)
                .filter(found ->
                        own.equals(found.get("subject")) || call.caller().isAdministrator())
                .orElseThrow(() -> JobOperations.unknown(call));
        if (!own.equals(job.get("subject"))) {
            call.caller().lookAsAdministrator(OTHERS);
        }
        call.json(200, out -> out.writePOJO(job));
    }

    private void acts(ApiCall call) throws IOException, Problem {
        Query query = call.query("since", "limit");
        call.caller().lookAsAdministrator("see what administrators have done");
        List<Map<String, Object>> acts = records.acts(
                query.time("since").orElse(Instant.EPOCH),
                query.number("limit", 1, AuditRecords.MOST_JOBS, true).orElse(USUAL_PAGE));
        call.json(200, out -> {
            out.writeStartObject();
            write(out, "acts", acts);
            out.writeEndObject();
        });
    }

    /** By what jobs are added up. */
    private static List<String> keys(Query query) throws Problem {
        Optional<List<String>> named = query.list("by");
        if (named.isEmpty() && query.text("by").isPresent()) {
            throw Query.wrong("by", "it names nothing", "Give some of: " + String.join(", ", AuditRecords.KEYS) + ".");
        }
        return named.orElse(List.of("month")).stream().distinct().toList();
    }

    private void usage(ApiCall call) throws IOException, Problem {
        Query query = call.query("owner", "all", "by", "since", "until");
        List<String> by = keys(query);
        for (String key : by) {
            if (!AuditRecords.KEYS.contains(key)) {
                throw Query.wrong(
                        "by",
                        "jobs cannot be added up by " + Problem.told(key),
                        "Give some of: " + String.join(", ", AuditRecords.KEYS) + ".");
            }
        }
        String subject = subject(call.caller(), query);
        List<Map<String, Object>> rows = records.usage(
                by,
                subject,
                query.time("since").orElse(Instant.EPOCH),
                query.time("until").orElse(FAR));
        call.json(200, out -> {
            out.writeStartObject();
            write(out, "rows", rows);
            out.writeEndObject();
        });
    }

    private static void write(JsonGenerator out, String name, List<Map<String, Object>> rows) {
        out.writeArrayPropertyStart(name);
        rows.forEach(out::writePOJO);
        out.writeEndArray();
    }
}
