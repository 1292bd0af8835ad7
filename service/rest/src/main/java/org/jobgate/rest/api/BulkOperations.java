// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jobgate.access.Caller;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.JobsBySubject.Submitted;
import org.jobgate.jobs.Submission;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguages;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** What is done with many jobs at once. What is wrong with one is in its own answer, and keeps none of the others back. */
final class BulkOperations {

    private static final List<String> ACTIONS =
            List.of("get", "cancel", "hold", "release", "suspend", "resume", "delete", "restart");
    private static final String EXTEND = "extend";
    private static final String HOLD = "hold";
    private static final String FIELDS = "fields";
    private static final int AT_A_TIME = 32;

    private final Jobs jobs;
    private final ApiSettings settings;
    private final JobForm form;
    private final LanguageForm texts;
    private final KeyReuse reuse;

    /** @param languages in which jobs can be described beside JSON */
    BulkOperations(Jobs jobs, ApiSettings settings, JobLanguages languages) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.form = new JobForm(jobs, settings.jobs());
        this.texts = new LanguageForm(jobs, settings.jobs(), languages);
        this.reuse = new KeyReuse(jobs);
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", "/bulk/jobs", this::create),
                Route.of("POST", "/bulk/jobs/extend", call -> act(call, EXTEND)),
                Route.of("POST", "/bulk/jobs/{action}", call -> act(call, call.parameter("action"))));
    }

    /** What became of one: a job or a problem. */
    private record Result(
            int status,
            @Nullable Job job,
            boolean isNew,
            @Nullable Problem problem) {

        static Result of(Problem problem) {
            return new Result(problem.status(), null, false, problem);
        }
    }

    /** One job of a request, to be read. */
    @FunctionalInterface
    private interface Wanted {
        Submission read() throws Problem;
    }

    private void create(ApiCall call) throws IOException, Problem {
        JobPermit permit = call.caller().submit();
        if (texts.isFor(call.request())) {
            LanguageForm.Described described = texts.read(call, permit, FIELDS);
            Set<String> fields = JobPages.fields(described.query());
            List<Wanted> wanted = new ArrayList<>();
            for (DescribedJob job : described.jobs()) {
                wanted.add(() -> texts.submission(described, job, permit, null));
            }
            create(call, permit, wanted, described::named, fields);
        } else {
            Query query = call.query(FIELDS, JobForm.LRM, JobForm.ACCOUNT);
            Set<String> fields = JobPages.fields(query);
            JobForm.Defaults defaults = JobForm.Defaults.of(query);
            Fields request = call.fields();
            List<JsonNode> nodes = request.list("jobs");
            request.end();
            List<Wanted> wanted = new ArrayList<>();
            for (JsonNode node : nodes) {
                wanted.add(() -> form.read(node, "", permit, null, defaults));
            }
            create(call, permit, wanted, fault -> fault, fields);
        }
    }

    /** @param named gives a fault the name that the request's language has for what it is about */
    private void create(
            ApiCall call,
            JobPermit permit,
            List<Wanted> wanted,
            UnaryOperator<Fault> named,
            @Nullable Set<String> fields)
            throws IOException, Problem {
        check(wanted.size(), "jobs");
        Result[] results = new Result[wanted.size()];
        boolean hasArrays = jobs.groups().hasAny(permit); // saves a look at each key
        List<Submission> submissions = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            try {
                Submission submission = wanted.get(i).read();
                if (hasArrays) {
                    reuse.checkNoArray(permit, submission);
                }
                submissions.add(submission);
                places.add(i);
            } catch (Problem e) {
                results[i] = Result.of(e);
            }
        }
        List<BulkAnswer> answers = submissions.isEmpty() ? List.of() : jobs.submitAll(permit, submissions);
        for (int i = 0; i < answers.size(); i++) {
            results[places.get(i)] = result(call, submissions.get(i), answers.get(i), named);
        }
        answer(call, List.of(results), fields);
    }

    private Result result(ApiCall call, Submission submission, BulkAnswer answer, UnaryOperator<Fault> named) {
        Submitted submitted = answer.submitted();
        if (submitted != null) {
            return new Result(submitted.isNew() ? 201 : 200, submitted.job(), submitted.isNew(), null);
        }
        Fault fault = named.apply(requireNonNull(answer.fault(), "neither a job nor a fault"));
        return Result.of(reuse.problem(call.caller(), submission, fault));
    }

    private void act(ApiCall call, String action) throws IOException, Problem {
        Set<String> fields = JobPages.fields(call.query("fields"));
        if (!ACTIONS.contains(action) && !action.equals(EXTEND)) {
            throw new Problem(
                    404,
                    "NOT_FOUND",
                    "There is no action " + Problem.told(action) + " for many jobs.",
                    "The actions are: " + String.join(", ", ACTIONS) + ", " + EXTEND + ".");
        }
        Fields request = call.fields();
        List<JsonNode> named = request.list("ids");
        Instant time = action.equals(EXTEND) ? JobOperations.terminationTime(request) : null;
        JobState at = action.equals(HOLD) ? JobOperations.holdAt(request) : null;
        request.end();
        check(named.size(), "ids");
        List<Optional<JobId>> ids = named.stream().map(BulkOperations::id).toList();
        List<JobId> known = ids.stream().flatMap(Optional::stream).toList();
        Iterator<Result> done = done(call, new Order(action, time, at), known).iterator();
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Result result = ids.get(i).isPresent() ? done.next() : null;
            results.add(result == null ? Result.of(noJob(named.get(i), i)) : result);
        }
        answer(call, results, fields);
    }

    /** What is said of an item that names no job: a text is an id that nobody has, all else is no id. */
    private static Problem noJob(JsonNode item, int index) {
        return item.isString()
                ? JobOperations.unknown(item.asString())
                : Fields.wrong("ids[" + index + "]", "it is no text", "Give the ids of jobs, each as a text.");
    }

    private static Optional<JobId> id(JsonNode node) {
        try {
            return node.isString() ? Optional.of(JobId.parse(node.asString())) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // what is no id is the id of no job
        }
    }

    /**
     * What is to be done.
     *
     * @param time the new termination time, where that is what is set
     * @param at where to hold, if that is said
     */
    private record Order(
            String action, @Nullable Instant time, @Nullable JobState at) {}

    private List<Result> done(ApiCall call, Order order, List<JobId> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Caller caller = call.caller();
        return switch (order.action()) {
            case "get" -> results(ids, jobs.findAll(caller, ids));
            case "cancel" -> results(ids, jobs.cancelAll(caller, ids));
            case "release" -> results(ids, jobs.releaseAll(caller, ids));
            case "delete" -> results(ids, jobs.destroyAll(caller, ids));
            case "suspend" -> each(ids, id -> jobs.suspend(caller, id), false);
            case "resume" -> each(ids, id -> jobs.resume(caller, id), false);
            case HOLD -> each(ids, id -> jobs.hold(caller, id, order.at()), false);
            case EXTEND -> each(ids, id -> jobs.setTerminationTime(caller, id, order.time()), false);
            default -> each(ids, id -> jobs.restart(caller, id).map(Submitted::job), true);
        };
    }

    private static List<Result> results(List<JobId> ids, List<Optional<Job>> jobs) {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            results.add(result(ids.get(i), jobs.get(i), false));
        }
        return results;
    }

    private static Result result(JobId id, Optional<Job> job, boolean isNew) {
        return job.map(found -> new Result(found.isGone() ? 204 : 200, found, isNew, null))
                .orElseGet(() -> Result.of(JobOperations.unknown(id.toString())));
    }

    /** What the store cannot do to many at once: so many at a time that one commit takes several of them. */
    private static List<Result> each(List<JobId> ids, Function<JobId, Optional<Job>> act, boolean isNew) {
        try (ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(ids.size(), AT_A_TIME), Thread.ofVirtual().factory())) {
            List<CompletableFuture<Result>> all = ids.stream()
                    .map(id -> CompletableFuture.supplyAsync(() -> one(id, act, isNew), threads))
                    .toList();
            return all.stream().map(CompletableFuture::join).toList();
        }
    }

    private static Result one(JobId id, Function<JobId, Optional<Job>> act, boolean isNew) {
        try {
            return result(id, act.apply(id), isNew);
        } catch (FaultException e) {
            return Result.of(FaultProblems.of(e.fault()));
        }
    }

    private void check(int count, String name) throws Problem {
        if (count == 0) {
            throw Fields.wrong(name, "it is missing or empty", "Give at least one.");
        }
        try {
            settings.jobs().jobsAtOnce().check(count, "jobs of one request");
        } catch (FaultException e) {
            throw FaultProblems.of(e.fault());
        }
    }

    private void answer(ApiCall call, List<Result> results, @Nullable Set<String> fields) throws IOException {
        long refused =
                results.stream().filter(result -> result.problem() != null).count();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeNumberProperty("accepted", results.size() - refused);
            out.writeNumberProperty("refused", refused);
            out.writeArrayPropertyStart("results");
            JobView view = fields == null ? null : new JobView(out, fields, new ElementIndexes(jobs, call.caller()));
            results.forEach(result -> write(out, result, view));
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    /** @param view writes the jobs; absent where only their ids are wanted */
    private static void write(JsonGenerator out, Result result, @Nullable JobView view) {
        out.writeStartObject();
        out.writeNumberProperty("status", result.status());
        Job job = result.job();
        if (job != null) {
            out.writeStringProperty("id", job.id().toString());
            out.writeBooleanProperty("isNew", result.isNew());
            if (view != null) {
                out.writeName("job");
                view.write(job);
            }
        }
        if (result.problem() != null) {
            out.writeName("problem");
            out.writePOJO(result.problem().document());
        }
        out.writeEndObject();
    }
}
