// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.access.JobListing;
import org.jobgate.access.Jobs;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** Lists the caller's jobs, page by page. */
final class JobPages {

    private static final int USUAL = 100;
    private static final String[] NAMES = {
        "state",
        "final",
        "lrm",
        "account",
        "door",
        "holding",
        "createdAfter",
        "createdBefore",
        "endedAfter",
        "endedBefore",
        "order",
        "limit",
        "cursor",
        "fields"
    };

    private final Jobs jobs;
    private final ApiSettings settings;

    JobPages(Jobs jobs, ApiSettings settings) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** What a request asks for; without a query it asks for nothing that can be. */
    private record Page(Optional<JobQuery> query, int limit) {}

    void answer(ApiCall call) throws IOException, Problem {
        Query query = call.query(NAMES);
        Set<String> fields = fields(query);
        Page page = page(query);
        Optional<JobListing> listing = page.query().map(wanted -> jobs.listing(call.caller(), wanted, page.limit()));
        Optional<String> next = listing.flatMap(JobListing::next).map(JobId::toString);
        next.ifPresent(cursor -> call.response().setHeader("Link", link(call, "/jobs", cursor)));
        call.json(200, out -> {
            JobView view = new JobView(out, fields, new ElementIndexes(jobs, call.caller()));
            out.writeStartObject();
            out.writeArrayPropertyStart("jobs");
            listing.ifPresent(shown -> shown.forEach(view::write));
            out.writeEndArray();
            next.ifPresent(cursor -> out.writeStringProperty("next", cursor));
            out.writeEndObject();
        });
    }

    /** The address of the next page, for the header Link. */
    static String link(ApiCall call, String path, String cursor) {
        String query = Optional.ofNullable(call.request().getQueryString()).orElse("");
        String others = Arrays.stream(query.split("&", -1))
                .filter(pair -> !pair.isEmpty() && !pair.startsWith("cursor="))
                .map(pair -> pair + "&")
                .reduce("", String::concat);
        return "<" + ApiServlet.PATH + path + "?" + others + "cursor="
                + URLEncoder.encode(cursor, StandardCharsets.UTF_8) + ">; rel=\"next\"";
    }

    /** The members to show of each job; null for all. */
    static @Nullable Set<String> fields(Query query) throws Problem {
        Optional<List<String>> names = query.list("fields");
        if (names.isEmpty()) {
            return null;
        }
        for (String name : names.get()) {
            if (!JobView.MEMBERS.contains(name)) {
                throw Query.wrong(
                        "fields",
                        "a job has no member " + Problem.told(name),
                        "The members are: " + String.join(", ", JobView.MEMBERS) + ".");
            }
        }
        return new LinkedHashSet<>(names.get());
    }

    private Page page(Query query) throws Problem {
        int most = (int) Math.min(settings.listedJobs().value(), JobQuery.MAX_LIMIT - 1);
        int limit = query.number("limit", 1, most, true).orElse(Math.min(USUAL, most));
        Set<JobState> states = states(query);
        if (states.isEmpty() && query.list("state").isPresent()) {
            return new Page(Optional.empty(), limit);
        }
        JobQuery.Builder wanted = JobQuery.builder()
                .states(states)
                .finished(query.truth("final").orElse(true))
                .lrm(query.text("lrm").orElse(null))
                .account(query.text("account").orElse(null))
                .door(query.text("door").orElse(null))
                .held(query.truth("holding").orElse(null))
                .createdFrom(query.time("createdAfter").orElse(null))
                .createdBefore(query.time("createdBefore").orElse(null))
                .endedFrom(query.time("endedAfter").orElse(null))
                .endedBefore(query.time("endedBefore").orElse(null))
                .after(after(query));
        if (isNewestFirst(query)) {
            wanted.newestFirst();
        }
        return new Page(Optional.of(wanted.build()), limit);
    }

    private static boolean isNewestFirst(Query query) throws Problem {
        String order = query.text("order").orElse("newest");
        if (!order.equals("newest") && !order.equals("oldest")) {
            throw Query.wrong("order", Problem.told(order) + " is none", "Give newest or oldest.");
        }
        return order.equals("newest");
    }

    /** The id behind which the page begins. */
    static @Nullable JobId after(Query query) throws Problem {
        String cursor = query.text("cursor").orElse(null);
        if (cursor == null) {
            return null;
        }
        try {
            return JobId.parse(cursor);
        } catch (IllegalArgumentException e) {
            throw Query.wrong(
                    "cursor", Problem.told(cursor) + " is none", "Give the next of the page before, or leave it out.");
        }
    }

    /** The states that the query names; none where it names none. */
    static Set<JobState> named(Query query) throws Problem {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String word : query.list("state").orElse(List.of())) {
            states.add(StateWord.parse(word)
                    .orElseThrow(() -> Query.wrong(
                            "state",
                            "there is no state " + Problem.told(word),
                            "The states are: " + StateWord.all() + ".")));
        }
        return states;
    }

    private static Set<JobState> states(Query query) throws Problem {
        Set<JobState> states = named(query);
        Optional<Boolean> isFinal = query.truth("final");
        if (isFinal.isEmpty()) {
            return states;
        }
        if (query.list("state").isEmpty()) {
            if (isFinal.get()) {
                states.addAll(EnumSet.of(JobState.DONE, JobState.FAILED, JobState.CANCELLED));
            }
            return states;
        }
        states.removeIf(state -> state.isTerminal() != isFinal.get());
        return states;
    }
}
