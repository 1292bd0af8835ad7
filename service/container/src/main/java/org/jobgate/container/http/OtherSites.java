// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a page of another site has a user's browser send: the browser adds the user's certificate by itself, so that such a page
 * could submit and cancel jobs in their name. Browsers say where a request comes from in {@code Sec-Fetch-Site} (W3C Fetch Metadata) and
 * {@code Origin} (RFC 6454); programs send neither. What changes nothing is served: a page of another site cannot read the answer.
 */
final class OtherSites {

    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

    private OtherSites() {}

    /** Why the request is refused; nothing where it is not. */
    static @Nullable Refusal refusal(Request request) {
        if (HARMLESS.contains(request.getMethod())) {
            return null;
        }
        String site = request.getHeaders().get("Sec-Fetch-Site");
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        boolean isOwn;
        if (site != null) {
            isOwn = Set.of("same-origin", "none").contains(site.strip().toLowerCase(Locale.ROOT));
        } else {
            isOwn = origin == null || isAuthority(origin.strip(), request);
        }
        if (isOwn) {
            return null;
        }
        return new Refusal(
                403,
                "OTHER_SITE",
                "The request was sent by a page of another site"
                        + (origin == null ? "." : ", " + RequestForm.told(origin) + "."),
                "Only pages of this gateway may act in the name of a browser's user; programs leave the headers Origin and Sec-Fetch-Site out.",
                null);
    }

    /** Whether the origin is the address that the request was sent to. */
    private static boolean isAuthority(String origin, Request request) {
        try {
            URI uri = new URI(origin);
            return uri.getScheme() != null
                    && uri.getScheme().equalsIgnoreCase(request.getHttpURI().getScheme())
                    && uri.getHost() != null
                    && uri.getHost().equalsIgnoreCase(Request.getServerName(request))
                    && port(uri) == Request.getServerPort(request);
        } catch (URISyntaxException e) {
            return false; // "null", and what no browser sends
        }
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }
}
