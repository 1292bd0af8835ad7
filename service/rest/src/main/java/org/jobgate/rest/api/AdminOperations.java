// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jobgate.job.JobId;

/**
 * What is for administrators only: the jobs of all, pools, LRMs and their throttles, draining. Each operation asks whether the caller is one
 * before it reads anything else of the request, so that others learn nothing but that.
 */
final class AdminOperations {

    private static final String[] JOBS = {"state", "subject", "lrm", "account", "finished", "after", "limit"};
    private static final List<String> THROTTLES =
            List.of("submitsAtOnce", "batchLimit", "maxJobs", "maxJobsPerOwner", "maxJobsPerQueue");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final String LOOK = "see how the gateway is";
    private static final String LOOK_AT_JOBS = "see the jobs of others";
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,9}[a-z]{1,2}");
    private static final int LONGEST_REASON = 1_000;
    private static final int MOST_WORKERS = 256;
    private static final int MOST_JOBS = 999_999_999;

    private final Administration administration;

    AdminOperations(Administration administration) {
        this.administration = requireNonNull(administration, "administration is null");
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/admin/status", call -> look(call, LOOK, "/status")),
                Route.of("GET", "/admin/figures", call -> look(call, LOOK, "/figures")),
                Route.of("GET", "/admin/pools", call -> look(call, LOOK, "/pools")),
                Route.of("GET", "/admin/lrms", call -> look(call, LOOK, "/lrms")),
                Route.of("GET", "/admin/owners", call -> look(call, LOOK_AT_JOBS, "/owners", "limit")),
                Route.of("GET", "/admin/jobs", call -> look(call, LOOK_AT_JOBS, "/jobs", JOBS)),
                Route.of("GET", "/admin/jobs/{id}", this::job),
                Route.of("POST", "/admin/jobs/{id}/cancel", this::cancel),
                Route.of("POST", "/admin/pools/{pool}", this::resize),
                Route.of("POST", "/admin/lrms/{lrm}", this::throttle),
                Route.of("POST", "/admin/drain", call -> order(call, "/drain", "refuse new jobs")),
                Route.of("POST", "/admin/resume", call -> order(call, "/resume", "take new jobs again")));
    }

    private void look(ApiCall call, String what, String path, String... known) throws IOException, Problem {
        call.caller().lookAsAdministrator(what);
        Query query = call.query(known);
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name : known) {
            query.text(name).ifPresent(value -> parameters.put(name, value));
        }
        Object answer;
        try {
            answer = administration.look(path, parameters);
        } catch (Administration.Refused e) {
            throw e.problem();
        }
        call.json(200, out -> out.writePOJO(answer));
    }

    private void job(ApiCall call) throws IOException, Problem {
        call.caller().lookAsAdministrator(LOOK_AT_JOBS);
        look(call, LOOK_AT_JOBS, "/jobs/" + named(call, "id"));
    }

    private void order(ApiCall call, String path, String what) throws IOException, Problem {
        call.caller().requireAdministrator(what);
        call.query();
        change(call, path, Map.of(), Optional.empty());
    }

    private void change(ApiCall call, String path, Map<String, String> parameters, Optional<JobId> job)
            throws IOException, Problem {
        String what = "REST " + path + (parameters.isEmpty() ? "" : " " + parameters);
        // on record before it is done, with the values, so that nothing is done by somebody who could not be named
        // later
        String who = call.caller().administer(what, job);
        Object answer;
        try {
            answer = administration.change(who, path, parameters);
        } catch (Administration.Refused e) {
            call.caller().hasAdministered(what + ": refused, " + e.code(), job);
            throw e.problem();
        }
        call.json(200, out -> out.writePOJO(answer));
    }

    /** By the whole id, so that it is on record which job it was. */
    private void cancel(ApiCall call) throws IOException, Problem {
        call.caller().requireAdministrator("cancel the jobs of others");
        call.query();
        JobId id = JobOperations.id(call);
        String reason = null;
        if (call.hasContent()) {
            Fields fields = call.fields();
            reason = fields.text("reason");
            fields.end();
        }
        if (reason != null
                && (reason.length() > LONGEST_REASON || reason.chars().anyMatch(Character::isISOControl))) {
            throw Fields.wrong(
                    "reason",
                    "it is no single line of at most " + LONGEST_REASON + " characters",
                    "Write one sentence; the owner of the job is shown it.");
        }
        change(call, "/jobs/" + id + "/cancel", reason == null ? Map.of() : Map.of("reason", reason), Optional.of(id));
    }

    private void resize(ApiCall call) throws IOException, Problem {
        call.caller().requireAdministrator("change the number of workers");
        call.query();
        String pool = named(call, "pool");
        Fields fields = call.fields();
        Long workers = fields.number("workers", 1, MOST_WORKERS);
        fields.end();
        if (workers == null) {
            throw Fields.wrong("workers", "it is missing", "Give the number of workers.");
        }
        change(call, "/pools/" + pool, Map.of("workers", workers.toString()), Optional.empty());
    }

    private void throttle(ApiCall call) throws IOException, Problem {
        call.caller().requireAdministrator("change how much of an LRM is used");
        call.query();
        String lrm = named(call, "lrm");
        Fields fields = call.fields();
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name : THROTTLES) {
            Long number = fields.number(name, 0, MOST_JOBS);
            if (number != null) {
                parameters.put(name, number.toString());
            }
        }
        String interval = fields.text("pollInterval");
        if (interval != null) {
            if (!DURATION.matcher(interval).matches()) {
                throw Fields.wrong("pollInterval", "it is no time", "Give one such as 10s.");
            }
            parameters.put("pollInterval", interval);
        }
        fields.end();
        change(call, "/lrms/" + lrm, parameters, Optional.empty());
    }

    /** A parameter of the path that can only be a name: what else it held could lead to another order. */
    private static String named(ApiCall call, String parameter) throws Problem {
        String name = call.parameter(parameter);
        if (!NAME.matcher(name).matches()) {
            throw Problem.nothingAt(call.request().getRequestURI());
        }
        return name;
    }
}
