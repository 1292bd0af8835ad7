// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArcDelegationsTest extends ArcRoom {

    /** Delegations without cryptography: a chain is good that begins with the word of its request. */
    private static final class Trial implements Delegations {

        private final Map<String, String> chains = new ConcurrentHashMap<>();
        private final Map<String, String> requests = new ConcurrentHashMap<>();
        private final Map<String, String> tokens = new ConcurrentHashMap<>();
        private final AtomicInteger made = new AtomicInteger();

        private static String key(Caller caller, String id) {
            return caller.subject() + " " + id;
        }

        @Override
        public Optional<Delegation> token(Caller caller, @Nullable String id, String token) {
            if (id != null && !tokens.containsKey(key(caller, id))) {
                return Optional.empty();
            }
            String kept = id == null ? "t" + made.incrementAndGet() : id;
            tokens.put(key(caller, kept), token);
            return Optional.of(new Delegation(kept, Kind.TOKEN, Instant.MAX, Instant.MAX));
        }

        private static Delegation told(String id) {
            return new Delegation(id, Kind.PROXY, Instant.MAX, Instant.MAX);
        }

        @Override
        public Request request(Caller caller) {
            return request(caller, "d" + made.incrementAndGet());
        }

        @Override
        public Request request(Caller caller, String id) {
            String pem = "request " + made.incrementAndGet();
            requests.put(key(caller, id), pem);
            return new Request(id, pem);
        }

        @Override
        public Optional<Request> renew(Caller caller, String id) {
            return find(caller, id).map(one -> request(caller, id));
        }

        @Override
        public Delegation put(Caller caller, String id, String chain) {
            String request = requests.remove(key(caller, id));
            if (request == null || !chain.startsWith("signed " + request)) {
                throw new FaultException(
                        Fault.of(FaultCode.CREDENTIAL_UNUSABLE, "The chain is not over the request.", "Sign it."));
            }
            chains.put(key(caller, id), chain);
            return told(id);
        }

        @Override
        public Optional<Delegation> find(Caller caller, String id) {
            if (tokens.containsKey(key(caller, id))) {
                return Optional.of(new Delegation(id, Kind.TOKEN, Instant.MAX, Instant.MAX));
            }
            return Optional.ofNullable(chains.get(key(caller, id))).map(chain -> told(id));
        }

        @Override
        public List<Delegation> list(Caller caller, @Nullable String after, int limit) {
            return new TreeMap<>(chains)
                    .keySet().stream()
                            .filter(key -> key.startsWith(caller.subject() + " "))
                            .map(key -> told(key.substring(caller.subject().length() + 1)))
                            .toList();
        }

        @Override
        public Optional<String> certificates(Caller caller, String id) {
            return Optional.ofNullable(chains.get(key(caller, id)));
        }

        @Override
        public Optional<Delegation> endAt(Caller caller, String id, @Nullable Instant time) {
            return find(caller, id);
        }

        @Override
        public boolean destroy(Caller caller, String id) {
            return chains.remove(key(caller, id)) != null;
        }
    }

    private final Trial trial = new Trial();

    @Override
    Delegations delegations() {
        return trial;
    }

    @Test
    void aTokenIsDelegatedAndRenewedByVersion11() throws Exception {
        HttpResponse<String> answer =
                ask("POST", "/delegations?action=new&type=jwt", "", "X-Token-Delegation", "one.two.three");
        assertThat(answer.statusCode()).isEqualTo(201);
        String place = answer.headers().firstValue("location").orElseThrow();
        String id = place.substring(place.lastIndexOf('/') + 1);
        assertThat(trial.tokens).containsValue("one.two.three");
        assertThat(ask("POST", "/delegations/" + id + "?action=renew", "", "X-Token-Delegation", "Bearer new")
                        .statusCode())
                .isEqualTo(201);
        assertThat(trial.tokens.values()).containsExactly("new");
        assertThat(askAs(BOB, "POST", "/1.1/delegations/" + id + "?action=renew", "", "X-Token-Delegation", "stolen")
                        .statusCode())
                .isEqualTo(404);
        assertThat(trial.tokens.values()).containsExactly("new");
        assertThat(ask("POST", "/delegations/" + id + "?action=get", "").statusCode())
                .isEqualTo(404);
        HttpResponse<String> without = ask("POST", "/delegations?action=new&type=jwt", "");
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.body()).contains("X-Token-Delegation");
    }

    private String begin() throws Exception {
        HttpResponse<String> answer = ask("POST", "/delegations?action=new", "");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("content-type")).contains("application/x-pem-file");
        String place = answer.headers().firstValue("location").orElseThrow();
        assertThat(place).startsWith("/arex/rest/1.1/delegations/");
        String id = place.substring(place.lastIndexOf('/') + 1);
        assertThat(ask("PUT", "/delegations/" + id, "signed " + answer.body()).statusCode())
                .isEqualTo(200);
        return id;
    }

    @Test
    void aCredentialIsDelegatedListedReadRenewedAndDeleted() throws Exception {
        String id = begin();
        assertThat(json("GET", "/delegations", "").toString())
                .isEqualTo("{\"delegation\":[{\"id\":\"" + id + "\",\"type\":\"x509\"}]}");
        assertThat(askAs(ALICE, "GET", "/1.0/delegations", "", "Accept", "application/json")
                        .body())
                .isEqualTo("{\"delegation\":[{\"id\":\"" + id + "\"}]}");
        assertThat(json("GET", "/delegations?type=jwt", "").toString()).isEqualTo("{\"delegation\":[]}");
        assertThat(ask("POST", "/delegations/" + id + "?action=get", "").body()).startsWith("signed request");
        HttpResponse<String> renewed = ask("POST", "/delegations/" + id + "?action=renew", "");
        assertThat(renewed.statusCode()).isEqualTo(201);
        assertThat(ask("PUT", "/delegations/" + id, "signed " + renewed.body()).statusCode())
                .isEqualTo(200);
        assertThat(ask("POST", "/delegations/" + id + "?action=delete", "").statusCode())
                .isEqualTo(202);
        assertThat(ask("POST", "/delegations/" + id + "?action=delete", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void oneOfAnotherAndOneThatNeverWasAreNotThere() throws Exception {
        String id = begin();
        for (String action : List.of("get", "renew", "delete")) {
            HttpResponse<String> foreign = askAs(BOB, "POST", "/1.0/delegations/" + id + "?action=" + action, "");
            HttpResponse<String> never = askAs(BOB, "POST", "/1.0/delegations/never?action=" + action, "");
            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(foreign.body()).isEqualTo(never.body());
        }
    }

    @Test
    void whatIsWrongIsRefusedWithTheReason() throws Exception {
        String id = begin();
        HttpResponse<String> wrong = ask("PUT", "/delegations/" + id, "nothing", "Accept", "application/json");
        assertThat(wrong.statusCode()).isEqualTo(403);
        assertThat(wrong.body()).contains("not over the request");
        assertThat(askAs(ALICE, "POST", "/1.0/delegations?action=new&type=jwt", "")
                        .statusCode())
                .isEqualTo(501);
        assertThat(ask("POST", "/delegations/" + id + "?action=nothing", "").statusCode())
                .isEqualTo(501);
        assertThat(ask("DELETE", "/delegations", "").statusCode()).isEqualTo(405);
    }
}
