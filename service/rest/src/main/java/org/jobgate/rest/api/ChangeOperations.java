// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.Jobs;
import org.jobgate.access.OwnedKind;
import org.jobgate.job.JobState;
import org.jobgate.limits.Places;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;

/** The changes of the caller's jobs, to be asked for again and again. */
final class ChangeOperations {

    private static final int USUAL = 1_000;
    private static final int MOST = 10_000;

    private final Jobs jobs;
    private final ApiSettings settings;
    private final Places waiting;

    ChangeOperations(Jobs jobs, ApiSettings settings, Places waiting) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.waiting = requireNonNull(waiting, "waiting is null");
    }

    List<Route> routes() {
        return List.of(Route.of("GET", "/changes", this::changes));
    }

    private void changes(ApiCall call) throws IOException, Problem {
        Query query = call.query("since", "wait", "limit", "state");
        Duration wait = query.seconds("wait", settings.maxWait()).orElse(Duration.ZERO);
        int limit = query.number("limit", 1, MOST, true).orElse(USUAL);
        Set<JobState> states = JobPages.named(query);
        Optional<Long> since = query.count("since");
        if (since.isEmpty()) {
            call.caller().query(OwnedKind.JOBS);
            answer(call, new OwnerChanges(List.of(), jobs.lastChange(), true), states);
            return;
        }
        answer(call, read(call, since.get(), limit, wait), states);
    }

    private OwnerChanges read(ApiCall call, long since, int limit, Duration wait) {
        if (wait.isZero()) {
            return jobs.changes(call.caller(), since, limit);
        }
        try (Places.Place place = waiting.enter(call.caller().subject()).place()) {
            return place == null
                    ? jobs.changes(call.caller(), since, limit)
                    : jobs.awaitChanges(call.caller(), since, limit, wait);
        }
    }

    private static void answer(ApiCall call, OwnerChanges changes, Set<JobState> states) throws IOException {
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("changes");
            for (Change change : changes.changes()) {
                if (states.isEmpty() || states.contains(change.to())) {
                    ChangeView.write(out, change);
                }
            }
            out.writeEndArray();
            out.writeStringProperty("next", Long.toString(changes.cursor()));
            out.writeBooleanProperty("more", !changes.isCaughtUp());
            out.writeEndObject();
        });
    }
}
