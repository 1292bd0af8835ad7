// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.wire.Json;
import org.jspecify.annotations.Nullable;

/** Asks one gateway over its REST API (docs/reference/rest.md). */
final class RestClient {
    private static final String API = "/api/v1";

    private final HttpsClient http;
    private final String root;
    private final @Nullable PrintStream trace;

    /**
     * @param root {@code https://HOST:PORT}
     * @param trace where each request and its status are shown; null for nowhere
     */
    RestClient(HttpsClient http, String root, @Nullable PrintStream trace) {
        this.http = requireNonNull(http, "http is null");
        this.root = requireNonNull(root, "root is null");
        this.trace = trace;
    }

    String root() {
        return root;
    }

    HttpsClient http() {
        return http;
    }

    /** A part of an address: each byte but those that mean themselves is encoded. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    /** The same for a path, of which the slashes stay. */
    static String encodedPath(String path) {
        return encoded(path).replace("%2F", "/");
    }

    byte[] get(String path) throws IOException, CommandException {
        return checked(exchange("GET", API + path, "Accept: application/json\r\n", new byte[0]));
    }

    byte[] post(String path, String json) throws IOException, CommandException {
        return post(path, "application/json", "", json.getBytes(StandardCharsets.UTF_8));
    }

    /** @param headers further ones, each with its line end */
    byte[] post(String path, String type, String headers, byte[] body) throws IOException, CommandException {
        return checked(posted(path, type, headers, body));
    }

    /** The same, whatever the answer. */
    HttpReply posted(String path, String type, String headers, byte[] body) throws IOException {
        String lines = (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n") + headers + "Content-Length: "
                + body.length + "\r\n";
        return exchange("POST", API + path, lines, body);
    }

    /**
     * As {@link #get}, for who has time.
     *
     * @throws IOException no answer, or one that says no more than that the gateway cannot answer now: the same may be asked again
     */
    byte[] getWhenItCan(String path) throws IOException, CommandException {
        HttpReply reply = exchange("GET", API + path, "Accept: application/json\r\n", new byte[0]);
        if (isBusy(reply)) {
            throw new IOException(sentence(reply));
        }
        return checked(reply);
    }

    /** Whether the gateway, or a relay before it, only cannot answer now: it starts, stops or has too much to do. */
    static boolean isBusy(HttpReply reply) {
        return switch (reply.status()) {
            case 429, 502, 503, 504 -> true;
            default -> false;
        };
    }

    /** One exchange with any address of the gateway, whatever the answer. */
    HttpReply exchange(String method, String path, String headers, byte[] body) throws IOException {
        HttpReply reply = http.exchange(root + path, new HttpRequest(method, headers, body));
        if (trace != null) {
            trace.println("---- " + method + " " + root + path + " -> status " + reply.status() + ", "
                    + reply.body().length + " bytes");
        }
        return reply;
    }

    /**
     * The content of an answer that is none of a failure.
     *
     * @throws CommandException the gateway refused; its sentence and remedy are the message
     */
    static byte[] checked(HttpReply reply) throws CommandException {
        if (reply.status() >= 200 && reply.status() < 300) {
            return reply.body();
        }
        throw refusal(reply);
    }

    static CommandException refusal(HttpReply reply) {
        ExitStatus status = reply.status() == 401 ? ExitStatus.CREDENTIAL : ExitStatus.REFUSED;
        return new CommandException(status, sentence(reply));
    }

    /** What the gateway says of a refusal, and what to do. */
    static String sentence(HttpReply reply) {
        String said = "";
        if (reply.header("content-type").contains("json")) {
            try {
                said = said(Json.read(reply.body()));
            } catch (IOException e) {
                said = ""; // then the status says it
            }
        }
        return Printable.of(
                said.isEmpty()
                        ? Sentence.of("The server answered with HTTP status " + reply.status() + " " + reply.reason()
                                + reply.bodyStart())
                        : said);
    }

    /** The sentence and the remedy of a problem document, or of a refusal of the door of files. */
    static String said(Json problem) {
        Json error = problem.get("error");
        String sentence = error.isMissing()
                ? problem.get("detail").text()
                : error.get("sentence").text();
        String remedy = (error.isMissing() ? problem : error).get("remedy").text();
        return Printable.of((sentence + " " + remedy).strip());
    }
}
