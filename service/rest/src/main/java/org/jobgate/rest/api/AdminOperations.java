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
                Route.of("GET", "/admin/jobs", call -> look(call, LOOK_AT_JOBS, "/jobs", JOBS)),
                Route.of("GET", "/admin/jobs/{id}", call -> look(call, LOOK_AT_JOBS, "/jobs/" + named(call, "id"))),
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

    private void order(ApiCall call, String path, String what) throws IOException, Problem {
        String who = call.caller().administer(what, Optional.empty());
        call.query();
        change(call, who, path, Map.of());
    }

    private void change(ApiCall call, String who, String path, Map<String, String> parameters)
            throws IOException, Problem {
        // on record before it is done, with the values
        call.caller().hasAdministered("REST " + path + " " + parameters);
        Object answer;
        try {
            answer = administration.change(who, path, parameters);
        } catch (Administration.Refused e) {
            throw e.problem();
        }
        call.json(200, out -> out.writePOJO(answer));
    }

    private void cancel(ApiCall call) throws IOException, Problem {
        String who = call.caller().administer("cancel the jobs of others", Optional.empty());
        call.query();
        String reason = null;
        if (call.hasContent()) {
            Fields fields = call.fields();
            reason = fields.text("reason");
            fields.end();
        }
        change(
                call,
                who,
                "/jobs/" + named(call, "id") + "/cancel",
                reason == null ? Map.of() : Map.of("reason", reason));
    }

    private void resize(ApiCall call) throws IOException, Problem {
        String who = call.caller().administer("change the number of workers", Optional.empty());
        call.query();
        String pool = named(call, "pool");
        Fields fields = call.fields();
        Long workers = fields.number("workers", 1, MOST_WORKERS);
        fields.end();
        if (workers == null) {
            throw Fields.wrong("workers", "it is missing", "Give the number of workers.");
        }
        change(call, who, "/pools/" + pool, Map.of("workers", workers.toString()));
    }

    private void throttle(ApiCall call) throws IOException, Problem {
        String who = call.caller().administer("change how much of an LRM is used", Optional.empty());
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
            parameters.put("pollInterval", interval);
        }
        fields.end();
        change(call, who, "/lrms/" + lrm, parameters);
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
