// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jobgate.access.Caller;
import org.jobgate.access.ConditionalOrders;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.OtherVersionException;
import org.jobgate.jobs.Submission;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.Places;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

/** What is done with one job. */
final class JobOperations {

    private final Jobs jobs;
    private final ApiSettings settings;
    private final JobForm form;
    private final JobLanguages languages;
    private final LanguageForm texts;
    private final KeyReuse reuse;
    private final Places waiting;

    /**
     * The operations.
     *
     * @param languages in which jobs can be described beside JSON
     * @param waiting places of requests that wait
     */
    JobOperations(Jobs jobs, ApiSettings settings, JobLanguages languages, Places waiting) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.form = new JobForm(jobs, settings.jobs());
        this.languages = requireNonNull(languages, "languages is null");
        this.texts = new LanguageForm(jobs, settings.jobs(), languages);
        this.reuse = new KeyReuse(jobs);
        this.waiting = requireNonNull(waiting, "waiting is null");
    }

    /** Something that is done to one job of the caller where it is as the request says; absent where the caller has no such job. */
    @FunctionalInterface
    interface Act {
        Optional<Job> apply(ConditionalOrders orders, Caller caller, JobId id);
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", "/jobs", this::create),
                Route.of("GET", "/jobs", new JobPages(jobs, settings)::answer),
                Route.of("GET", "/jobs/{id}", this::get),
                Route.of("DELETE", "/jobs/{id}", this::delete),
                Route.of("GET", "/jobs/{id}/description", this::description),
                Route.of("POST", "/jobs/{id}/cancel", call -> act(call, ConditionalOrders::cancel)),
                Route.of("POST", "/jobs/{id}/hold", this::hold),
                Route.of("POST", "/jobs/{id}/release", call -> act(call, ConditionalOrders::release)),
                Route.of("POST", "/jobs/{id}/suspend", call -> act(call, ConditionalOrders::suspend)),
                Route.of("POST", "/jobs/{id}/resume", call -> act(call, ConditionalOrders::resume)),
                Route.of("POST", "/jobs/{id}/extend", this::extend),
                Route.of("POST", "/jobs/{id}/restart", this::restart),
                Route.of("GET", "/jobs/{id}/attempts", this::attempts));
    }

    private void create(ApiCall call) throws IOException, Problem {
        JobPermit permit = call.caller().submit();
        String key = key(call).orElse(null);
        if (texts.isFor(call.request())) {
            LanguageForm.Described described = texts.read(call, permit);
            submit(call, permit, texts.job(described, permit, key), described::named);
        } else {
            JobForm.Defaults defaults = JobForm.Defaults.of(call.query(JobForm.LRM, JobForm.ACCOUNT));
            submit(call, permit, form.read(JsonIn.body(call.request()), "", permit, key, defaults), fault -> fault);
        }
    }

    /** @param named gives a fault the name that the request's language has for what it is about */
    private void submit(ApiCall call, JobPermit permit, Submission submission, UnaryOperator<Fault> named)
            throws IOException, Problem {
        reuse.checkNoArray(permit, submission);
        Submitted submitted;
        try {
            submitted = jobs.submit(permit, submission);
        } catch (FaultException e) {
            throw reuse.problem(call.caller(), submission, named.apply(e.fault()));
        }
        Job job = submitted.job();
        call.response().setHeader("Location", ApiServlet.PATH + "/jobs/" + job.id());
        answer(call, submitted.isNew() ? 201 : 200, job, null);
    }

    /** The client's id of the request; a structured string (RFC 9651 section 3.3.3) is taken without its quotes. */
    static Optional<String> key(ApiCall call) throws Problem {
        String header = call.request().getHeader(KeyReuse.KEY);
        if (header == null) {
            return Optional.empty();
        }
        String key = header.strip();
        if (!key.chars().allMatch(letter -> letter > ' ' - 1 && letter < 0x7F)) {
            throw Fields.wrong(
                    KeyReuse.KEY, "it holds other characters than those of ASCII", "Use a UUID, for example.");
        }
        boolean isQuoted = key.length() > 1 && key.startsWith("\"") && key.endsWith("\"");
        return Optional.of(JobForm.checkedKey(isQuoted ? key.substring(1, key.length() - 1) : key));
    }

    private void get(ApiCall call) throws IOException, Problem {
        Query query = call.query("version", "wait", "fields");
        Set<String> fields = JobPages.fields(query);
        JobId id = id(call);
        Duration wait = query.seconds("wait", settings.maxWait()).orElse(Duration.ZERO);
        Optional<Long> version = query.count("version");
        Job job = jobs.find(call.caller(), id).orElseThrow(() -> unknown(call));
        if (!wait.isZero()) {
            long seen = version.or(() -> ETags.seen(call.request())).orElse(job.version());
            job = job.version() > seen ? job : changed(call, id, seen, wait).orElseThrow(() -> unknown(call));
        }
        if (ETags.isUnchanged(call.request(), job.version())) {
            call.response().setHeader("ETag", ETags.of(job));
            call.response().setStatus(304);
            return;
        }
        answer(call, 200, job, fields);
    }

    /** Waits for a change of the job; a request that finds no place to wait is answered at once. */
    private Optional<Job> changed(ApiCall call, JobId id, long seen, Duration wait) {
        try (Places.Place place = waiting.enter(call.caller().subject()).place()) {
            return place == null ? jobs.find(call.caller(), id) : jobs.awaitChange(call.caller(), id, seen, wait);
        }
    }

    private void description(ApiCall call) throws IOException, Problem {
        call.query();
        JobId id = id(call);
        Job job = jobs.find(call.caller(), id).orElseThrow(() -> unknown(call));
        JobDescription description = jobs.description(call.caller(), id).orElseThrow(() -> unknown(call));
        Optional<JobLanguage> wanted = accepted(call).flatMap(languages::ofMediaType);
        call.response().addHeader("Vary", "Accept");
        if (wanted.isPresent()) {
            write(call, wanted.get(), description);
            return;
        }
        ObjectNode view = DescriptionView.of(description);
        view.put("lrm", job.lrm());
        view.put("account", job.owner().account());
        call.json(200, out -> out.writeTree(view));
    }

    /** The one type that the client wants; none where it names several, which JSON is among for everybody that we know. */
    private static Optional<String> accepted(ApiCall call) {
        String accept = call.request().getHeader("Accept");
        return Optional.ofNullable(accept)
                .filter(types -> types.indexOf(',') < 0)
                .map(type -> type.split(";", 2)[0].strip());
    }

    private static void write(ApiCall call, JobLanguage language, JobDescription description)
            throws IOException, Problem {
        String type = language.mediaTypes().getFirst();
        String text = language.write(description)
                .orElseThrow(() -> new Problem(
                        406,
                        "NOT_ACCEPTABLE",
                        "What this job asks for cannot be said in " + type + ".",
                        "Ask for application/json."));
        ApiReply.write(
                call.request(), call.response(), 200, type + ";charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private void delete(ApiCall call) throws IOException, Problem {
        call.query();
        Job job = ordered(call, ConditionalOrders::destroy);
        if (job.isGone()) {
            call.response().setStatus(204);
        } else {
            answer(call, 202, job, null);
        }
    }

    private void act(ApiCall call, Act act) throws IOException, Problem {
        call.query();
        answer(call, 200, ordered(call, act), null);
    }

    /** Whether the job is as If-Match says is decided when the order is written: of two clients that have seen the same, one is first. */
    private Job ordered(ApiCall call, Act act) throws Problem {
        try {
            return act.apply(jobs.ordersAt(ETags.allowed(call.request())), call.caller(), id(call))
                    .orElseThrow(() -> unknown(call));
        } catch (OtherVersionException e) {
            throw ETags.other(e.job());
        }
    }

    private void hold(ApiCall call) throws IOException, Problem {
        call.query();
        JobState at = null;
        if (call.hasContent()) {
            Fields fields = call.fields();
            at = holdAt(fields);
            fields.end();
        }
        JobState before = at;
        act(call, (orders, caller, id) -> orders.hold(caller, id, before));
    }

    /** Before the work of which state a job is to be held; absent: where it waits. */
    static @Nullable JobState holdAt(Fields fields) throws Problem {
        String word = fields.text("at");
        if (word == null) {
            return null;
        }
        return StateWord.parse(word)
                .filter(JobState::isHoldable)
                .orElseThrow(() -> Fields.wrong(
                        "at",
                        "no job is held before " + Problem.told(word),
                        "Give StageIn, Pending, StageOut or CleanUp, or leave it out."));
    }

    private void extend(ApiCall call) throws IOException, Problem {
        call.query();
        Fields fields = call.fields();
        Instant time = terminationTime(fields);
        fields.end();
        act(call, (orders, caller, id) -> orders.setTerminationTime(caller, id, time));
    }

    /** When a job is to be ended and forgotten; null, which the request has to say, for never. */
    static @Nullable Instant terminationTime(Fields fields) throws Problem {
        Instant time = fields.time("terminationTime");
        if (time == null && !fields.isNull("terminationTime")) {
            throw Fields.wrong("terminationTime", "it is missing", "Give a time, or null for never.");
        }
        return time;
    }

    /** A new attempt is a job of its own: the one that failed does not change, so two requests get the same attempt. */
    private void restart(ApiCall call) throws IOException, Problem {
        call.query();
        JobId id = id(call);
        if (call.request().getHeader("If-Match") != null) {
            ETags.check(call.request(), jobs.findToManage(call.caller(), id).orElseThrow(() -> unknown(call)));
        }
        Submitted next = jobs.restart(call.caller(), id).orElseThrow(() -> unknown(call));
        call.response()
                .setHeader("Location", ApiServlet.PATH + "/jobs/" + next.job().id());
        answer(call, next.isNew() ? 201 : 200, next.job(), null);
    }

    private void attempts(ApiCall call) throws IOException, Problem {
        Set<String> fields = JobPages.fields(call.query("fields"));
        List<Job> attempts = jobs.attempts(call.caller(), id(call)).orElseThrow(() -> unknown(call));
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("jobs");
            JobView view = view(call, out, fields);
            attempts.forEach(view::write);
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    /** The id in the path. */
    static JobId id(ApiCall call) throws Problem {
        try {
            return JobId.parse(call.parameter("id"));
        } catch (IllegalArgumentException e) {
            throw unknown(call); // what is no id is the id of no job
        }
    }

    /** The same for a job of somebody else, one that is gone, and one that never was. */
    static Problem unknown(ApiCall call) {
        return unknown(call.parameter("id"));
    }

    static Problem unknown(String id) {
        return new Problem(
                404,
                "JOB_UNKNOWN",
                "There is no job " + Problem.told(id.toLowerCase(Locale.ROOT)) + ".",
                "Check the id; GET /api/v1/jobs lists your jobs.");
    }

    private JobView view(ApiCall call, JsonGenerator out, @Nullable Set<String> fields) {
        return new JobView(out, fields, new ElementIndexes(jobs, call.caller()));
    }

    private void answer(ApiCall call, int status, Job job, @Nullable Set<String> fields) throws IOException {
        call.response().setHeader("ETag", ETags.of(job));
        call.json(status, out -> view(call, out, fields).write(job));
    }
}
