// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
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

    /** Put together once: they go out with every answer. */
    private static final List<HttpField> ALWAYS = List.of(
            new PreEncodedHttpField("Strict-Transport-Security", YEAR),
            new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
            new PreEncodedHttpField("X-Frame-Options", "DENY"),
            new PreEncodedHttpField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            new PreEncodedHttpField("Referrer-Policy", "no-referrer"),
            new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin"),
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"));

    SecurityHeaders(Handler next) {
        super(requireNonNull(next, "next is null"));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpFields.Mutable headers = response.getHeaders();
        ALWAYS.forEach(headers::put);
        return super.handle(request, response, callback);
    }
}
