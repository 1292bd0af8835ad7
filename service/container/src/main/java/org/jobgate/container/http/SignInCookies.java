// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * The two cookies of browsers that sign in (RFC 6265bis). The prefix {@code __Host-} has browsers take them only over TLS from this very host, so
 * that no other host of the site can plant one; no script reads them.
 */
final class SignInCookies {

    /** Whose value is the id of a session. */
    static final String SESSION = "__Host-jobgate-session";

    /** Whose value is what a sign-in was begun with. */
    static final String BEGUN = "__Host-jobgate-signin";

    private static final String ALWAYS = "; Path=/; Secure; HttpOnly; SameSite=";

    private SignInCookies() {}

    /** What the browser sent; absent where it sent none, an empty text where it sent several, of which none can be believed. */
    static @Nullable String of(Request request, String name) {
        List<String> values = request.getHeaders().getValuesList(HttpHeader.COOKIE).stream()
                .flatMap(header -> Arrays.stream(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.substring(name.length() + 1))
                .toList();
        return values.isEmpty() ? null : values.size() > 1 ? "" : values.getFirst();
    }

    /** The session's: no page of another site has it sent, and it ends with the browser. */
    static void session(Response response, String id) {
        add(response, SESSION + "=" + id + ALWAYS + "Strict");
    }

    /** Of a sign-in that was begun: it must come along when the issuer's page sends the browser back. */
    static void begun(Response response, String value, Duration patience) {
        add(response, BEGUN + "=" + value + ALWAYS + "Lax; Max-Age=" + patience.toSeconds());
    }

    static void forget(Response response, String name) {
        add(response, name + "=" + ALWAYS + "Strict; Max-Age=0");
    }

    private static void add(Response response, String cookie) {
        response.getHeaders().add(HttpHeader.SET_COOKIE, cookie);
    }
}
