// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/** A request that is turned away, as a problem document (RFC 9457) says it. */
final class Problem extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int TOLD = 120;

    private final int status;
    private final String code;
    private final String remedy;
    private final transient Map<String, Object> members = new LinkedHashMap<>();
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    /**
     * @param code the kind of problem, a word for programs in capitals
     * @param detail what failed, on what and why: a sentence
     * @param remedy what to do
     */
    Problem(int status, String code, String detail, String remedy) {
        super(detail, null, false, false);
        this.status = status;
        this.code = requireNonNull(code, "code is null");
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String detail() {
        return String.valueOf(getMessage());
    }

    /** Headers of the answer. */
    Map<String, String> headers() {
        return headers;
    }

    /** Says one thing more; nothing where the value is absent. */
    Problem with(String member, @Nullable Object value) {
        if (value != null) {
            members.put(member, value);
        }
        return this;
    }

    Problem header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** When to try again. */
    Problem retryAfter(int seconds) {
        return header("Retry-After", Integer.toString(seconds));
    }

    /** The members of the document, in their order. */
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        String word = code.toLowerCase(Locale.ROOT).replace('_', '-');
        document.put("type", "https://jobgate.org/problems/" + word);
        String title = word.replace('-', ' ');
        document.put("title", Character.toUpperCase(title.charAt(0)) + title.substring(1));
        document.put("status", status);
        document.put("detail", detail());
        document.put("code", code);
        document.put("remedy", remedy);
        document.putAll(members);
        return document;
    }

    static Problem anonymous() {
        return new Problem(
                        401,
                        "NOT_AUTHENTICATED",
                        "The request came without a credential that says who sends it.",
                        "Connect with a client certificate or proxy that this gateway trusts, or send a bearer token.")
                .header("WWW-Authenticate", "Bearer");
    }

    static Problem nothingAt(String path) {
        return new Problem(
                404,
                "NOT_FOUND",
                "There is nothing at " + told(path) + ".",
                "Check the address: /api/v1/openapi.json lists what is there.");
    }

    static Problem method(String method, String allowed) {
        return new Problem(
                        405,
                        "METHOD_NOT_ALLOWED",
                        "The method " + told(method) + " is not served here.",
                        "Use one of: " + allowed + ".")
                .header("Allow", allowed);
    }

    static Problem badRequest(String detail, String remedy) {
        return new Problem(400, "BAD_REQUEST", detail, remedy);
    }

    /** What a client wrote, so that it can stand in a sentence. */
    static String told(String text) {
        return "'" + plain(text) + "'";
    }

    /** The same without quotes. */
    static String plain(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7E]", "?");
        return ShortText.of(plain, TOLD);
    }
}
