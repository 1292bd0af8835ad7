// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Tells browsers to be careful with what they get here: only over TLS (RFC 6797), only as the type that it says, in no frame, running
 * nothing. Answers are for machines; a job's output may be a page that its author wrote to be run in somebody else's browser.
 */
final class SecurityHeaders extends Handler.Wrapper {

    private static final String YEAR = "max-age=31536000";

    SecurityHeaders(Handler next) {
        super(requireNonNull(next, "next is null"));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put("Strict-Transport-Security", YEAR);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        return super.handle(request, response, callback);
    }
}
