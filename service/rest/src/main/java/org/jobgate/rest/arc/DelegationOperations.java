// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.access.Delegations;
import org.jobgate.files.FileNames;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/** Delegated credentials: the gateway makes a key and a request, the client signs a proxy over it and sends the chain back. */
final class DelegationOperations {

    private static final String PEM = "application/x-pem-file";
    private static final int PAGE = 1000;

    /** Where ARC's clients send a token that is to be kept (REST 1.1). */
    private static final String TOKEN = "X-Token-Delegation";

    private static final String BEARER = "Bearer ";

    private final @Nullable Delegations delegations;
    private final Limit bodyBytes;

    /** @param delegations absent where credentials cannot be delegated */
    DelegationOperations(@Nullable Delegations delegations, Limit bodyBytes) {
        this.delegations = delegations;
        this.bodyBytes = requireNonNull(bodyBytes, "bodyBytes is null");
    }

    void answer(ArcCall call) throws IOException, ArcRefusal {
        Delegations all = delegations;
        if (all == null) {
            throw new ArcRefusal(501, "Credentials cannot be delegated to this gateway.", "Use a bearer token.");
        }
        List<String> path = call.path();
        if (path.size() == 1 || (path.size() == 2 && path.get(1).isEmpty())) {
            if (call.isRead()) {
                list(call, all);
            } else if (call.method().equals("POST")
                    && call.query("action").orElse("").equals("new")) {
                begin(call, all);
            } else {
                throw ArcRefusal.method(call.method());
            }
            return;
        }
        String id = id(path);
        if (call.method().equals("PUT")) {
            all.put(call.caller(), id, call.body(bodyBytes).text());
            call.text(200, PEM, "");
            return;
        }
        if (!call.method().equals("POST")) {
            throw ArcRefusal.method(call.method());
        }
        act(call, all, id);
    }

    private static String id(List<String> path) throws ArcRefusal {
        try {
            return path.size() == 2 ? FileNames.decoded(path.get(1)) : "/";
        } catch (IllegalArgumentException e) {
            throw unknown();
        }
    }

    private static ArcRefusal unknown() {
        return ArcRefusal.notFound("There is no such delegation.");
    }

    private void list(ArcCall call, Delegations all) throws IOException, ArcRefusal {
        String type = call.query("type").orElse("");
        if (!type.isEmpty() && !type.equals("x509") && !type.equals("jwt")) {
            throw ArcRefusal.badRequest("There are no delegations of the type '" + type + "'.", "Ask for x509 or jwt.");
        }
        boolean showsType = !call.version().equals("1.0");
        List<Delegations.Delegation> first = all.list(call.caller(), null, PAGE);
        call.list(200, "delegations", "delegation", sink -> {
            List<Delegations.Delegation> page = first;
            while (true) {
                for (Delegations.Delegation one : page) {
                    String word = one.kind() == Delegations.Kind.TOKEN ? "jwt" : "x509";
                    if (type.isEmpty() || type.equals(word)) {
                        List<Element> children = new ArrayList<>(List.of(Element.leaf("id", one.id())));
                        if (showsType) {
                            children.add(Element.leaf("type", word));
                        }
                        sink.put(Element.of("delegation", children));
                    }
                }
                if (page.size() < PAGE) {
                    return;
                }
                page = all.list(call.caller(), page.getLast().id(), PAGE);
            }
        });
    }

    private static void begin(ArcCall call, Delegations all) throws IOException, ArcRefusal {
        String type = call.query("type").orElse("x509");
        if (type.equals("jwt") && !call.version().equals("1.0")) {
            Delegations.Delegation kept =
                    all.token(call.caller(), null, token(call)).orElseThrow();
            locate(call, kept.id());
            call.text(201, PEM, "");
            return;
        }
        if (!type.equals("x509")) {
            throw new ArcRefusal(
                    501,
                    "Delegations of the type " + type + " are not taken.",
                    "Delegate a proxy (type=x509), or by version 1.1 a token (type=jwt).");
        }
        Delegations.Request made = all.request(call.caller());
        locate(call, made.id());
        call.text(201, PEM, made.pem());
    }

    /** In small letters, for HTCondor looks for it so. */
    private static void locate(ArcCall call, String id) {
        call.response()
                .setHeader(
                        "location", ArcServlet.PATH + "/" + call.version() + "/delegations/" + FileNames.encoded(id));
    }

    private static String token(ArcCall call) throws ArcRefusal {
        String token = call.request().getHeader(TOKEN);
        if (token == null || token.isBlank()) {
            throw ArcRefusal.badRequest("There is no token.", "Send it in the header " + TOKEN + ".");
        }
        // ARC's own commands send the token alone, pyarcrest sends it as in Authorization (RFC 6750 section 2.1)
        String bare = token.strip();
        return bare.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? bare.substring(BEARER.length()).strip()
                : bare;
    }

    /** Where the delegation is a token, it is replaced by the one that comes with the request. */
    private static void renew(ArcCall call, Delegations all, String id) throws IOException, ArcRefusal {
        boolean isToken = all.find(call.caller(), id)
                .filter(found -> found.kind() == Delegations.Kind.TOKEN)
                .isPresent();
        if (isToken) {
            if (all.token(call.caller(), id, token(call)).isEmpty()) {
                throw unknown();
            }
            call.text(201, PEM, "");
            return;
        }
        call.text(
                201,
                PEM,
                all.renew(call.caller(), id)
                        .orElseThrow(DelegationOperations::unknown)
                        .pem());
    }

    private static void act(ArcCall call, Delegations all, String id) throws IOException, ArcRefusal {
        String action = call.query("action").orElse("");
        switch (action) {
            case "get" ->
                call.text(200, PEM, all.certificates(call.caller(), id).orElseThrow(DelegationOperations::unknown));
            case "renew" -> renew(call, all, id);
            case "delete" -> {
                if (!all.destroy(call.caller(), id)) {
                    throw unknown();
                }
                call.text(202, PEM, "");
            }
            default ->
                throw new ArcRefusal(
                        501,
                        "There is no action '" + action + "' for delegations.",
                        "There are get, renew and delete.");
        }
    }
}
