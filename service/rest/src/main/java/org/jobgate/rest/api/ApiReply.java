// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.json.JsonMapper;

/** Writes answers, packed where the client takes it and it is worth it. */
final class ApiReply {

    static final String JSON_TYPE = "application/json";
    private static final String PROBLEM_TYPE = "application/problem+json";

    private static final JsonMapper JSON = new JsonMapper();

    private ApiReply() {}

    /** Writes a whole answer. */
    static void write(
            HttpServletRequest request, HttpServletResponse response, int status, String contentType, byte[] content)
            throws IOException {
        head(response, status, contentType);
        byte[] body = content;
        if (ReplyContent.isWorthPacking(content.length) && takesGzip(request)) {
            body = packed(content);
            response.setHeader("Content-Encoding", "gzip");
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** What every answer with a content says of it. */
    static void head(HttpServletResponse response, int status, String contentType) {
        response.setStatus(status);
        response.setContentType(contentType);
        if (!response.getHeaders("Vary").contains("Accept-Encoding")) {
            response.addHeader("Vary", "Accept-Encoding");
        }
    }

    /** Writes JSON that the writer writes. Where that fails with much of it on its way, the answer is cut off. */
    static void json(
            HttpServletRequest request, HttpServletResponse response, int status, Consumer<JsonGenerator> writer)
            throws IOException {
        ReplyContent content = new ReplyContent(request, response, status);
        try (JsonGenerator out = JSON.createGenerator(content)) {
            writer.accept(out);
        } catch (JacksonIOException e) {
            throw e.getCause(); // the client is gone
        }
        content.end();
    }

    static void write(HttpServletRequest request, HttpServletResponse response, Problem problem) throws IOException {
        problem.headers().forEach(response::setHeader);
        write(request, response, problem.status(), PROBLEM_TYPE, JSON.writeValueAsBytes(problem.document()));
    }

    private static byte[] packed(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(content.length / 4);
        try (OutputStream out = new ReplyContent.Packed(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    /** Whether the client names gzip and does not weigh it with nothing (RFC 9110 section 12.5.3). */
    static boolean takesGzip(HttpServletRequest request) {
        String accepted = request.getHeader("Accept-Encoding");
        if (accepted == null) {
            return false;
        }
        for (String coding : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.split(";", 2);
            if (parts[0].strip().equals("gzip")) {
                return parts.length == 1 || !parts[1].replace(" ", "").matches("q=0(?:\\.0{0,3})?");
            }
        }
        return false;
    }
}
