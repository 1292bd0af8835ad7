// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.files.FileNames;
import org.jobgate.limits.Limit;

/**
 * One request, and its answer.
 *
 * @param version of the interface that its path names
 * @param path the segments behind the version, not decoded
 */
record ArcCall(
        HttpServletRequest request, HttpServletResponse response, Caller caller, String version, List<String> path) {

    private static final int BUFFER = 32 * 1024;

    ArcCall {
        requireNonNull(request, "request is null");
        requireNonNull(response, "response is null");
        requireNonNull(caller, "caller is null");
        path = List.copyOf(path);
    }

    String method() {
        return request.getMethod();
    }

    boolean isRead() {
        return method().equals("GET") || method().equals("HEAD");
    }

    /** The value of a parameter behind the question mark. */
    Optional<String> query(String name) throws ArcRefusal {
        String query = request.getQueryString();
        for (String pair : query == null ? new String[0] : query.split("&", 64)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).equals(name)) {
                try {
                    return Optional.of(
                            FileNames.decoded(pair.substring(equals + 1).replace('+', ' ')));
                } catch (IllegalArgumentException e) {
                    throw ArcRefusal.badRequest("The query cannot be read: " + e.getMessage() + ".", "");
                }
            }
        }
        return Optional.empty();
    }

    BoundedBody body(Limit limit) throws IOException {
        return new BoundedBody(request.getInputStream(), limit);
    }

    /** Answers with a whole document. */
    void document(int status, Element root, String... lists) throws IOException {
        try (Writer out = begin(status)) {
            format().to(out).document(root, List.of(lists));
        }
    }

    /** Answers with a list, one element at a time. */
    void list(int status, String root, String item, Items items) throws IOException {
        lists(status, root, List.of(item), (name, sink) -> items.write(sink));
    }

    /** Answers with several lists, one after the other, one element at a time. What fails on the way does not end as if it were whole. */
    <X extends Exception> void lists(int status, String root, List<String> names, Lists<X> lists)
            throws IOException, X {
        Writer out = begin(status);
        Form form = format().to(out);
        form.begin(root, names.getFirst());
        lists.write(names.getFirst(), form::item);
        for (String name : names.subList(1, names.size())) {
            form.next(name);
            lists.write(name, form::item);
        }
        form.end();
        out.close();
    }

    void text(int status, String contentType, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(contentType);
        response.setContentLength(bytes.length);
        if (!method().equals("HEAD")) {
            response.getOutputStream().write(bytes);
        }
    }

    private Format format() {
        return Format.of(request.getHeader("Accept"));
    }

    private Writer begin(int status) throws IOException {
        response.setStatus(status);
        response.setContentType(format().contentType());
        response.setBufferSize(BUFFER);
        return new java.io.BufferedWriter(
                new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8), BUFFER / 2);
    }

    /** Writes elements one after the other. */
    @FunctionalInterface
    interface Items {
        void write(Sink sink) throws IOException;
    }

    /** Writes the elements of one name. */
    @FunctionalInterface
    interface Lists<X extends Exception> {
        void write(String name, Sink sink) throws IOException, X;
    }

    /** Takes an element. */
    @FunctionalInterface
    interface Sink {
        void put(Element element) throws IOException;
    }
}
