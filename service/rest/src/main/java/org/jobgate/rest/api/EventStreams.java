// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.access.Jobs;
import org.jobgate.access.OwnedKind;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.limits.Places;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;
import org.jspecify.annotations.Nullable;

/**
 * Streams of server-sent events (the HTML standard, section 9.2). Nothing is kept for a follower but its place in the stream of changes:
 * what it has not been sent yet is read from the store, so that a slow one costs no memory, and one that was away goes on where it was.
 */
final class EventStreams {

    private static final int AT_ONCE = 500;

    private final Jobs jobs;
    private final ApiSettings settings;
    private final Places followers;

    EventStreams(Jobs jobs, ApiSettings settings, Places followers) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.followers = requireNonNull(followers, "followers is null");
    }

    List<Route> routes() {
        return List.of(Route.of("GET", "/events", this::all), Route.of("GET", "/jobs/{id}/events", this::one));
    }

    private void all(ApiCall call) throws IOException, Problem {
        Query query = call.query("since", "state");
        Set<JobState> states = JobPages.named(query);
        call.caller().query(OwnedKind.JOBS);
        follow(call, query, change -> states.isEmpty() || states.contains(change.to()), null);
    }

    private void one(ApiCall call) throws IOException, Problem {
        Query query = call.query("since");
        JobId id = JobOperations.id(call);
        Optional<Long> since = since(call, query);
        Job job = jobs.find(call.caller(), id).orElseThrow(() -> JobOperations.unknown(call));
        if (since.isPresent() && job.state().isTerminal() && nothingAfter(call, id, since.get())) {
            call.response().setStatus(204); // a browser does not come back after this
            return;
        }
        follow(call, query, change -> change.job().equals(id), id);
    }

    private boolean nothingAfter(ApiCall call, JobId id, long since) throws Problem {
        return jobs.history(call.caller(), id).orElseThrow(() -> JobOperations.unknown(call)).stream()
                .noneMatch(change -> change.sequence() > since);
    }

    private static Optional<Long> since(ApiCall call, Query query) throws Problem {
        String header = call.request().getHeader("Last-Event-ID");
        if (header == null || header.isEmpty()) {
            return query.count("since");
        }
        if (!header.matches("[0-9]{1,18}")) {
            throw Fields.wrong(
                    "Last-Event-ID",
                    Problem.told(header) + " is no id of an event",
                    "Give the one that was received last, or leave it out.");
        }
        return Optional.of(Long.parseLong(header));
    }

    private void follow(ApiCall call, Query query, Predicate<Change> wanted, @Nullable JobId only)
            throws IOException, Problem {
        Optional<Long> since = since(call, query);
        Places.Entry entry = followers.enter(call.caller().subject());
        if (entry.full() != null) {
            throw FaultProblems.full(entry.full(), "streams of events");
        }
        Places.Place place = requireNonNull(entry.place(), "neither a place nor a limit");
        try {
            long start = since.orElseGet(jobs::lastChange);
            // a cursor that is too old is refused before the stream begins
            jobs.changes(call.caller(), start, 1);
            EventStream stream = new EventStream(call, settings.slowest());
            stream.begin(start);
            if (only != null) {
                snapshot(call, stream, only, start);
            }
            run(call, stream, start, wanted, only);
        } finally {
            place.close();
        }
    }

    /** The job as it stands, so that nobody has to ask for it first. */
    private void snapshot(ApiCall call, EventStream stream, JobId id, long cursor) throws IOException {
        Optional<Job> job = jobs.find(call.caller(), id);
        if (job.isPresent()) {
            stream.event(
                    "job",
                    cursor,
                    out -> new JobView(out, null, new ElementIndexes(jobs, call.caller())).write(job.get()));
            stream.flush();
        }
    }

    private void run(ApiCall call, EventStream stream, long start, Predicate<Change> wanted, @Nullable JobId only)
            throws IOException {
        long cursor = start;
        try {
            while (!jobs.isStopping()) {
                OwnerChanges page = jobs.awaitChanges(call.caller(), cursor, AT_ONCE, settings.keepAlive());
                long told = cursor;
                for (Change change : page.changes()) {
                    if (wanted.test(change)) {
                        stream.event("change", change.sequence(), out -> ChangeView.write(out, change));
                        told = change.sequence();
                    }
                }
                cursor = page.cursor();
                if (told < cursor) {
                    stream.mark(cursor);
                }
                if (!page.changes().isEmpty() && only != null && isOver(call, stream, only, cursor)) {
                    return;
                }
                if (page.changes().isEmpty() && page.isCaughtUp()) {
                    stream.comment();
                }
                if (!stream.flush()) {
                    return; // it comes back with the id of the last event that it has
                }
            }
        } catch (FaultException e) {
            stream.event(
                    "problem",
                    cursor,
                    out -> out.writePOJO(FaultProblems.of(e.fault()).document()));
            stream.flush();
        }
    }

    /** Whether the followed job will have no more events. */
    private boolean isOver(ApiCall call, EventStream stream, JobId id, long cursor) throws IOException {
        Optional<Job> job = jobs.find(call.caller(), id);
        if (job.isEmpty()) {
            stream.event("gone", cursor, out -> out.writeStartObject().writeEndObject());
        } else if (job.get().state().isTerminal()) {
            stream.event(
                    "job",
                    cursor,
                    out -> new JobView(out, null, new ElementIndexes(jobs, call.caller())).write(job.get()));
            stream.event("end", cursor, out -> out.writeStartObject().writeEndObject());
        } else {
            return false;
        }
        stream.flush();
        return true;
    }
}
