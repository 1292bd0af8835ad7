// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.QuickConnection;
import org.jobgate.perf.wire.RefusedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@link Rest} asks of the service; the jobs are held before the LRM. */
final class RestRequests {

    static final String JOBS = "/api/v1/jobs";

    private static final String JSON_TYPE = "application/json";
    private static final String HELD = "{\"executable\":\"/bin/true\",\"holdAt\":\"Pending\"}";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RestRequests() {}

    /** Clients that post a job one after another. */
    static QuickCrowd posting(List<QuickConnection> connections, String path, int wanted) {
        return new QuickCrowd(
                connections.stream()
                        .map(connection -> new QuickCrowd.Client(connection, () -> {
                            String body = keyed();
                            String head = "POST " + path + " HTTP/1.1\r\nHost: " + connection.authority()
                                    + "\r\nAccept: application/json\r\nContent-Type: " + JSON_TYPE
                                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n";
                            return (head + body).getBytes(StandardCharsets.US_ASCII);
                        }))
                        .toList(),
                wanted);
    }

    /** Clients that get a path again and again, each on its own connection. */
    static QuickCrowd getting(IntFunction<QuickConnection> connections, IntFunction<String> paths, int number) {
        List<QuickCrowd.Client> getters = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            QuickConnection connection = connections.apply(i);
            byte[] request = ("GET " + paths.apply(i) + " HTTP/1.1\r\nHost: " + connection.authority() + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            getters.add(new QuickCrowd.Client(connection, () -> request));
        }
        return new QuickCrowd(getters, 200);
    }

    /** As a client that may have to repeat its request sends it. */
    private static String keyed() {
        return HELD.substring(0, HELD.length() - 1) + ",\"idempotencyKey\":\"" + Load.newKey() + "\"}";
    }

    /** Makes one job. */
    static String created(HttpsConnection connection) throws IOException, RefusedException {
        HttpReply reply = connection.send("POST", JOBS, JSON_TYPE, keyed());
        if (reply.status() != 201) {
            throw new RefusedException(reply.status(), reply.body());
        }
        return JSON.readTree(reply.body()).path("id").asString("");
    }

    /** Makes so many jobs by one request; those that were refused are counted. */
    static void makeMany(HttpsConnection connection, int batch, Map<String, Long> failures) throws IOException {
        String body =
                Stream.generate(RestRequests::keyed).limit(batch).collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
        HttpReply reply = connection.send("POST", "/api/v1/bulk/jobs", JSON_TYPE, body);
        JsonNode results = reply.status() == 200 ? JSON.readTree(reply.body()).path("results") : JSON.createArrayNode();
        long good = results.valueStream()
                .filter(one -> one.path("status").asInt(0) == 201)
                .count();
        if (good != batch) {
            failures.merge("of many at once, HTTP status " + reply.status(), batch - good, Long::sum);
        }
    }

    /** A list of as many jobs as it should have: what is measured is the work and not its refusal. */
    static String checked(HttpReply reply, int listed) throws IOException {
        int found =
                reply.status() == 200 ? JSON.readTree(reply.body()).path("jobs").size() : -1;
        if (found != listed) {
            throw new IOException(
                    "the list has " + found + " of " + listed + " jobs (HTTP status " + reply.status() + ")");
        }
        return reply.body();
    }

    /** Milliseconds from a request to the last byte of the answer. */
    static double taken(HttpsConnection connection, String path) throws IOException {
        long begin = System.nanoTime();
        try {
            connection.pass(path);
        } catch (RefusedException e) {
            throw new IOException("the list was refused", e);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    /** Makes jobs at a pace, by turns of the users, and notes when each was asked for. */
    static void makeNews(Lab lab, List<SSLContext> all, Pace pace, Map<String, Long> sent, Map<String, Long> failures)
            throws IOException {
        List<HttpsConnection> makers = all.stream().map(lab::connection).toList();
        for (int turn = 0; pace.next().isPresent(); turn++) {
            long begin = System.nanoTime();
            try {
                sent.put(created(makers.get(turn % makers.size())), begin);
            } catch (RefusedException e) {
                failures.merge(Reasons.reason(e), 1L, Long::sum);
            }
        }
        for (HttpsConnection maker : makers) {
            maker.close();
        }
    }
}
