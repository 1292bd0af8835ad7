// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A gateway's REST API that answers what the test has chosen for each request, and keeps what it was asked. */
public final class RestStub implements AutoCloseable {

    /** An answer. */
    public record Answer(int status, String type, String body, Map<String, String> headers) {

        public static Answer json(int status, String body) {
            return new Answer(status, "application/json", body, Map.of());
        }

        public static Answer problem(int status, String detail, String remedy) {
            return new Answer(
                    status,
                    "application/problem+json",
                    "{\"detail\":\"" + detail + "\",\"remedy\":\"" + remedy + "\",\"code\":\"X\"}",
                    Map.of());
        }
    }

    /** The status of an answer that never comes: the connection is closed instead. */
    public static final int NONE = 0;

    private final HttpsServer server;
    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public RestStub(SSLContext context) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.createContext("/", this::serve);
        server.start();
    }

    public String contact() {
        return "localhost:" + server.getAddress().getPort();
    }

    /** What this request is answered with, e.g. {@code GET /api/v1/jobs/1}, its query left out; of several answers the last one stays. */
    public RestStub answer(String request, Answer... given) {
        answers.put(request, new ArrayDeque<>(List.of(given)));
        return this;
    }

    /** Method, address with its query, type, {@code If-Range} and body of each request. */
    public List<String> requests() {
        return requests;
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String what = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            String same = exchange.getRequestHeaders().getFirst("If-Range");
            requests.add(
                    (what + (type == null ? "" : " " + type) + (same == null ? "" : " If-Range: " + same) + " " + body)
                            .strip());
            Deque<Answer> given = answers.get(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath());
            Answer answer = given == null
                    ? Answer.problem(404, "There is nothing at " + what + ".", "")
                    : given.size() > 1 ? given.removeFirst() : given.getFirst();
            if (answer.status() == NONE) {
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
