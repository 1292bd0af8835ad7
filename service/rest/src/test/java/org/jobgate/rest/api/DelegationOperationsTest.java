// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.OwnedKind;
import org.jobgate.authz.Action;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Later;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Delegations as HTTP has them; that of a real proxy is tested with the whole service. */
class DelegationOperationsTest extends ApiRoom {

    private static final Instant END = Instant.parse("2030-01-02T03:04:05Z");

    /** Keeps what it is given, under the owner and the id; the chain "bad" is refused. */
    private static final class Kept implements Delegations {

        private final TreeMap<String, Delegation> kept = new TreeMap<>();
        private final Set<String> asked = new HashSet<>();
        private int made;

        @Override
        public Request request(Caller caller) {
            return request(caller, "d" + ++made);
        }

        @Override
        public Request request(Caller caller, String id) {
            String owner = caller.delegate();
            new Limit("delegation.maxPendingKeysPerOwner", 3).checkRoom(asked.size() + 1L, "keys", Later.Room.OWNER);
            asked.add(owner + id);
            return new Request(id, "CSR of " + id);
        }

        @Override
        public Optional<Request> renew(Caller caller, String id) {
            return find(caller, id).map(found -> request(caller, id));
        }

        @Override
        public Delegation put(Caller caller, String id, String chain) {
            if (!asked.remove(caller.delegate() + id) || chain.equals("bad")) {
                throw new FaultException(Fault.of(FaultCode.CREDENTIAL_UNUSABLE, "It is not good.", "Sign again."));
            }
            Delegation delegation = new Delegation(id, Kind.PROXY, END, END);
            kept.put(caller.subject() + id, delegation);
            return delegation;
        }

        @Override
        public Optional<Delegation> find(Caller caller, String id) {
            return Optional.ofNullable(kept.get(caller.query(OwnedKind.CREDENTIALS) + id));
        }

        @Override
        public List<Delegation> list(Caller caller, @Nullable String after, int limit) {
            String owner = caller.query(OwnedKind.CREDENTIALS);
            return kept.tailMap(owner + (after == null ? "" : after), false).entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(owner))
                    .map(entry -> entry.getValue())
                    .limit(limit)
                    .toList();
        }

        @Override
        public Optional<String> certificates(Caller caller, String id) {
            return Optional.empty();
        }

        @Override
        public Optional<Delegation> endAt(Caller caller, String id, @Nullable Instant time) {
            return find(caller, id);
        }

        @Override
        public boolean destroy(Caller caller, String id) {
            return kept.remove(caller.manage(OwnedKind.CREDENTIALS) + id) != null;
        }
    }

    private final Kept kept = new Kept();
    private boolean isOff;

    @Override
    @Nullable
    Delegations delegations() {
        return isOff ? null : kept;
    }

    private Answer put(String subject, String id, String type, String chain) throws Exception {
        return send(request("/delegations/" + id)
                .header("Subject", subject)
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofString(chain)));
    }

    private String delegated() throws Exception {
        String id = order(ALICE, "/delegations").is(201).at("/id");
        put(ALICE, id, "application/x-pem-file", "good").is(200);
        return id;
    }

    @Test
    void aDelegationIsBegunFinishedRenewedAndDestroyed() throws Exception {
        Answer begun = order(ALICE, "/delegations").is(201);
        String id = begun.at("/id");
        assertThat(begun.at("/csr")).isEqualTo("CSR of " + id);
        assertThat(begun.header("Location")).isEqualTo("/api/v1/delegations/" + id);
        get(ALICE, "/delegations/" + id).isProblem(404, "DELEGATION_UNKNOWN");
        Answer made = put(ALICE, id, "application/x-pem-file", "good").is(200);
        assertThat(made.text())
                .isEqualTo("{\"id\":\"" + id + "\",\"kind\":\"proxy\",\"expires\":\"" + END + "\",\"terminates\":\""
                        + END + "\"}");
        assertThat(get(ALICE, "/delegations/" + id).is(200).text()).isEqualTo(made.text());
        assertThat(order(ALICE, "/delegations/" + id + "/renew").is(201).at("/csr"))
                .contains(id);
        put(ALICE, id, "application/x-pem-file", "good").is(200);
        delete(ALICE, "/delegations/" + id).is(204);
        delete(ALICE, "/delegations/" + id).isProblem(404, "DELEGATION_UNKNOWN");
        order(ALICE, "/delegations/" + id + "/renew").isProblem(404, "DELEGATION_UNKNOWN");
    }

    @Test
    void theyAreListedInPagesToTheirOwner() throws Exception {
        String one = delegated();
        String two = delegated();
        get(ALICE, "/delegations?cursor=").isProblem(400, "INVALID_FIELD");
        Answer first = get(ALICE, "/delegations?limit=1").is(200);
        assertThat(first.at("/delegations/0/id")).isEqualTo(one);
        Answer second =
                get(ALICE, "/delegations?limit=1&cursor=" + first.at("/next")).is(200);
        assertThat(second.at("/delegations/0/id")).isEqualTo(two);
        assertThat(second.json().has("next")).isFalse();
        assertThat(get(BOB, "/delegations").is(200).text()).isEqualTo("{\"delegations\":[]}");
        get(BOB, "/delegations/" + one).isProblem(404, "DELEGATION_UNKNOWN");
        delete(BOB, "/delegations/" + one).isProblem(404, "DELEGATION_UNKNOWN");
    }

    @Test
    void whatCannotBeTakenIsRefused() throws Exception {
        String id = order(ALICE, "/delegations").is(201).at("/id");
        put(ALICE, id, "application/json", "{}").isProblem(415, "CONTENT_TYPE");
        put(ALICE, id, "application/x-pem-file", "x".repeat(128 * 1024 + 1)).isProblem(413, "TOO_LARGE");
        put(ALICE, id, "application/x-pem-file", "bad").isProblem(422, "CREDENTIAL_UNUSABLE");
        put(BOB, "no-such", "application/x-pem-file", "good").isProblem(422, "CREDENTIAL_UNUSABLE");
        for (int i = 0; i < 3; i++) {
            order(ALICE, "/delegations").is(201);
        }
        Answer full = order(ALICE, "/delegations").isProblem(429, "LIMIT_EXCEEDED");
        assertThat(full.at("/limit")).isEqualTo("delegation.maxPendingKeysPerOwner");
        assertThat(full.header("Retry-After")).isNotEmpty();
        forbidden.add(Action.QUERY);
        get(ALICE, "/delegations").isProblem(403, "NOT_AUTHORIZED");
    }

    @Test
    void aGatewayWithoutDelegationSaysSo() throws Exception {
        isOff = true;
        restart();
        order(ALICE, "/delegations").isProblem(422, "UNSUPPORTED_FEATURE");
        get(ALICE, "/delegations").isProblem(422, "UNSUPPORTED_FEATURE");
    }
}
