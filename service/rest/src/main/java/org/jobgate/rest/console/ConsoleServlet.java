// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.console;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Serves the files of the console from the jar, by their exact names and no others, with the headers that keep pages of other sites from
 * using them: nothing is loaded from elsewhere, no script stands in a page (CSP 3), and no page of another site holds this one in a frame.
 */
final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    /** By name; the page itself by none. */
    private final transient Map<String, ConsoleFile> files = new LinkedHashMap<>();

    ConsoleServlet() {
        for (String name : ConsoleFile.NAMES) {
            String ending = name.substring(name.lastIndexOf('.') + 1);
            files.put(name, ConsoleFile.load(name, requireNonNull(TYPES.get(ending), name)));
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        if (path.equals("/console")) {
            // the page names its files relative to its own address
            response.setHeader("Location", "/console/");
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            return;
        }
        String name = path.equals("/console/") ? "index.html" : path.substring("/console/".length());
        ConsoleFile file = files.get(name);
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        if (file == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            response.setContentType("text/plain; charset=utf-8");
            response.getWriter().write("The console has no such file. It begins at /console/\n");
            return;
        }
        // a new version of the service is seen at the next look
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", file.etag());
        response.setHeader("Vary", "Accept-Encoding");
        String seen = request.getHeader("If-None-Match");
        if (seen != null && seen.contains(file.etag())) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(file.type());
        String accepted = request.getHeader("Accept-Encoding");
        boolean packed =
                accepted != null && accepted.matches("(?i).*\\bgzip\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$)).*");
        byte[] bytes = packed ? file.packed() : file.plain();
        if (packed) {
            response.setHeader("Content-Encoding", "gzip");
        }
        response.setContentLength(bytes.length);
        // of HEAD the container sends the headers alone
        response.getOutputStream().write(bytes);
    }
}
