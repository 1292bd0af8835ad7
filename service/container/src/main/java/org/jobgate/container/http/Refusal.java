// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request that is turned away before any front door sees it. SOAP callers get a SOAP 1.1 fault, so that their tools show the
 * sentence; callers of the REST API a problem document (RFC 9457); all others get the JSON that the admin endpoint speaks too.
 *
 * @param status of HTTP
 * @param code a word for programs
 * @param sentence what is refused and why
 * @param remedy what to do
 * @param retryAfterSeconds absent where trying again does not help
 */
record Refusal(
        int status,
        String code,
        String sentence,
        String remedy,
        @Nullable Integer retryAfterSeconds) {

    /** The Content-Type of {@link #soapFault}. */
    static final String SOAP_TYPE = "text/xml;charset=utf-8";

    /** The Content-Type of {@link #problem}. */
    private static final String PROBLEM_TYPE = "application/problem+json";

    /** What no XML document may hold, in whatever form. */
    private static final Pattern NOT_OF_XML =
            Pattern.compile("[^\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private static final JsonMapper JSON = new JsonMapper();

    Refusal {
        requireNonNull(code, "code is null");
        requireNonNull(sentence, "sentence is null");
        requireNonNull(remedy, "remedy is null");
    }

    /** Too much of something for this request ever to be taken. */
    static Refusal tooLarge(String limit, long value, String sentence) {
        return new Refusal(
                413, "LIMIT_EXCEEDED", sentence + " the limit is " + limit + " = " + value + ".", "Send less.", null);
    }

    /** Too much of something just now. */
    static Refusal busy(String limit, long value, long count, String what) {
        return new Refusal(
                503,
                "LIMIT_EXCEEDED",
                "There are " + count + " " + what + "; the limit is " + limit + " = " + value + ".",
                "Try again in a moment.",
                2);
    }

    /** Too many requests of one owner that have been read wait for their turn. */
    static Refusal outOfTurn(int places, int most) {
        return new Refusal(
                503,
                "LIMIT_EXCEEDED",
                "There are " + most + " requests of yours that wait for their turn, and " + places
                        + " of all owners are worked on at once; the limit is limits.maxWorking = " + places + ".",
                "Try again in a moment, with fewer requests at once.",
                2);
    }

    /** No memory for it just now. */
    static Refusal noRoom() {
        return new Refusal(
                503, "LIMIT_EXCEEDED", "The service has no memory left for this request.", "Try again in a moment.", 2);
    }

    /** Writes the refusal as the whole response, and asks for the connection to be closed. */
    void write(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        answer(request, response, callback);
    }

    /** Writes the refusal as the whole response; the client may ask for something else on the same connection. */
    void answer(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        boolean soap = Mounts.of(request).isOfSoap(path);
        boolean problem = isOfApi(path);
        response.setStatus(status);
        response.getHeaders().remove(HttpHeader.CONTENT_ENCODING);
        response.getHeaders()
                .put(HttpHeader.CONTENT_TYPE, soap ? SOAP_TYPE : problem ? PROBLEM_TYPE : "application/json");
        if (retryAfterSeconds != null) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, Integer.toString(retryAfterSeconds));
        }
        byte[] body = (soap ? soapFault() : problem ? problem() : json()).getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    /** Whether who asks for this path reads problem documents. */
    static boolean isOfApi(@Nullable String path) {
        return path != null && path.startsWith("/api/");
    }

    /** A problem document, in the form in which the REST API writes its own. */
    String problem() {
        String word = code.toLowerCase(Locale.ROOT).replace('_', '-');
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", "https://jobgate.org/problems/" + word);
        document.put("title", word.replace('-', ' '));
        document.put("status", status);
        document.put("detail", sentence);
        document.put("code", code);
        document.put("remedy", remedy);
        return JSON.writeValueAsString(document);
    }

    String json() {
        return JSON.writeValueAsString(Map.of("error", Map.of("code", code, "sentence", sentence, "remedy", remedy)));
    }

    String soapFault() {
        // what is not implemented will not be by trying again: the client has to ask otherwise
        String side = status < 500 || status == 501 ? "Client" : "Server";
        return "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><soap:Fault><faultcode>soap:"
                + side
                + "</faultcode><faultstring>" + escaped(sentence + " " + remedy)
                + "</faultstring></soap:Fault></soap:Body></soap:Envelope>";
    }

    private static String escaped(String text) {
        return NOT_OF_XML
                .matcher(text)
                .replaceAll("?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
