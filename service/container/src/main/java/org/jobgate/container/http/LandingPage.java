// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The page at {@code /}, for a visitor who has only the name of the gateway: it lists the addresses. Everybody may read it; it contains nothing that a
 * refusal would not say too.
 */
final class LandingPage extends Handler.Wrapper {

    private static final String CONSOLE = "/console";
    private static final String API = "/api/v1";
    private static final String POLICY =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String name;
    private final Mounts mounts;

    /** @param name of the gateway, as its users know it */
    LandingPage(String name, Mounts mounts, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.name = requireNonNull(name, "name is null");
        this.mounts = requireNonNull(mounts, "mounts is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String method = request.getMethod();
        boolean isRead = method.equals("GET") || method.equals("HEAD");
        if (!isRead || !"/".equals(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        }
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html; charset=utf-8");
        response.getHeaders().put("Content-Security-Policy", POLICY);
        // of HEAD the server sends the headers alone
        Content.Sink.write(response, true, page(), callback);
        return true;
    }

    private String page() {
        Map<String, String> all = mounts.all();
        StringBuilder items = new StringBuilder();
        if (all.containsKey(CONSOLE)) {
            items.append("<li><a href=\"/console/\">The console</a>: your jobs in this browser\n");
        }
        if (all.containsKey(API)) {
            items.append("<li>The REST API: <a href=\"/api/v1/openapi.json\">its document</a>,")
                    .append(
                            " <a href=\"/api/v1/info\">the service</a>, <a href=\"/api/v1/whoami\">who you are here</a>\n");
        }
        all.forEach((root, what) -> {
            if (!root.equals(CONSOLE) && !root.equals(API)) {
                items.append("<li>")
                        .append(text(what))
                        .append(": <code>")
                        .append(text(root))
                        .append("</code>\n");
            }
        });
        return """
                <!doctype html>
                <html lang="en">
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>Jobgate at %1$s</title>
                <h1>Jobgate at %1$s</h1>
                <p>This gateway runs jobs on the batch systems of its site. Clients show a certificate, a proxy or a token.
                <ul>
                %2$s</ul>
                </html>
                """.formatted(text(name), items);
    }

    /** As it stands in HTML. */
    static String text(String plain) {
        return plain.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
