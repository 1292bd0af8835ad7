// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.access.Delegations;
import org.jobgate.access.Delegations.Delegation;
import org.jobgate.access.Delegations.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Credentials that callers delegate for their jobs: the gateway makes a certificate request, the client signs it and brings the chain. */
final class DelegationOperations {

    private static final String PEM_TYPE = "application/x-pem-file";
    private static final String PARAMETER = "delegation";
    private static final int USUAL = 100;
    private static final int MOST = 1_000;

    /** More can be no chain that is taken. */
    private static final int LONGEST_CHAIN = 128 * 1024;

    private final @Nullable Delegations delegations;

    /** @param delegations absent where credentials cannot be delegated */
    DelegationOperations(@Nullable Delegations delegations) {
        this.delegations = delegations;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/delegations", this::list),
                Route.of("POST", "/delegations", this::begin),
                Route.of("GET", "/delegations/{delegation}", this::get),
                Route.of("PUT", "/delegations/{delegation}", this::put),
                Route.of("DELETE", "/delegations/{delegation}", this::delete),
                Route.of("POST", "/delegations/{delegation}/renew", this::renew));
    }

    private Delegations delegations() throws Problem {
        if (delegations == null) {
            throw new Problem(
                    422,
                    "UNSUPPORTED_FEATURE",
                    "No credentials can be delegated to this gateway.",
                    "Ask the site's administrator to turn delegation on (delegation.enabled).");
        }
        return delegations;
    }

    private void list(ApiCall call) throws IOException, Problem {
        Query query = call.query("limit", "cursor");
        int limit = query.number("limit", 1, MOST, true).orElse(USUAL);
        // one more says whether there is a next page
        List<Delegation> found =
                delegations().list(call.caller(), query.text("cursor").orElse(null), limit + 1);
        List<Delegation> shown = found.stream().limit(limit).toList();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("delegations");
            shown.forEach(delegation -> write(out, delegation));
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringProperty("next", shown.getLast().id());
            }
            out.writeEndObject();
        });
    }

    private void begin(ApiCall call) throws IOException, Problem {
        call.query();
        answer(call, delegations().request(call.caller()));
    }

    private void renew(ApiCall call) throws IOException, Problem {
        call.query();
        answer(
                call,
                delegations().renew(call.caller(), call.parameter(PARAMETER)).orElseThrow(() -> unknown(call)));
    }

    private static void answer(ApiCall call, Request request) throws IOException {
        call.response().setHeader("Location", ApiServlet.PATH + "/delegations/" + request.id());
        call.json(201, out -> {
            out.writeStartObject();
            out.writeStringProperty("id", request.id());
            out.writeStringProperty("csr", request.pem());
            out.writeEndObject();
        });
    }

    private void get(ApiCall call) throws IOException, Problem {
        call.query();
        answer(call, delegations().find(call.caller(), call.parameter(PARAMETER)));
    }

    private void put(ApiCall call) throws IOException, Problem {
        call.query();
        String type = JsonIn.mediaType(call.request());
        if (!type.equals(PEM_TYPE)) {
            throw new Problem(
                            415,
                            "CONTENT_TYPE",
                            type.isEmpty()
                                    ? "The request does not say what its content is."
                                    : "Content of the type " + Problem.told(type) + " is not read here.",
                            "Send the chain in PEM, with the header Content-Type: " + PEM_TYPE + ".")
                    .header("Accept", PEM_TYPE);
        }
        byte[] chain = call.request().getInputStream().readNBytes(LONGEST_CHAIN + 1);
        if (chain.length > LONGEST_CHAIN) {
            throw new Problem(
                    413,
                    "TOO_LARGE",
                    "The chain has more than " + LONGEST_CHAIN + " bytes.",
                    "Send the proxy and the certificates that it was signed with, and nothing else.");
        }
        answer(
                call,
                Optional.of(delegations()
                        .put(
                                call.caller(),
                                call.parameter(PARAMETER),
                                new String(chain, StandardCharsets.ISO_8859_1))));
    }

    private void delete(ApiCall call) throws IOException, Problem {
        call.query();
        if (!delegations().destroy(call.caller(), call.parameter(PARAMETER))) {
            throw unknown(call);
        }
        call.response().setStatus(204);
    }

    private static void answer(ApiCall call, Optional<Delegation> delegation) throws IOException, Problem {
        Delegation found = delegation.orElseThrow(() -> unknown(call));
        call.json(200, out -> write(out, found));
    }

    private static void write(JsonGenerator out, Delegation delegation) {
        out.writeStartObject();
        out.writeStringProperty("id", delegation.id());
        out.writeStringProperty("kind", delegation.kind().name().toLowerCase(Locale.ROOT));
        out.writeStringProperty("expires", delegation.expires().toString());
        out.writeStringProperty("terminates", delegation.terminates().toString());
        out.writeEndObject();
    }

    /** The same for one of somebody else, one that is gone, and one that never was. */
    private static Problem unknown(ApiCall call) {
        return new Problem(
                404,
                "DELEGATION_UNKNOWN",
                "There is no delegation " + Problem.told(call.parameter(PARAMETER)) + ".",
                "Check the id; GET /api/v1/delegations lists your delegations.");
    }
}
