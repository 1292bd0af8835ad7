// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jobgate.access.JobGroups;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.IndexRange;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.GroupsBySubject.SubmittedGroup;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.Places;
import org.jspecify.annotations.Nullable;

/** What is done with arrays: many jobs that differ by an index or a value, as one object. */
final class ArrayOperations {

    private static final int USUAL = 100;
    private static final int MOST = 9_999;

    private final Jobs jobs;
    private final JobGroups arrays;
    private final ApiSettings settings;
    private final ArrayForm form;
    private final LanguageForm texts;
    private final KeyReuse reuse;
    private final Places waiting;

    /**
     * The operations.
     *
     * @param languages in which arrays can be described beside JSON
     * @param waiting places of requests that wait
     */
    ArrayOperations(Jobs jobs, ApiSettings settings, JobLanguages languages, Places waiting) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.arrays = jobs.groups();
        this.settings = requireNonNull(settings, "settings is null");
        this.form = new ArrayForm(new JobForm(jobs, settings.jobs()));
        this.texts = new LanguageForm(jobs, settings.jobs(), languages);
        this.reuse = new KeyReuse(jobs);
        this.waiting = requireNonNull(waiting, "waiting is null");
    }

    /** Something that is done to the elements of one range of an array of the caller; absent where the caller has no such array. */
    @FunctionalInterface
    private interface Act {
        Optional<JobGroup> apply(JobId id, @Nullable IndexRange part);
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", "/arrays", this::create),
                Route.of("GET", "/arrays", this::list),
                Route.of("GET", "/arrays/{id}", this::get),
                Route.of("PATCH", "/arrays/{id}", this::change),
                Route.of("DELETE", "/arrays/{id}", this::delete),
                Route.of("GET", "/arrays/{id}/elements", new ArrayElements(jobs, settings)::answer),
                Route.of(
                        "POST",
                        "/arrays/{id}/cancel",
                        call -> act(call, (id, part) -> arrays.cancel(call.caller(), id, part))),
                Route.of(
                        "POST",
                        "/arrays/{id}/hold",
                        call -> act(call, (id, part) -> arrays.hold(call.caller(), id, part))),
                Route.of(
                        "POST",
                        "/arrays/{id}/release",
                        call -> act(call, (id, part) -> arrays.release(call.caller(), id, part))),
                Route.of(
                        "POST",
                        "/arrays/{id}/suspend",
                        call -> act(call, (id, part) -> arrays.suspend(call.caller(), id, part))),
                Route.of(
                        "POST",
                        "/arrays/{id}/resume",
                        call -> act(call, (id, part) -> arrays.resume(call.caller(), id, part))),
                Route.of(
                        "POST",
                        "/arrays/{id}/restart",
                        call -> act(call, (id, part) -> arrays.retryFailed(call.caller(), id, part))));
    }

    private void create(ApiCall call) throws IOException, Problem {
        JobPermit permit = call.caller().submit();
        String key = JobOperations.key(call).orElse(null);
        if (texts.isFor(call.request())) {
            LanguageForm.Described described = texts.read(call, permit);
            submit(call, permit, texts.array(described, permit, key), described::named);
        } else {
            JobForm.Defaults defaults = JobForm.Defaults.of(call.query(JobForm.LRM, JobForm.ACCOUNT));
            Fields fields = call.fields(TextBudget.ofValues(settings.jobs()));
            submit(call, permit, form.read(fields, permit, key, defaults), fault -> fault);
        }
    }

    /** @param named gives a fault the name that the request's language has for what it is about */
    private void submit(ApiCall call, JobPermit permit, GroupSubmission submission, UnaryOperator<Fault> named)
            throws IOException, Problem {
        reuse.checkNoJob(permit, submission);
        SubmittedGroup submitted;
        try {
            submitted = arrays.submit(permit, submission);
        } catch (FaultException e) {
            throw reuse.problem(call.caller(), submission, named.apply(e.fault()));
        }
        JobGroup array = submitted.group();
        call.response().setHeader("Location", ApiServlet.PATH + "/arrays/" + array.id());
        answer(call, submitted.isNew() ? 201 : 200, array);
    }

    private void list(ApiCall call) throws IOException, Problem {
        Query query = call.query("limit", "cursor");
        int most = (int) Math.min(settings.listedJobs().value(), MOST);
        int limit = query.number("limit", 1, most, true).orElse(Math.min(USUAL, most));
        // one more says whether there is a next page
        List<JobGroup> found = arrays.list(call.caller(), JobPages.after(query), limit + 1);
        List<JobGroup> shown = found.stream().limit(limit).toList();
        Optional<String> next =
                found.size() > limit ? Optional.of(shown.getLast().id().toString()) : Optional.empty();
        next.ifPresent(cursor -> call.response().setHeader("Link", JobPages.link(call, "/arrays", cursor)));
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("arrays");
            shown.forEach(array -> ArrayView.write(out, array));
            out.writeEndArray();
            next.ifPresent(cursor -> out.writeStringProperty("next", cursor));
            out.writeEndObject();
        });
    }

    private void get(ApiCall call) throws IOException, Problem {
        Query query = call.query("version", "wait");
        JobId id = id(call);
        Duration wait = query.seconds("wait", settings.maxWait()).orElse(Duration.ZERO);
        Optional<Long> version = query.count("version");
        JobGroup array = arrays.find(call.caller(), id).orElseThrow(() -> unknown(call));
        if (!wait.isZero()) {
            long seen = version.or(() -> ETags.seen(call.request())).orElse(array.version());
            array = array.version() > seen
                    ? array
                    : changed(call, id, seen, wait).orElseThrow(() -> unknown(call));
        }
        if (ETags.isUnchanged(call.request(), array.version())) {
            call.response().setHeader("ETag", ETags.of(array.version()));
            call.response().setStatus(304);
            return;
        }
        answer(call, 200, array);
    }

    /** Waits for a change of the array; a request that finds no place to wait is answered at once. */
    private Optional<JobGroup> changed(ApiCall call, JobId id, long seen, Duration wait) {
        try (Places.Place place = waiting.enter(call.caller().subject()).place()) {
            return place == null ? arrays.find(call.caller(), id) : arrays.awaitChange(call.caller(), id, seen, wait);
        }
    }

    private void change(ApiCall call) throws IOException, Problem {
        call.query();
        JobId id = id(call);
        Fields fields = call.fields();
        Integer given = fields.count("maxRunning");
        if (given == null && !fields.isNull("maxRunning")) {
            throw Fields.wrong("maxRunning", "it is missing", "Give a number, or null for as many as the site allows.");
        }
        fields.end();
        int most = (int) settings.jobs().groupRunning().value();
        int value = given == null ? most : given;
        answer(call, 200, arrays.setMaxRunning(call.caller(), id, value).orElseThrow(() -> unknown(call)));
    }

    private void delete(ApiCall call) throws IOException, Problem {
        call.query();
        JobId id = id(call);
        if (arrays.destroy(call.caller(), id).isEmpty()) {
            throw unknown(call);
        }
        Optional<JobGroup> left = arrays.findToManage(call.caller(), id);
        if (left.isEmpty()) {
            call.response().setStatus(204);
        } else {
            answer(call, 202, left.get());
        }
    }

    private void act(ApiCall call, Act act) throws IOException, Problem {
        call.query();
        JobId id = id(call);
        String part = part(call);
        List<IndexRange> ranges = part == null ? List.of() : ArrayParts.read(part);
        Optional<JobGroup> after = arrays.findToManage(call.caller(), id);
        ArrayParts.check(after.orElseThrow(() -> unknown(call)), ranges);
        if (ranges.isEmpty()) {
            after = act.apply(id, null);
        }
        for (IndexRange range : ranges) {
            after = act.apply(id, range);
        }
        answer(call, 200, after.orElseThrow(() -> unknown(call)));
    }

    /** Which elements the request names; absent where it names none, or has no content. */
    private static @Nullable String part(ApiCall call) throws IOException, Problem {
        if (!call.hasContent()) {
            return null;
        }
        Fields fields = call.fields();
        String part = fields.text("elements");
        fields.end();
        return part;
    }

    /** The id in the path. */
    static JobId id(ApiCall call) throws Problem {
        try {
            return JobId.parse(call.parameter("id"));
        } catch (IllegalArgumentException e) {
            throw unknown(call); // what is no id is the id of no array
        }
    }

    /** The same for an array of somebody else, one that is gone, and one that never was. */
    static Problem unknown(ApiCall call) {
        return new Problem(
                404,
                "ARRAY_UNKNOWN",
                "There is no array " + Problem.told(call.parameter("id").toLowerCase(Locale.ROOT)) + ".",
                "Check the id; GET /api/v1/arrays lists your arrays.");
    }

    private static void answer(ApiCall call, int status, JobGroup array) throws IOException {
        call.response().setHeader("ETag", ETags.of(array.version()));
        call.json(status, out -> ArrayView.write(out, array));
    }
}
