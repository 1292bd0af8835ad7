// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.Transfers;
import org.jobgate.access.Transfers.File;
import org.jobgate.access.Transfers.Made;
import org.jobgate.access.Transfers.Moving;
import org.jobgate.access.Transfers.Owned;
import org.jobgate.limits.Places;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Files that callers have moved between servers; those of requests that came by RFT are the same ones. */
final class TransferOperations {

    private static final String PARAMETER = "transfer";
    private static final int USUAL = 100;
    private static final int MOST = 1_000;

    private final @Nullable Transfers transfers;
    private final ApiSettings settings;
    private final Places waiting;

    /**
     * The operations.
     *
     * @param transfers absent where no files are moved
     * @param waiting places of requests that wait
     */
    TransferOperations(@Nullable Transfers transfers, ApiSettings settings, Places waiting) {
        this.transfers = transfers;
        this.settings = requireNonNull(settings, "settings is null");
        this.waiting = requireNonNull(waiting, "waiting is null");
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", "/transfers", this::create),
                Route.of("GET", "/transfers", this::list),
                Route.of("GET", "/admin/transfers", this::everybodys),
                Route.of("GET", "/transfers/{transfer}", this::get),
                Route.of("DELETE", "/transfers/{transfer}", this::delete),
                Route.of("POST", "/transfers/{transfer}/cancel", this::cancel));
    }

    private Transfers transfers() throws Problem {
        if (transfers == null) {
            throw new Problem(
                    422,
                    "UNSUPPORTED_FEATURE",
                    "This gateway moves no files for clients.",
                    "Ask the site's administrator to turn staging and the door rft on (staging.enabled, doors.rft).");
        }
        return transfers;
    }

    private void create(ApiCall call) throws IOException, Problem {
        call.query();
        Transfers moved = transfers();
        String key = JobOperations.key(call).orElse(null);
        Fields fields = call.fields();
        Map<String, String> shared = fields.map("options");
        List<File> files = new ArrayList<>();
        for (JsonNode node : fields.list("files")) {
            Fields file = new Fields(node, fields.path("files") + "[" + files.size() + "]", fields.budget());
            Map<String, String> options = new HashMap<>(shared);
            options.putAll(file.map("options"));
            files.add(new File(file.needed("source"), file.needed("destination"), options));
            file.end();
        }
        String credential = fields.text("credential");
        fields.end();
        if (files.isEmpty()) {
            throw Fields.wrong("files", "it is missing or empty", "Give at least one.");
        }
        Made made = moved.create(call.caller(), new Transfers.Order(files, credential, key));
        call.response()
                .setHeader(
                        "Location",
                        ApiServlet.PATH + "/transfers/" + made.request().id());
        call.json(made.isNew() ? 201 : 200, out -> write(out, made.request()));
    }

    private void list(ApiCall call) throws IOException, Problem {
        Query query = call.query("limit", "cursor");
        int limit = query.number("limit", 1, MOST, true).orElse(USUAL);
        // one more says whether there is a next page
        List<Moving> found =
                transfers().list(call.caller(), query.text("cursor").orElse(null), limit + 1);
        List<Moving> shown = found.stream().limit(limit).toList();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("transfers");
            shown.forEach(one -> write(out, one));
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringProperty("next", shown.getLast().id());
            }
            out.writeEndObject();
        });
    }

    /** Whether the caller is an administrator is asked before anything else of the request is read. */
    private void everybodys(ApiCall call) throws IOException, Problem {
        var unused = call.caller().lookAsAdministrator("see what files are moved for others");
        Query query = call.query("limit", "cursor");
        int limit = query.number("limit", 1, MOST, true).orElse(USUAL);
        List<Owned> found =
                transfers().everybodys(call.caller(), query.text("cursor").orElse(null), limit + 1);
        List<Owned> shown = found.stream().limit(limit).toList();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("transfers");
            for (Owned one : shown) {
                out.writeStartObject();
                out.writeStringProperty("subject", one.subject());
                writeMembers(out, one.request());
                out.writeEndObject();
            }
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringProperty("next", shown.getLast().request().id());
            }
            out.writeEndObject();
        });
    }

    private void get(ApiCall call) throws IOException, Problem {
        Query query = call.query("seen", "wait");
        Duration wait = query.seconds("wait", settings.maxWait()).orElse(Duration.ZERO);
        Transfers.State seen = seen(query);
        Transfers moved = transfers();
        Moving now = moved.find(call.caller(), call.parameter(PARAMETER)).orElseThrow(() -> unknown(call));
        boolean isAsSeen = seen == null || now.state() == seen;
        answer(
                call,
                wait.isZero() || !isAsSeen
                        ? now
                        : changed(call, moved, now, wait).orElseThrow(() -> unknown(call)));
    }

    /** The state that the client has seen; null where it names none. */
    private static Transfers.@Nullable State seen(Query query) throws Problem {
        String named = query.text("seen").orElse(null);
        if (named == null) {
            return null;
        }
        return Arrays.stream(Transfers.State.values())
                .filter(state -> word(state).equals(named))
                .findFirst()
                .orElseThrow(() -> Query.wrong(
                        "seen",
                        "no request has the state " + Problem.told(named),
                        "Give Pending, Active, Done, Failed or Cancelled, or leave it out."));
    }

    /** Waits until it stands otherwise; a request that finds no place to wait is answered at once, and so is one for what is over. */
    private Optional<Moving> changed(ApiCall call, Transfers moved, Moving now, Duration wait) {
        if (now.state() != Transfers.State.PENDING && now.state() != Transfers.State.ACTIVE) {
            return Optional.of(now);
        }
        try (Places.Place place = waiting.enter(call.caller().subject()).place()) {
            return place == null ? Optional.of(now) : moved.awaitChange(call.caller(), now.id(), now.state(), wait);
        }
    }

    private void cancel(ApiCall call) throws IOException, Problem {
        call.query();
        answer(
                call,
                transfers().cancel(call.caller(), call.parameter(PARAMETER)).orElseThrow(() -> unknown(call)));
    }

    private void delete(ApiCall call) throws IOException, Problem {
        call.query();
        if (!transfers().destroy(call.caller(), call.parameter(PARAMETER))) {
            throw unknown(call);
        }
        call.response().setStatus(204);
    }

    private static void answer(ApiCall call, Moving one) throws IOException {
        call.json(200, out -> write(out, one));
    }

    private static void write(JsonGenerator out, Moving one) {
        out.writeStartObject();
        writeMembers(out, one);
        out.writeEndObject();
    }

    private static void writeMembers(JsonGenerator out, Moving one) {
        out.writeStringProperty("id", one.id());
        out.writeStringProperty("state", word(one.state()));
        out.writeNumberProperty("files", one.files());
        out.writeNumberProperty("done", one.done());
        out.writeNumberProperty("failed", one.failed());
        out.writeNumberProperty("bytes", one.bytes());
        out.writeStringProperty("created", one.created().toString());
        out.writeStringProperty("terminates", one.terminates().toString());
        if (one.failure() != null) {
            out.writeStringProperty("failure", one.failure());
        }
    }

    private static String word(Transfers.State state) {
        return switch (state) {
            case PENDING -> "Pending";
            case ACTIVE -> "Active";
            case DONE -> "Done";
            case FAILED -> "Failed";
            case CANCELLED -> "Cancelled";
        };
    }

    /** The same for one of somebody else, one that is gone, and one that never was. */
    private static Problem unknown(ApiCall call) {
        return new Problem(
                404,
                "TRANSFER_UNKNOWN",
                "There is no request to move files " + Problem.told(call.parameter(PARAMETER)) + ".",
                "Check the id; GET /api/v1/transfers lists your requests.");
    }
}
